import API
import Goals
import HTTP
import Server
import Store

extension Setting {
    /// Every setting there is.
    static let all: [Setting] =
        [
            Setting(
                name: "host",
                placeholder: "ADDRESS",
                defaultValue: Configuration().server.host,
                help: "The address to listen on; 0.0.0.0 or :: is every one of this machine."
            ) { value, configuration in
                guard !value.isEmpty, !value.contains("["), !value.contains("]") else {
                    throw SettingMistake("must be an address or a name, without brackets or a port")
                }
                configuration.server.host = value
            },
            .number(
                "port",
                "NUMBER",
                \.port,
                in: 0...65_535,
                help: "The port to listen on; 0 takes a free one and says which."
            ),
            Setting(
                name: "data",
                placeholder: "FILE",
                defaultValue: Configuration().data,
                help: "The file that keeps the goals; it and its folder are made if there is none."
            ) { value, configuration in
                guard !value.isEmpty else { throw SettingMistake("must be the path of a file") }
                configuration.data = value
            },
            Setting(
                name: "currency",
                placeholder: "CODE",
                defaultValue: Configuration().currency.code,
                help: "The currency of a goal that names none (ISO 4217)."
            ) { value, configuration in
                guard let currency = Currency(value) else {
                    throw SettingMistake("must be a code of ISO 4217, such as EUR")
                }
                configuration.currency = currency
            },
            Setting(
                name: "time-zone",
                placeholder: "NAME",
                defaultValue: Configuration().timeZone,
                help: "The zone that decides which day today is (IANA)."
            ) { value, configuration in
                configuration.timeZone = value
            },
            .number(
                "loops",
                "NUMBER",
                \.server.loops,
                in: 1...256,
                help: "How many event loops serve, each on a thread of its own; one per core."
            ),
            Setting(
                name: "log-level",
                placeholder: "LEVEL",
                defaultValue: Configuration().logLevel.rawValue,
                help: "info writes a line for each request, error only what went wrong."
            ) { value, configuration in
                guard let level = LogLevel(rawValue: value) else {
                    throw SettingMistake("must be info or error")
                }
                configuration.logLevel = level
            },
        ] + access + limits

    private static let access: [Setting] = [
        Setting(
            name: "insecure-no-auth",
            placeholder: "",
            defaultValue: "false",
            help: "Serve everybody who reaches the server, as long as there is no access token.",
            isSwitch: true
        ) { value, configuration in
            guard value == "true" || value == "false" else {
                throw SettingMistake("must be true or false")
            }
            configuration.insecureNoAuth = value == "true"
        },
        .number(
            "requests-per-minute",
            "NUMBER",
            \.requestsPerMinute,
            in: 0...1_000_000,
            help:
                "Requests that each access token may make in a minute (429 beyond); 0 is any number."
        ),
        .number(
            "max-goals",
            "NUMBER",
            \.goalsPerAccount,
            in: 0...1_000_000_000,
            help: "Goals that each account may have (409 beyond); 0 is any number."
        ),
        .number(
            "max-transactions",
            "NUMBER",
            \.transactionsPerAccount,
            in: 0...1_000_000_000,
            help: "Transactions that each account may have (409 beyond); 0 is any number."
        ),
        .number(
            "keep-deletions",
            "DAYS",
            \.deletionDays,
            in: 1...36_500,
            help:
                "For how many days it is known what was deleted; who was away longer reads all anew."
        ),
        Setting(
            name: "cors-origins",
            placeholder: "LIST",
            defaultValue: "none",
            help: "The web pages whose scripts may read the answers: origins, or * for all."
        ) { value, configuration in
            configuration.crossOrigins = nil
            guard value != "none" else { return }
            guard let origins = CrossOrigins(value) else {
                throw SettingMistake(
                    "must be *, or origins as browsers write them, such as "
                        + "https://app.example.org, separated by commas"
                )
            }
            configuration.crossOrigins = origins
        },
    ]

    private static let limits: [Setting] = [
        .number(
            "max-connections",
            "NUMBER",
            \.server.limits.connections,
            in: 1...1_000_000,
            help: "Connections open at a time (503 beyond)."
        ),
        .number(
            "max-requests-in-flight",
            "NUMBER",
            \.server.limits.requestsInFlight,
            in: 1...1_000_000,
            help: "Requests that wait for their answers at a time (503 beyond)."
        ),
        .number(
            "max-streams",
            "NUMBER",
            \.server.limits.streams,
            in: 1...1_000_000,
            help: "Streams of events open at a time (503 beyond)."
        ),
        .number(
            "max-head-bytes",
            "BYTES",
            \.server.limits.parser.headBytes,
            in: 1_024...1_048_576,
            help: "The size of a request's head (431 beyond)."
        ),
        .number(
            "max-target-bytes",
            "BYTES",
            \.server.limits.parser.targetBytes,
            in: 256...1_048_576,
            help: "The size of a request's target (414 beyond)."
        ),
        .number(
            "max-body-bytes",
            "BYTES",
            \.server.limits.parser.bodyBytes,
            in: 1_024...67_108_864,
            help: "The size of a request's body (413 beyond)."
        ),
        .number(
            "max-output-bytes",
            "BYTES",
            \.server.limits.outputBytes,
            in: 1_024...67_108_864,
            help: "Answers a client has not read before its requests are no longer read."
        ),
        .number(
            "max-queued-writes",
            "NUMBER",
            \.store.queuedWrites,
            in: 1...1_000_000,
            help: "Changes that wait for the disk (503 beyond)."
        ),
        .number(
            "cache-bytes",
            "BYTES",
            \.cacheBytes,
            in: 0...1_099_511_627_776,
            help: "Memory for answers that can be given again."
        ),
        .seconds(
            "head-timeout",
            \.server.limits.headTimeout,
            help: "The longest a request's head may take."
        ),
        .seconds(
            "body-timeout",
            \.server.limits.bodyTimeout,
            help: "The longest a request's body may take."
        ),
        .seconds(
            "idle-timeout",
            \.server.limits.idleTimeout,
            help: "The longest a connection may be without a request."
        ),
        .seconds(
            "write-timeout",
            \.server.limits.writeTimeout,
            help: "The longest a client may leave an answer unread."
        ),
        .seconds(
            "linger-timeout",
            \.server.limits.lingerTimeout,
            help: "The longest a client may go on sending after the last answer."
        ),
        .seconds(
            "heartbeat-interval",
            \.server.limits.heartbeatInterval,
            help: "How long a stream of events may be silent before a sign of life is sent."
        ),
        .number(
            "stop-timeout",
            "SECONDS",
            \.stopTimeout,
            in: 0...3_600,
            help: "The longest that answers in flight may hold up a stop."
        ),
    ]

    /// A time-out that is set in seconds and kept in milliseconds.
    private static func seconds(
        _ name: String,
        _ path: any WritableKeyPath<Configuration, Int> & Sendable,
        help: String
    ) -> Setting {
        number(name, "SECONDS", path, in: 1...86_400, unit: 1_000, help: help)
    }
}
