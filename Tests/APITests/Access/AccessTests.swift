import Goals
import HTTP
import Sockets
import Store
import Synchronization
import XCTest

@testable import API

/// A test of who is let in, with an account besides the default one.
class AccessTestCase: APITestCase {
    /// How many hashes were calculated.
    let hashes = Count()

    final class Count: Sendable {
        private let number = Mutex(0)

        var value: Int { number.withLock { $0 } }

        func increment() {
            number.withLock { $0 += 1 }
        }
    }

    override func settings() throws -> APISettings {
        APISettings(
            currency: currency("USD"),
            timeZone: try XCTUnwrap(Zones().zone(named: "UTC")),
            access: try access()
        )
    }

    /// What the owner of the server has decided on who is let in; some tests decide otherwise.
    func access() throws -> AccessSettings {
        AccessSettings { [hashes] secret, setting in
            hashes.increment()
            return SecretHash.hash(secret, as: setting)
        }
    }

    func label(_ text: String) throws -> Label {
        try XCTUnwrap(Label(text))
    }

    /// Makes a token, and the fields of a request that shows it.
    func makeToken(
        for account: String = "default",
        isReadOnly: Bool = false,
        days: Int? = nil
    ) async throws -> (token: AccessToken, headers: HeaderFields) {
        var generator = SystemRandomNumberGenerator()
        let token = AccessToken(using: &generator)
        let new = NewToken(
            id: token.id,
            secretHash: SecretHash.make(of: token.secretText),
            name: nil,
            isReadOnly: isReadOnly,
            days: days
        )
        let label = try label(account)
        try await store.changeAccess { try $0.addToken(new, for: label) }
        return (token, bearer(token.text))
    }

    func bearer(_ text: String) -> HeaderFields {
        [.authorization: "Bearer \(text)"]
    }

    func assertUnauthorized(
        _ response: Response,
        isInvalid: Bool = true,
        file: StaticString = #filePath,
        line: UInt = #line
    ) throws {
        try XCTAssertProblem(response, .unauthorized, file: file, line: line)
        XCTAssertEqual(
            response.headers["WWW-Authenticate"],
            #"Bearer realm="goalpost""# + (isInvalid ? #", error="invalid_token""# : ""),
            file: file,
            line: line
        )
    }
}

/// An id that no goal has.
private let somebodysGoal = "0199a000-0000-7000-8000-000000000001"

final class AccessTests: AccessTestCase {
    func testServesTheDefaultAccountToEverybodyUntilThereIsAToken() async throws {
        try XCTAssertResponse(await get("/goals"), .ok)
        try XCTAssertResponse(await get("/goals", headers: bearer("anything")), .ok)

        let (_, headers) = try await makeToken()

        try assertUnauthorized(await get("/goals"), isInvalid: false)
        try assertUnauthorized(await get("/goals", headers: bearer("anything")))
        try XCTAssertResponse(await get("/goals", headers: headers), .ok)
    }

    func testAsksForATokenForEverythingButWhatAnybodyMaySee() async throws {
        _ = try await makeToken()
        var open: [String] = []
        for route in Router.api.routes {
            let path = route.pattern.text.split(separator: "/").map { segment in
                segment.hasPrefix(":") ? "/\(somebodysGoal)" : "/\(segment)"
            }.joined()
            let response = try await api.send(route.method, path)
            if route.handler.isOpen {
                open.append(path)
                XCTAssertEqual(response.status, .ok, path)
            } else {
                try assertUnauthorized(response, isInvalid: false)
            }
        }

        XCTAssertEqual(Set(open), ["/livez", "/readyz", "/healthz", "/openapi.yaml"])
    }

    func testTheContractSaysWhatNeedsAToken() throws {
        let contract = try Contract.shared.get()
        for route in Router.api.routes {
            let path = route.pattern.text
            let operation = try XCTUnwrap(contract.operation(route.method.rawValue, path), path)
            let statuses = operation.description["responses"]?.members ?? [:]
            let isOpen = route.handler.isOpen

            XCTAssertEqual(operation.description["security"], isOpen ? .array([]) : nil, path)
            XCTAssertEqual(statuses["401"] == nil, isOpen, path)
            XCTAssertEqual(statuses["429"] == nil, isOpen, path)
            XCTAssertEqual(statuses["403"] == nil, isOpen || route.method == .get, path)
        }
    }

    func testTakesTheSchemeInEitherCaseAndNoOther() async throws {
        let (token, _) = try await makeToken()

        for scheme in ["Bearer ", "bearer ", "BEARER ", "Bearer   "] {
            let response = try await get(
                "/goals",
                headers: [.authorization: scheme + token.text]
            )
            XCTAssertEqual(response.status, .ok, scheme)
        }
        for value in [
            "Basic \(token.text)", token.text, "", "Bearers \(token.text)", "Token \(token.text)",
        ] {
            try assertUnauthorized(
                await get("/goals", headers: [.authorization: value]),
                isInvalid: false
            )
        }
        for value in [
            "Bearer", "Bearer ", "Bearer \(token.text) x", "Bearer \(token.text),",
            "Bearer \"\(token.text)\"", "Bearer\t\(token.text)x",
        ] {
            let response = try await get("/goals", headers: [.authorization: value])
            XCTAssertEqual(response.status, .unauthorized, value)
        }
        var twice = bearer(token.text)
        twice.append("Bearer \(token.text)", for: .authorization)
        try XCTAssertProblem(
            await get("/goals", headers: twice),
            .malformedHeader,
            detail: "Authorization is there more than once."
        )
    }

    func testHashesASecretOnce() async throws {
        let (_, headers) = try await makeToken()
        for _ in 0..<10 {
            try XCTAssertResponse(await get("/goals", headers: headers), .ok)
        }
        XCTAssertEqual(hashes.value, 1)

        // What the token may do is read anew after a change; its secret is the same for ever.
        _ = try await makeToken()
        for _ in 0..<10 {
            try XCTAssertResponse(await get("/goals", headers: headers), .ok)
        }
        XCTAssertEqual(hashes.value, 1)
    }

    func testARevokedTokenIsGoodForNothingFromThenOn() async throws {
        let (token, headers) = try await makeToken()
        try XCTAssertResponse(await get("/goals", headers: headers), .ok)

        try await store.changeAccess { try $0.revokeToken(token.id) }

        try assertUnauthorized(await get("/goals", headers: headers))
        try assertUnauthorized(await get("/goals"), isInvalid: false)
    }

    func testATokenExpiresToTheMillisecond() async throws {
        let (_, headers) = try await makeToken(days: 1)
        try XCTAssertResponse(await get("/goals", headers: headers), .ok)
        clock.advance(byMilliseconds: 86_400_000 - 1)
        try XCTAssertResponse(await get("/goals", headers: headers), .ok)

        clock.advance(byMilliseconds: 1)

        try assertUnauthorized(await get("/goals", headers: headers))
    }

    func testADisabledAccountIsClosedUntilItIsEnabled() async throws {
        let anna = try label("Anna")
        try await store.changeAccess { _ = try $0.addAccount(anna) }
        let (_, headers) = try await makeToken(for: "Anna")
        try XCTAssertResponse(await get("/goals", headers: headers), .ok)

        try await store.changeAccess { try $0.setDisabled(true, anna) }
        try assertUnauthorized(await get("/goals", headers: headers))

        try await store.changeAccess { try $0.setDisabled(false, anna) }
        try XCTAssertResponse(await get("/goals", headers: headers), .ok)
    }

    func testADisabledDefaultAccountIsServedToNobody() async throws {
        try XCTAssertResponse(await get("/goals"), .ok)
        let name = try label("default")

        try await store.changeAccess { try $0.setDisabled(true, name) }

        try assertUnauthorized(await get("/goals"), isInvalid: false)
    }

    func testATokenForReadingChangesNothing() async throws {
        let (_, headers) = try await makeToken(isReadOnly: true)
        let goal = "/goals/\(somebodysGoal)"
        try XCTAssertResponse(await get("/goals", headers: headers), .ok)
        let head = try await api.send(.head, "/goals", headers: headers)
        XCTAssertEqual(head.status, .ok)

        for (method, path) in [
            (HTTP.Method.post, "/goals"), (.patch, goal), (.delete, goal),
            (.post, goal + "/transactions"), (.patch, goal + "/transactions/1"),
            (.delete, goal + "/transactions/1"),
        ] {
            var headers = headers
            headers.append("application/json", for: .contentType)
            let response = try await api.send(
                method,
                path,
                body: method == .delete ? [] : Array(#"{"title": "x"}"#.utf8),
                headers: headers
            )
            try XCTAssertProblem(
                response,
                .insufficientScope,
                detail: "The access token is for reading alone."
            )
            XCTAssertEqual(
                response.headers["WWW-Authenticate"],
                #"Bearer realm="goalpost", error="insufficient_scope""#
            )
        }
    }

    func testOnlyTheRightSecretLetsIn() async throws {
        let (token, headers) = try await makeToken()
        // Before the token is remembered, and after.
        for isRemembered in [false, true] {
            if isRemembered { try XCTAssertResponse(await get("/goals", headers: headers), .ok) }
            for bit in [0, 100, 255] {
                var words: [UInt64] = [0, 0, 0, 0]
                words[bit / 64] = 1 << UInt64(bit % 64)
                let secret = Secret(words: (words[0], words[1], words[2], words[3]))
                let other = AccessToken(id: token.id, secret: secret)
                try assertUnauthorized(await get("/goals", headers: bearer(other.text)))
            }
        }
        try XCTAssertResponse(await get("/goals", headers: headers), .ok)
    }

    func testWhoGoesOnFailingIsPutOffAndNobodyElse() async throws {
        let (token, headers) = try await makeToken()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<FailedLogins.mostFailures {
            let wrong = AccessToken(using: &generator)
            try assertUnauthorized(await get("/goals", headers: bearer(wrong.text)))
        }

        let wrong = AccessToken(using: &generator)
        let putOff = try await get("/goals", headers: bearer(wrong.text))
        try XCTAssertProblem(putOff, .rateLimited)
        XCTAssertEqual(putOff.headers["Retry-After"], "60")
        XCTAssertEqual(hashes.value, 0, "What nobody has takes no hash")

        // From the same address, and never verified before.
        try XCTAssertResponse(await get("/goals", headers: headers), .ok)

        // Who knows an id but not its secret makes the server hash only so often.
        let guess = AccessToken(id: token.id, secret: wrong.secret)
        for _ in 0..<(3 * FailedLogins.mostFailures) {
            try XCTAssertProblem(await get("/goals", headers: bearer(guess.text)), .rateLimited)
        }
        XCTAssertEqual(hashes.value, 1 + FailedLogins.mostFailures)
        try XCTAssertResponse(await get("/goals", headers: headers), .ok)

        clock.advance(byMilliseconds: 60_000)
        try assertUnauthorized(await get("/goals", headers: bearer(wrong.text)))
    }

    func testWhoHasATokenThatWasRevokedCostsNoHashes() async throws {
        let (token, headers) = try await makeToken()
        try await store.changeAccess { try $0.revokeToken(token.id) }

        for _ in 0..<(3 * FailedLogins.mostFailures) {
            try assertUnauthorized(await get("/goals", headers: headers))
        }

        XCTAssertEqual(hashes.value, 1)
    }

    func testNoAnswerHasTheSecret() async throws {
        let (token, headers) = try await makeToken(isReadOnly: true)
        let responses = [
            try await get("/goals", headers: headers),
            try await api.send(.post, "/goals", headers: headers),
            try await get("/goals", headers: bearer(token.text + "x")),
        ]
        for response in responses {
            XCTAssertFalse(response.text.contains(token.secretText))
            for (_, value) in response.headers {
                XCTAssertFalse(value.contains(token.secretText))
            }
        }
    }

    func testKnowsWhetherSomebodyIsStillLetIn() async throws {
        let access = Access(store, settings: try access(), now: { [clock] in clock.moment })
        let anybody = Caller(account: .default, key: .none)
        XCTAssertTrue(try access.isGood(anybody))
        let (token, headers) = try await makeToken(days: 1)
        let (other, _) = try await makeToken()
        XCTAssertFalse(try access.isGood(anybody))
        let caller = try access.admit(Request(.get, "/goals", headers: headers)).caller
        XCTAssertEqual(caller, Caller(account: .default, key: .token(token.id)))

        for caller in [caller, Caller(account: .default, key: .token(other.id))] {
            XCTAssertTrue(try access.isGood(caller))
        }
        try await store.changeAccess { try $0.revokeToken(other.id) }
        XCTAssertFalse(try access.isGood(Caller(account: .default, key: .token(other.id))))
        XCTAssertTrue(try access.isGood(caller))
        clock.advance(byMilliseconds: 86_400_000)
        XCTAssertFalse(try access.isGood(caller))
    }
}

final class FixedTokenTests: AccessTestCase {
    private let text = "a-fixed-token-of-more-than-32-characters"

    override func access() throws -> AccessSettings {
        var access = try super.access()
        access.fixedToken = try XCTUnwrap(FixedToken(text))
        return access
    }

    func testIsNeededEvenIfThereIsNoOther() async throws {
        try assertUnauthorized(await get("/goals"), isInvalid: false)
        try assertUnauthorized(await get("/goals", headers: bearer(text + "x")))
        try XCTAssertResponse(await get("/goals", headers: bearer(text)), .ok)
        let response = try await api.post(
            "/goals",
            #"{"title": "Bike"}"#,
            headers: [
                .authorization: "Bearer \(text)", .contentType: "application/json",
            ]
        )
        XCTAssertEqual(response.status, .created)
    }

    func testStandsBesideOthersOfTheDefaultAccount() async throws {
        let (_, headers) = try await makeToken()
        let path = try await api.post(
            "/goals",
            #"{"title": "Bike"}"#,
            headers: [
                .authorization: "Bearer \(text)", .contentType: "application/json",
            ]
        ).headers[.location]

        try XCTAssertResponse(await get(XCTUnwrap(path), headers: headers), .ok)
    }

    func testLetsNobodyIntoADisabledAccount() async throws {
        let name = try label("default")

        try await store.changeAccess { try $0.setDisabled(true, name) }

        try assertUnauthorized(await get("/goals", headers: bearer(text)))
    }
}

final class RequestLimitTests: AccessTestCase {
    override func access() throws -> AccessSettings {
        var access = try super.access()
        access.requestsPerMinute = 2
        return access
    }

    func testEachTokenHasItsOwnBudget() async throws {
        let (_, first) = try await makeToken()
        let (_, second) = try await makeToken()

        let responses = [
            try await get("/goals", headers: first),
            try await get("/goals?limit=0", headers: first),
            try await get("/goals", headers: first), try await get("/goals", headers: second),
        ]

        XCTAssertEqual(responses.map(\.status.code), [200, 400, 429, 200])
        XCTAssertEqual(
            responses.map { $0.headers["RateLimit"] },
            [
                #""token";r=1;t=30"#, #""token";r=0;t=60"#, #""token";r=0;t=60"#,
                #""token";r=1;t=30"#,
            ]
        )
        for response in responses {
            XCTAssertEqual(response.headers["RateLimit-Policy"], #""token";q=2;w=60"#)
        }
        try XCTAssertProblem(
            responses[2],
            .rateLimited,
            detail: "This access token may make 2 requests a minute. Try again in 30 s."
        )
        XCTAssertEqual(responses[2].headers["Retry-After"], "30")

        clock.advance(byMilliseconds: 30_000)
        try XCTAssertResponse(await get("/goals", headers: first), .ok)
    }

    func testThoseWithoutATokenShareOne() async throws {
        let statuses = [
            try await get("/goals").status, try await get("/livez").status,
            try await get("/goals").status, try await get("/goals").status,
            try await get("/livez").status,
        ]

        XCTAssertEqual(statuses.map(\.code), [200, 200, 200, 429, 200])
    }
}
