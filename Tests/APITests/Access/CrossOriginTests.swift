import Foundation
import HTTP
import XCTest

@testable import API

final class CrossOriginTests: APITestCase {
    private let page = "https://app.example.org"

    override func settings() throws -> APISettings {
        APISettings(
            currency: currency("USD"),
            timeZone: try XCTUnwrap(Zones().zone(named: "UTC")),
            crossOrigins: try XCTUnwrap(CrossOrigins("\(page), capacitor://localhost"))
        )
    }

    func testTellsABrowserWhatAPageMayAsk() async throws {
        let response = try await api.send(
            .options,
            "/goals",
            headers: ["Origin": page, "Access-Control-Request-Method": "POST"]
        )

        XCTAssertEqual(response.status, .noContent)
        XCTAssertEqual(
            fields(response),
            [
                "access-control-allow-headers":
                    "authorization, content-type, if-match, if-none-match, idempotency-key, "
                    + "last-event-id, x-request-id",
                "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE",
                "access-control-allow-origin": page,
                "access-control-expose-headers":
                    "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, "
                    + "Idempotent-Replayed, X-Request-Id",
                "access-control-max-age": "7200",
                "vary": "Origin",
            ]
        )
        XCTAssertEqual(response.headers[.allow], "GET, HEAD, POST, OPTIONS")
    }

    func testLetsAPageReadAnswersAndProblems() async throws {
        let created = try await api.post(
            "/goals",
            #"{"title": "Bike"}"#,
            headers: [.contentType: "application/json", "Origin": page]
        )
        XCTAssertEqual(created.status, .created)
        let responses = [
            created,
            try await get("/goals", headers: ["Origin": page]),
            try await get("/goals?nonsense=1", headers: ["Origin": page]),
            try await get("/nowhere", headers: ["Origin": page]),
            try await get(
                "/goals/\(UUID())",
                headers: ["Origin": page]
            ),
            try await api.send(.put, "/goals", headers: ["Origin": page]),
            try await api.send(.options, "/goals", headers: ["Origin": page]),
        ]

        for response in responses {
            XCTAssertEqual(response.headers["Access-Control-Allow-Origin"], page)
            XCTAssertEqual(response.headers["Vary"], "Origin")
            XCTAssertNotNil(response.headers["Access-Control-Expose-Headers"])
            XCTAssertNil(response.headers["Access-Control-Allow-Credentials"])
        }
    }

    func testLetsAPageReadThatThereIsNothing() async throws {
        let preflight = try await api.send(
            .options,
            "/nowhere",
            headers: ["Origin": page, "Access-Control-Request-Method": "GET"]
        )

        XCTAssertEqual(preflight.status, .noContent)
        XCTAssertNil(preflight.headers[.allow])
        try XCTAssertProblem(await api.send(.options, "/nowhere"), .notFound)
    }

    func testSaysNothingToOtherPages() async throws {
        for origin in [
            "https://evil.example.org", "https://app.example.org.evil.org", "null", "",
            "HTTPS://APP.EXAMPLE.ORG", "https://app.example.org:8443", "http://app.example.org",
            "*",
        ] {
            let responses = [
                try await get("/goals", headers: ["Origin": origin]),
                try await api.send(
                    .options,
                    "/goals",
                    headers: ["Origin": origin, "Access-Control-Request-Method": "POST"]
                ),
            ]
            for response in responses {
                XCTAssertEqual(fields(response), ["vary": "Origin"], origin)
            }
        }
        let plain = try await get("/goals")
        XCTAssertEqual(fields(plain), ["vary": "Origin"])
    }

    func testTellsMistakesInTheList() {
        for good in [
            "*", "https://a.example", "http://localhost:3000", "capacitor://localhost",
            "https://a.example,https://b.example", "https://a.example , https://b.example",
            "http://127.0.0.1:8080", "http://[::1]:8080", "http://[::1]", "https://a.example:80",
            "tauri://localhost", "chrome-extension://abcdefghijklmnop",
        ] {
            XCTAssertNotNil(CrossOrigins(good), good)
        }
        for bad in [
            "", " ", ",", "https://a.example,", "*,https://a.example", "https://*.example", "null",
            "a.example", "https://", "https://a.example/", "https://a.example/app",
            "https://A.example", "HTTPS://a.example", "https://a.example:443",
            "http://a.example:80",
            "https://a.example:0", "https://a.example:65536", "https://a.example:", "https://a:b:1",
            "https://user@a.example", "https://a.example:08", "https://[::1", "https://a.example?x",
            "https://a.example https://b.example", "1https://a.example", "https://ä.example",
        ] {
            XCTAssertNil(CrossOrigins(bad), bad)
        }
    }
}

final class AnyOriginTests: APITestCase {
    override func settings() throws -> APISettings {
        APISettings(
            currency: currency("USD"),
            timeZone: try XCTUnwrap(Zones().zone(named: "UTC")),
            crossOrigins: try XCTUnwrap(CrossOrigins("*"))
        )
    }

    func testLetsEveryPageReadTheSame() async throws {
        let response = try await get("/goals", headers: ["Origin": "https://any.example"])

        XCTAssertEqual(response.headers["Access-Control-Allow-Origin"], "*")
        XCTAssertNil(response.headers["Vary"], "The answer is the same for all")
        let plain = try await get("/goals")
        XCTAssertEqual(fields(plain), [:], "Who is no browser needs none")
    }
}

final class NoOriginTests: APITestCase {
    func testSaysNothingOfOriginsByDefault() async throws {
        let response = try await get("/goals", headers: ["Origin": "https://any.example"])
        let preflight = try await api.send(
            .options,
            "/goals",
            headers: ["Origin": "https://any.example", "Access-Control-Request-Method": "POST"]
        )

        XCTAssertEqual(fields(response), [:])
        XCTAssertEqual(fields(preflight), [:])
    }
}

/// The fields of a response that are for browsers.
private func fields(_ response: Response) -> [String: String] {
    var fields: [String: String] = [:]
    for (name, value) in response.headers {
        // Some who pass an answer on write the names in lower case.
        let name = name.description.lowercased()
        if name.hasPrefix("access-control") || name == "vary" { fields[name] = value }
    }
    return fields
}
