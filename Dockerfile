# Builds the program, with Swift's libraries linked in.
FROM docker.io/library/swift:6.3-bookworm AS build

# Swift's image brings the headers of SQLite and crypt along today; this keeps the build right if it
# stops to.
RUN dpkg -s libsqlite3-dev libcrypt-dev >/dev/null 2>&1 \
    || (apt-get update && apt-get install -y --no-install-recommends libsqlite3-dev libcrypt-dev \
        && rm -rf /var/lib/apt/lists/*)

WORKDIR /build
# Without the folders of the test targets the manifest is refused, so they come along.
COPY Package.swift ./
COPY Tests ./Tests
COPY Sources ./Sources
RUN swift build -c release --product goalpost --static-swift-stdlib -Xlinker -s \
    && install -D "$(swift build -c release --show-bin-path)/goalpost" /out/goalpost

# Runs it: a C library with its crypt, SQLite and the time zones are all it needs.
FROM docker.io/library/debian:bookworm-slim

RUN apt-get update \
    && apt-get install -y --no-install-recommends libcrypt1 libsqlite3-0 libstdc++6 tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 goalpost \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data \
        --shell /usr/sbin/nologin goalpost

# Writable by all, so that the container can be given any user (`docker run --user`).
RUN install -d -m 0777 /data

COPY --from=build /out/goalpost /usr/local/bin/goalpost

# On every address it refuses to start without a token: set GOALPOST_TOKEN, or make one in the volume.
ENV GOALPOST_HOST=0.0.0.0 \
    GOALPOST_PORT=8080 \
    GOALPOST_DATA=/data/goalpost.sqlite

USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 CMD ["goalpost", "health"]
ENTRYPOINT ["goalpost"]
