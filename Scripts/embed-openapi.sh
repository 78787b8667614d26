#!/usr/bin/env bash
# Writes Sources/API/OpenAPIDocument.swift, the copy of openapi.yaml that the program carries.
#
#   Scripts/embed-openapi.sh            writes the file
#   Scripts/embed-openapi.sh --check    says whether it is up to date, and changes nothing
set -euo pipefail
cd "$(dirname "$0")/.."

source=openapi.yaml
target=Sources/API/OpenAPIDocument.swift

# In a raw string only these two would not stand for themselves.
if grep -nE '"""#|\\#' "$source"; then
    echo "$source: the lines above cannot stand in a raw string literal" >&2
    exit 1
fi

generate() {
    cat <<'HEADER'
// swift-format-ignore-file
// Generated from openapi.yaml by Scripts/embed-openapi.sh: edit that file, and run `make openapi`.

/// The contract, as it stands in `openapi.yaml`.
enum OpenAPIDocument {
    static let text = #"""
HEADER
    cat "$source"
    # The line break before the closing quotes is not part of the literal; this one is the file's.
    printf '\n"""#\n}\n'
}

if [[ "${1:-}" == --check ]]; then
    if ! generate | cmp -s - "$target"; then
        echo "$target is not up to date with $source: run \`make openapi\`" >&2
        exit 1
    fi
else
    generate >"$target.new"
    mv "$target.new" "$target"
fi
