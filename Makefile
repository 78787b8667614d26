# The gate: what a change must pass, here as in CI.
check: lint openapi-check strict test

# The program, with Swift's libraries in it: .build/release/goalpost
build:
	swift build -c release --product goalpost --static-swift-stdlib

test:
	swift test --disable-swift-testing

# Warnings count as errors, and so does an import that the manifest does not declare. It has a
# folder of its own, since other flags would make the next `swift test` build all over again.
strict:
	swift build --build-tests --scratch-path .build/strict -Xswiftc -warnings-as-errors \
		--explicit-target-dependency-import-check error

# For changes in Sockets, Server, SQLite and Store.
test-threads:
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-sanitizer.supp" \
		swift test --disable-swift-testing --scratch-path .build/threads --sanitize thread

# Leaks are looked for in the program alone: of the tests, XCTest keeps the instances to the end, and
# the sanitizer does not follow references that an enumeration has packed with its case.
test-addresses:
	ASAN_OPTIONS=detect_leaks=0 \
		swift test --disable-swift-testing --scratch-path .build/addresses --sanitize address
	Scripts/smoke.sh .build/addresses/debug/goalpost

lint:
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Fuzzing Examples

format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests Fuzzing Examples

# Writes the copy of openapi.yaml that the program carries.
openapi:
	Scripts/embed-openapi.sh

openapi-check:
	Scripts/embed-openapi.sh --check

# Starts the built program and asks it for real.
smoke: build
	Scripts/smoke.sh .build/release/goalpost

# A client that one can copy from, against the built program and a bad network.
example: build
	GOALPOST_PROGRAM="$(CURDIR)/.build/release/goalpost" swift test --disable-swift-testing \
		--package-path Examples/OfflineClient -Xswiftc -warnings-as-errors

.PHONY: check build test strict test-threads test-addresses lint format openapi openapi-check smoke \
	example
