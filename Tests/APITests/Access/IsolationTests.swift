import Foundation
import Goals
import HTTP
import Sockets
import Store
import Synchronization
import TestRandom
import XCTest

@testable import API

/// No account can find out that another one has anything, whatever it asks.
///
/// There are two worlds that begin the same. In both, Ben makes the same requests; in the one, Anna goes
/// about her goals between them. Ben's requests use all that Anna has: her ids, entity tags, cursors, and
/// keys. If his answers are the same in both worlds, to the byte, then nothing of hers has crossed.
///
/// The requests are made up from the table of routes and the contract, so that a new route is tried
/// without anybody's thinking of it. `GOALPOST_TEST_ISOLATION_SECONDS` lets it go on for as long.
final class IsolationTests: XCTestCase {
    func testNothingCrosses() async throws {
        let variable = ProcessInfo.processInfo.environment["GOALPOST_TEST_ISOLATION_SECONDS"]
        let end = variable.flatMap(Double.init).map { Date.now.addingTimeInterval($0) }
        var seed: UInt64 = 0
        var tried: [String: Int] = [:]
        repeat {
            seed += 1
            try await play(seed: seed, &tried)
        } while end.map { Date.now < $0 } ?? (seed < 2)

        let routes = Router.api.routes.map { "\($0.method.rawValue) \($0.pattern.text)" }
        for route in routes {
            XCTAssertGreaterThan(tried[route] ?? 0, 3, "\(route) was hardly tried")
        }
    }

    func testTheTestWouldSeeACrossing() async throws {
        // Somebody asks with Anna's token, who has a goal in one of the worlds.
        let (crowded, empty) = try await worlds()
        let created = try await crowded.send(
            Request(
                .post,
                "/goals",
                headers: [.contentType: "application/json"],
                body: Array(#"{"title": "Bike"}"#.utf8)
            ),
            as: "Anna"
        )
        XCTAssertEqual(created.status, .created)
        let request = Request(.get, "/goals", headers: try XCTUnwrap(crowded.tokens["Anna"]))

        let answers = (await crowded.send(request), await empty.send(request))

        XCTAssertNotEqual(answers.0, answers.1)
        crowded.close()
        empty.close()
    }

    private func play(seed: UInt64, _ tried: inout [String: Int]) async throws {
        var random = SplitMix64(seed: seed)
        let (crowded, empty) = try await worlds()
        defer {
            crowded.close()
            empty.close()
        }
        var annas = Finds()
        var bens = Finds()
        for step in 0..<(30 * Router.api.routes.count) {
            let route = Router.api.routes[Int.random(in: Router.api.routes.indices, using: &random)]
            if Bool.random(using: &random) {
                let hers = try MadeUp(route.method, route.pattern.text, for: annas, &random)
                annas.add(hers, try await crowded.send(hers.request, as: "Anna"))
                continue
            }
            let known = Bool.random(using: &random) ? annas : bens
            let his = try MadeUp(route.method, route.pattern.text, for: known, &random)
            let answer = try await crowded.send(his.request, as: "Ben")
            let expected = try await empty.send(his.request, as: "Ben")
            bens.add(his, answer)
            tried["\(route.method.rawValue) \(route.pattern.text)", default: 0] += 1
            guard answer != expected else { continue }
            return XCTFail(
                """
                Seed \(seed), step \(step): \(his)
                \(answer.status) \(Array(answer.headers)) \(answer.text)
                rather than
                \(expected.status) \(Array(expected.headers)) \(expected.text)
                """
            )
        }
        XCTAssertGreaterThan(annas.ids.count, 10)
        XCTAssertGreaterThan(bens.ids.count, 10)
    }

    /// Two worlds with the same accounts, tokens and histories, and no goals yet.
    private func worlds() async throws -> (World, World) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        addTeardownBlock { try FileManager.default.removeItem(atPath: folder) }
        var tokens: [String: HeaderFields] = [:]
        do {
            let book = try AccountBook(
                ofFileAt: folder + "/a.sqlite",
                now: { .testStart },
                notice: { _ in }
            )
            for name in ["Anna", "Ben"] {
                let label = try XCTUnwrap(Label(name))
                var generator = SystemRandomNumberGenerator()
                let token = AccessToken(using: &generator)
                let new = NewToken(
                    id: token.id,
                    secretHash: SecretHash.make(of: token.secretText),
                    name: nil,
                    isReadOnly: false,
                    days: nil
                )
                try book.change { try $0.addAccount(label) }
                try book.change { try $0.addToken(new, for: label) }
                tokens[name] = [.authorization: "Bearer \(token.text)"]
            }
        }
        try FileManager.default.copyItem(
            atPath: folder + "/a.sqlite",
            toPath: folder + "/b.sqlite"
        )
        return (
            try World(folder + "/a.sqlite", tokens), try World(folder + "/b.sqlite", tokens)
        )
    }
}

/// A server with its own store; its clock stands still.
private final class World {
    let tokens: [String: HeaderFields]

    private let store: GoalStore
    private let connector: DirectConnector
    private let numbers = Numbers()

    init(_ path: String, _ tokens: [String: HeaderFields]) throws {
        self.tokens = tokens
        let numbers = numbers
        store = try GoalStore(at: .file(path), now: { .testStart })
        connector = DirectConnector(
            application: Application(
                store: store,
                settings: APISettings(
                    currency: currency("USD"),
                    timeZone: try XCTUnwrap(Zones().zone(named: "UTC")),
                    access: AccessSettings { SecretHash.hash($0, as: $1) }
                ),
                now: { .testStart },
                report: { error, _ in XCTFail("\(error)") },
                random: { numbers.next() }
            )
        )
    }

    func send(_ request: Request, as name: String) async throws -> Response {
        numbers.select(name)
        var headers = request.headers
        headers[.authorization] = try XCTUnwrap(tokens[name]?[.authorization])
        let query = request.query.map { "?" + $0 } ?? ""
        return await send(
            Request(request.method, request.path + query, headers: headers, body: request.body)
        )
    }

    func send(_ request: Request) async -> Response {
        await connector.send(request)
    }

    func close() {
        store.close()
    }

    /// Numbers in a row for each account, so that those of one do not depend on the other.
    private final class Numbers: Sendable {
        private let state = Mutex((name: "", counts: [String: UInt64]()))

        func select(_ name: String) {
            state.withLock { $0.name = name }
        }

        func next() -> UInt64 {
            state.withLock { state in
                state.counts[state.name, default: 0] += 1
                let first: UInt64 = state.name == "Anna" ? 1 << 40 : 0
                return first + (state.counts[state.name] ?? 0)
            }
        }
    }
}

// MARK: - Requests

/// What an account has been told, that another could try.
private struct Finds {
    var ids: [String] = []
    var tags: [String] = []

    /// Cursors, and places in the order of changes.
    var places: [String] = []
    var keys: [String] = []

    /// Takes down what a request and its answer have in them.
    mutating func add(_ request: MadeUp, _ response: Response) {
        keys += request.key.map { [$0] } ?? []
        tags += response.headers[.eTag].map { [$0] } ?? []
        let id = #/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/#
        let text = "\(request.request.path) \(response.text)"
        for match in text.matches(of: id) where !ids.contains(String(match.output)) {
            ids.append(String(match.output))
        }
        let place = #/"(?:nextCursor|next)":"([^"]+)"/#
        places += response.text.matches(of: place).map { String($0.1) }
        // The latest are the most telling, and the oldest are kept.
        for keyPath in [\Finds.tags, \.places, \.keys] where self[keyPath: keyPath].count > 60 {
            self[keyPath: keyPath].removeSubrange(20..<40)
        }
    }
}

/// A request for a route, of examples that the contract has, and of what somebody has found.
private struct MadeUp: CustomStringConvertible {
    let request: Request
    let key: String?

    var description: String {
        "\(request.method.rawValue) \(request.path)?\(request.query ?? "") "
            + "\(Array(request.headers)) \(String(decoding: request.body, as: UTF8.self))"
    }

    init(
        _ method: HTTP.Method,
        _ pattern: String,
        for finds: Finds,
        _ random: inout SplitMix64
    ) throws {
        let contract = try Contract.shared.get()
        let operation = try XCTUnwrap(contract.operation(method.rawValue, pattern), pattern)
        let path = pattern.split(separator: "/").map { segment in
            segment.hasPrefix(":") ? "/" + MadeUp.id(finds, &random) : "/\(segment)"
        }.joined()
        var headers: HeaderFields = [.xRequestID: "test"]
        var body = ""
        if let content = operation.description["requestBody"]?["content"]?.members,
            let type = content.keys.sorted().randomElement(using: &random)
        {
            let examples = (content[type]?["examples"]?.members ?? [:]).sorted { $0.key < $1.key }
            let example = try XCTUnwrap(examples.randomElement(using: &random)?.value, pattern)
            let value = try XCTUnwrap(contract.checker.target(of: example)["value"], pattern)
            body = MadeUp.replacingIDs(in: value.json, finds, &random)
            headers.append(type, for: .contentType)
        }
        var key: String?
        if method == .post, Bool.random(using: &random) {
            key = finds.keys.randomElement(using: &random) ?? "key-\(random.next() % 20)"
            headers.append(key ?? "", for: "Idempotency-Key")
        }
        for name in [FieldName.ifMatch, .ifNoneMatch] where random.next() % 8 == 0 {
            headers.append(finds.tags.randomElement(using: &random) ?? "*", for: name)
        }
        if random.next() % 8 == 0 {
            headers.append(finds.places.randomElement(using: &random) ?? "x", for: "Last-Event-ID")
        }
        let query = MadeUp.query(operation, finds, &random)
        self.key = key
        request = Request(
            method == .get && random.next() % 8 == 0 ? .head : method,
            path + (query.isEmpty ? "" : "?" + query),
            headers: headers,
            body: Array(body.utf8)
        )
    }

    /// Some of the parameters that the contract knows, with its examples or with what was found.
    private static func query(
        _ operation: Contract.Operation,
        _ finds: Finds,
        _ random: inout SplitMix64
    ) -> String {
        var items: [String] = []
        for parameter in operation.parameters where parameter["in"]?.text == "query" {
            guard random.next() % 4 == 0, let name = parameter["name"]?.text else { continue }
            var value = parameter["example"]?.plain ?? ""
            if ["cursor", "since"].contains(name),
                let place = finds.places.randomElement(using: &random)
            {
                value = place
            }
            if name == "limit" { value = "\(1 + random.next() % 3)" }
            let escaped = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            items.append("\(name)=\(escaped)")
        }
        return items.joined(separator: "&")
    }

    private static func id(_ finds: Finds, _ random: inout SplitMix64) -> String {
        // Most often one that is there, and the ones of long ago as often as the latest.
        let isNew = finds.ids.isEmpty || random.next() % 10 == 0
        let number = random.next() % 16
        return isNew
            ? "0199a000-0000-7000-8000-00000000000\(String(number, radix: 16))"
            : finds.ids[Int(random.next() % UInt64(finds.ids.count))]
    }

    private static func replacingIDs(
        in text: String,
        _ finds: Finds,
        _ random: inout SplitMix64
    ) -> String {
        let id = #/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/#
        return text.replacing(id) { _ in MadeUp.id(finds, &random) }
    }
}

extension JSONTree {
    /// The value as a parameter has it.
    fileprivate var plain: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
        case .bool(let value): "\(value)"
        case .null, .array, .object: nil
        }
    }

    /// The value as JSON, members in the order of their names.
    fileprivate var json: String {
        switch self {
        case .null: "null"
        case .bool, .number: plain ?? ""
        case .string(let text):
            "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        case .array(let items): "[" + items.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }
                .map { "\"\($0.key)\":\($0.value.json)" }
                .joined(separator: ",") + "}"
        }
    }
}
