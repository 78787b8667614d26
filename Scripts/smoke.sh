#!/usr/bin/env bash
# Starts a built program on a free port with a new data file, and uses it as a person would.
#
#   Scripts/smoke.sh .build/release/goalpost
set -euo pipefail

program=$(realpath "${1:?usage: smoke.sh PROGRAM}")
work=$(mktemp -d)
server=

finish() {
    if [[ -n "$server" ]]; then kill "$server" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap finish EXIT

fail() {
    echo "smoke: $*" >&2
    echo "smoke: the log says:" >&2
    cat "$work"/log* >&2 || true
    exit 1
}

# start OPTION...: sets $server and $url.
start() {
    "$program" --port 0 --data "$work/data/goalpost.sqlite" "$@" 2>"$work/log" &
    server=$!
    local port=
    for _ in {1..100}; do
        port=$(grep -oE '127\.0\.0\.1:[0-9]+' "$work/log" | head -n1 | cut -d: -f2 || true)
        [[ -n "$port" ]] && break
        kill -0 "$server" 2>/dev/null || fail "it did not start"
        sleep 0.1
    done
    [[ -n "$port" ]] || fail "it did not say where it listens"
    url=http://127.0.0.1:$port
}

# stop: asks it to end, and insists on exit status 0.
stop() {
    kill -TERM "$server"
    local status=0
    wait "$server" || status=$?
    server=
    ((status == 0)) || fail "SIGTERM made it exit with $status"
}

# ask STATUS CURL-ARGUMENT...: sets $body.
ask() {
    local expected=$1 status
    shift
    status=$(curl --silent --show-error --max-time 10 --output "$work/body" \
        --write-out '%{http_code}' "$@")
    body=$(cat "$work/body")
    [[ "$status" == "$expected" ]] || fail "$* answered $status rather than $expected: $body"
}

has() {
    [[ "$body" == *"$1"* ]] || fail "no $1 in: $body"
}

"$program" --version >/dev/null || fail "--version fails"
"$program" --help >"$work/body" || fail "--help fails"
grep -q -- --time-zone "$work/body" || fail "--help does not name --time-zone"

# A program with Swift's libraries linked in may lack the time zones: none would be known then.
if timeout 10 "$program" --port 0 --data "$work/none.sqlite" --time-zone Nope/Zone 2>"$work/log"
then
    fail "it started in a time zone that does not exist"
fi
grep -q Nope/Zone "$work/log" || fail "it does not say which time zone it refuses"
[[ ! -e "$work/none.sqlite" ]] || fail "a refused start left a file behind"

status=0
timeout 10 "$program" --port 0 --host 0.0.0.0 --data "$work/none.sqlite" 2>"$work/log" || status=$?
((status == 2)) || fail "it did not refuse to serve everybody, but ended with $status"
[[ ! -e "$work/none.sqlite" ]] || fail "a refused start left a file behind"

start --time-zone Europe/Warsaw
ask 200 "$url/livez"
ask 200 "$url/readyz"
ask 201 "$url/goals" --json '{"title": "A bike", "targetAmount": "1200.00"}'
goal=$(grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' <<<"$body" | head -n1)
[[ -n "$goal" ]] || fail "no id in: $body"
ask 201 "$url/goals/$goal/transactions" --json '{"transactionType": "income", "amount": "300.00"}'
ask 200 "$url/goals/$goal/statistics"
has '"savedAmount":"300.00"'
has '"remainingAmount":"900.00"'
has '"timeZone":"Europe/Warsaw"'
ask 200 "$url/goals/$goal/statistics?timeZone=Asia/Kathmandu"
has '"timeZone":"Asia/Kathmandu"'
ask 400 "$url/goals/$goal/statistics?timeZone=Nope/Zone"
ask 404 "$url/nowhere"
has '"code":"not-found"'
ask 200 "$url/openapi.yaml"
cmp -s "$work/body" "$(dirname "$0")/../openapi.yaml" || fail "/openapi.yaml is not openapi.yaml"
GOALPOST_PORT=${url##*:} "$program" health || fail "its health check fails"
stop

start
ask 200 "$url/goals/$goal"
has '"savedAmount":"300.00"'
token=$("$program" token add default --data "$work/data/goalpost.sqlite" 2>"$work/log.token") \
    || fail "no token is made beside a running server"
ask 401 "$url/goals/$goal"
ask 200 "$url/goals/$goal" --header "Authorization: Bearer $token"
has '"savedAmount":"300.00"'
stop
grep -q "${token##*_}" "$work"/log* && fail "the log has the token"
if GOALPOST_PORT=${url##*:} "$program" health 2>/dev/null; then
    fail "the health check of a stopped server succeeds"
fi

echo "smoke: all is well"
