import HTTP
import XCTest

@testable import API

/// A server without tokens, which a web page must not reach under a name of its own.
final class ForeignHostTests: AccessTestCase {
    override func access() throws -> AccessSettings {
        var settings = try super.access()
        settings.opensToEveryHost = false
        return settings
    }

    func testAnswersToThisMachinesOwnNamesAlone() async throws {
        for host in [
            "localhost", "LOCALHOST:8080", "127.0.0.1:1", "127.1.2.3", "[::1]", "[::1]:80",
        ] {
            XCTAssertEqual(try answer(to: host).status, .ok, host)
        }
        for host in [
            "evil.example", "evil.example:8080", "10.0.0.1", "[::2]", "localhost.evil.example",
        ] {
            let response = try answer(to: host)
            XCTAssertEqual(response.status, .forbidden, host)
            XCTAssertEqual(try response.json["code"], .string("foreign-host"))
        }
        XCTAssertEqual(try answer(to: "evil.example", for: "/livez").status, .ok)
    }

    func testAnswersToEveryNameWhereTokensAreAskedFor() async throws {
        let (_, headers) = try await makeToken()

        XCTAssertEqual(try answer(to: "goals.example", headers: headers).status, .ok)
        XCTAssertEqual(try answer(to: "goals.example").status, .unauthorized)
    }

    /// What the application itself answers: a client over a socket has a host already.
    private func answer(
        to host: String,
        for target: String = "/goals",
        headers: HeaderFields = [:]
    ) throws -> Response {
        var headers = headers
        headers.append(host, for: .host)
        let request = Request(.get, target, headers: headers)
        guard case .ready(let response) = application.respond(to: request) else {
            XCTFail("\(target) has no answer at once")
            return Response(.internalServerError)
        }
        return response
    }
}
