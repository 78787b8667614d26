import Foundation
import Server
import XCTest

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The walk through the API of the clients in `Tests/Clients`, made by Foundation's own.
final class URLSessionTests: APITestCase {
    func testSeesWhatTheOtherClientsSee() async throws {
        let server = try Server(ServerConfiguration(), responder: application)
        server.start()
        let session = URLSession(configuration: .ephemeral)

        let lines = try await Walk(session: session, port: server.port).lines()

        session.invalidateAndCancel()
        XCTAssertTrue(server.stop(within: 10))
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Clients/expected.txt")
        XCTAssertEqual(
            lines.joined(separator: "\n") + "\n",
            try String(contentsOf: file, encoding: .utf8)
        )
    }
}

/// What a client does, and says of each step.
private struct Walk {
    let session: URLSession
    let port: UInt16

    private struct Answer {
        let status: Int
        let etag: String
        let json: JSONTree

        subscript(_ name: String) -> String {
            json[name]?.text ?? json[name]?.number.map { String(Int($0)) } ?? ""
        }
    }

    func lines() async throws -> [String] {
        var lines: [String] = []
        let created = try await say(
            "POST",
            "/goals",
            #"{"title": "A bike", "targetAmount": "1200.00", "currency": "USD"}"#
        )
        lines.append(
            "create \(created.status) \(created.etag) \(created["title"]) \(created["targetAmount"])"
        )
        let goal = "/goals/\(created["id"])"
        lines += try await record(in: goal)
        lines += try await listPages(of: goal)
        lines += try await patch(goal)
        lines += try await report(on: goal)

        lines.append("delete \(try await ask("DELETE", goal).status)")
        let gone = try await ask("GET", goal)
        lines.append("show \(gone.status) \(gone["code"])")
        return lines
    }

    private func record(in goal: String) async throws -> [String] {
        var lines: [String] = []
        for number in 1...7 {
            let (type, amount) = number == 7 ? ("expense", "5.00") : ("income", "\(number)0.00")
            let made = try await say(
                "POST",
                "\(goal)/transactions",
                #"{"transactionType": "\#(type)", "amount": "\#(amount)", "#
                    + #""date": "2026-01-0\#(number)"}"#
            )
            lines.append(
                "record \(made.status) \(made.etag) \(made["transactionType"]) \(made["amount"])"
            )
        }
        return lines
    }

    private func listPages(of goal: String) async throws -> [String] {
        var lines: [String] = []
        var cursor = ""
        repeat {
            let query = "limit=3&sort=-date" + (cursor.isEmpty ? "" : "&cursor=\(cursor)")
            let page = try await ask("GET", "\(goal)/transactions?\(query)")
            let amounts = (page.json["items"]?.items ?? []).map { $0["amount"]?.text ?? "" }
            lines.append("page \(page.status) \(amounts.joined(separator: " "))")
            cursor = page["nextCursor"]
        } while !cursor.isEmpty
        return lines
    }

    private func patch(_ goal: String) async throws -> [String] {
        let patch = #"{"title": "Велосипед & co", "targetAmount": "1500.00"}"#
        let refused = try await say("PATCH", goal, patch, [("If-Match", #""1""#)])
        let etag = try await ask("GET", goal).etag
        let changed = try await say("PATCH", goal, patch, [("If-Match", etag)])
        return [
            "patch \(refused.status)",
            "patch \(changed.status) \(changed.etag) \(changed["title"]) \(changed["targetAmount"])",
        ]
    }

    private func report(on goal: String) async throws -> [String] {
        let path = "\(goal)/statistics?asOf=2026-02-01"
        let report = try await ask("GET", path)
        let again = try await ask("GET", path, [("If-None-Match", report.etag)])
        return [
            "statistics \(report.status) saved \(report["savedAmount"]) "
                + "remaining \(report["remainingAmount"]) of \(report["transactionCount"])",
            "statistics \(again.status)",
        ]
    }

    private func say(
        _ method: String,
        _ path: String,
        _ body: String,
        _ fields: [(String, String)] = []
    ) async throws -> Answer {
        let type = method == "PATCH" ? "application/merge-patch+json" : "application/json"
        return try await ask(method, path, fields + [("Content-Type", type)], body: body)
    }

    private func ask(
        _ method: String,
        _ path: String,
        _ fields: [(String, String)] = [],
        body: String? = nil
    ) async throws -> Answer {
        var request = URLRequest(url: try XCTUnwrap(URL(string: "http://127.0.0.1:\(port)\(path)")))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        // A cache of the client's own would answer for the server.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await session.data(for: request)
        let answer = try XCTUnwrap(response as? HTTPURLResponse)
        return Answer(
            status: answer.statusCode,
            etag: answer.value(forHTTPHeaderField: "ETag") ?? "",
            json: data.isEmpty ? .null : try JSONTree(json: Array(data))
        )
    }
}
