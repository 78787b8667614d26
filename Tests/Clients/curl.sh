#!/usr/bin/env bash
# Walks through the API with curl, and says what came of each step.
#
#   curl.sh URL [plain | http1.0 | chunked | expect]
set -euo pipefail

url=$1
manner=${2:-plain}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

common=(--silent --show-error --max-time 20 --dump-header "$work/head" --output "$work/body")
uploading=()
case $manner in
    plain) ;;
    http1.0) common+=(--http1.0) ;;
    chunked) uploading=(--header "Transfer-Encoding: chunked") ;;
    # It would wait so long for a 100 that the walk would fail.
    expect) uploading=(--header "Expect: 100-continue" --expect100-timeout 60) ;;
    *) echo "curl.sh: no such manner: $manner" >&2; exit 2 ;;
esac

# ask METHOD PATH [CURL-ARGUMENT...]: sets $status, $etag and $body.
ask() {
    local method=$1 path=$2
    shift 2
    status=$(curl "${common[@]}" --request "$method" --write-out '%{http_code}' "$@" "$url$path")
    etag=$(sed -n 's/^ETag: \([^\r]*\).*/\1/p' "$work/head")
    body=$(cat "$work/body" 2>/dev/null || true)
    rm -f "$work/body"
}

# say METHOD PATH TYPE JSON [CURL-ARGUMENT...]: the same with a body.
say() {
    local method=$1 path=$2 type=$3 json=$4
    shift 4
    ask "$method" "$path" --header "Content-Type: $type" --data-binary "$json" \
        "${uploading[@]}" "$@"
    if [[ $manner == expect ]] && ! grep -q '^HTTP/1.1 100 ' "$work/head"; then
        echo "curl.sh: no 100 before the answer" >&2
        exit 1
    fi
}

# member NAME: the text of the first member of that name in $body.
member() {
    sed -n "s/^[^\n]*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" <<<"${body/\"$1\"/$'\n'\"$1\"}" | tail -n1
}

json=application/json
say POST /goals "$json" '{"title": "A bike", "targetAmount": "1200.00", "currency": "USD"}'
echo "create $status $etag $(member title) $(member targetAmount)"
goal=/goals/$(member id)

record() {
    say POST "$goal/transactions" "$json" \
        "{\"transactionType\": \"$1\", \"amount\": \"$2\", \"date\": \"$3\"}"
    echo "record $status $etag $(member transactionType) $(member amount)"
}
for number in 1 2 3 4 5 6; do record income "${number}0.00" "2026-01-0$number"; done
record expense 5.00 2026-01-07

cursor=
while true; do
    ask GET "$goal/transactions?limit=3&sort=-date$cursor"
    amounts=$(grep -oE '"amount":"[^"]*' <<<"$body" | cut -d'"' -f4 | paste -sd' ')
    echo "page $status $amounts"
    next=$(member nextCursor)
    [[ $next != null ]] || break
    cursor="&cursor=$next"
done

patch='{"title": "Велосипед & co", "targetAmount": "1500.00"}'
say PATCH "$goal" application/merge-patch+json "$patch" --header 'If-Match: "1"'
echo "patch $status"
ask GET "$goal"
say PATCH "$goal" application/merge-patch+json "$patch" --header "If-Match: $etag"
echo "patch $status $etag $(member title) $(member targetAmount)"

statistics=$goal/statistics?asOf=2026-02-01
ask GET "$statistics"
echo "statistics $status saved $(member savedAmount) remaining $(member remainingAmount)" \
    "of $(member transactionCount)"
ask GET "$statistics" --header "If-None-Match: $etag"
echo "statistics $status"

ask DELETE "$goal"
echo "delete $status"
ask GET "$goal"
echo "show $status $(member code)"

if [[ $manner != http1.0 ]]; then
    connects=$(curl --silent --write-out '%{num_connects} ' "$url/livez" --output /dev/null \
        --next --silent --write-out '%{num_connects}' "$url/livez" --output /dev/null)
    if [[ $connects != "1 0" ]]; then
        echo "curl.sh: two requests opened connections: $connects" >&2
        exit 1
    fi
fi
