import Foundation
import HTTP
import XCTest

@testable import API

/// Holds `openapi.yaml` against itself.
final class OpenAPITests: XCTestCase {
    func testTheProgramCarriesTheFile() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../openapi.yaml")

        XCTAssertEqual(
            OpenAPIDocument.text,
            try String(contentsOf: file, encoding: .utf8),
            "`make openapi` has not been run"
        )
    }

    func testEveryReferenceLeadsSomewhere() throws {
        let contract = try Contract.shared.get()

        let lost = contract.document.references.filter { contract.checker.resolve($0) == nil }

        XCTAssertEqual(lost, [])
    }

    func testEveryComponentIsUsed() throws {
        let contract = try Contract.shared.get()

        let components = (contract.document["components"]?.members ?? [:]).flatMap { kind, named in
            (named.members ?? [:]).keys.map { "#/components/\(kind)/\($0)" }
        }
        // These are not referred to, but named.
        let schemes = (contract.document["security"]?.items ?? []).flatMap { requirement in
            (requirement.members ?? [:]).keys.map { "#/components/securitySchemes/\($0)" }
        }

        XCTAssertEqual(Set(components), contract.document.references.union(schemes))
    }

    func testItsProblemsAreThoseThatTheProgramHas() throws {
        let examples = try Contract.shared.get().document["components"]?["examples"]?.members

        let problems = (examples ?? [:]).values.compactMap { $0["value"] }
            .filter { $0["code"] != nil }

        XCTAssertFalse(problems.isEmpty)
        for problem in problems {
            let word = try XCTUnwrap(problem["code"]?.text)
            let code = try XCTUnwrap(Problem.Code(rawValue: word), word)
            XCTAssertEqual(problem["type"]?.text, "/problems/\(word)")
            XCTAssertEqual(problem["title"]?.text, code.title, word)
            XCTAssertEqual(problem["status"]?.number, Double(code.status.code), word)
        }
    }

    func testEveryOperationHasANameOfItsOwn() throws {
        let names = try Contract.shared.get().operations.map { $0.description["operationId"]?.text }

        XCTAssertFalse(names.contains(nil))
        XCTAssertEqual(Set(names).count, names.count)
    }

    func testEveryParameterOfAPathIsDescribed() throws {
        for operation in try Contract.shared.get().operations {
            let inPath = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }
                .map { String($0.dropFirst().dropLast()) }
            let described = operation.parameters.filter { $0["in"]?.text == "path" }
                .compactMap { $0["name"]?.text }

            XCTAssertEqual(described, inPath, "\(operation.method) \(operation.path)")
        }
    }

    func testEveryExampleKeepsItsSchema() throws {
        let contract = try Contract.shared.get()

        var count = 0
        contract.document.forEachObject { object, place in
            guard let schema = object["schema"] else { return }
            let named = (object["examples"]?.members ?? [:]).values.compactMap {
                contract.checker.target(of: $0)["value"]
            }
            for example in named + [object["example"]].compactMap(\.self) {
                count += 1
                XCTAssertEqual(contract.checker.mistakes(in: example, by: schema), [], place)
            }
            XCTAssert(
                object["example"] != nil || !named.isEmpty,
                "\(place) has no example"
            )
        }
        XCTAssertGreaterThan(count, 60)
    }

    func testAllObjectsOfTheAPIAreClosed() throws {
        let schemas = try Contract.shared.get().document["components"]?["schemas"]?.members ?? [:]

        for (name, schema) in schemas where schema["properties"] != nil {
            XCTAssertEqual(schema["additionalProperties"], .bool(false), name)
        }
    }
}

extension JSONTree {
    /// What all the `$ref`s in here name.
    fileprivate var references: Set<String> {
        var found: Set<String> = []
        forEachObject { object, _ in
            if let reference = object["$ref"]?.text {
                found.insert(reference)
            }
        }
        return found
    }

    /// Calls a function with every object in here and its place.
    fileprivate func forEachObject(at place: String = "#", _ body: (JSONTree, String) -> Void) {
        switch self {
        case .object(let members):
            body(self, place)
            for (name, member) in members {
                member.forEachObject(at: "\(place)/\(name)", body)
            }
        case .array(let items):
            for (index, item) in items.enumerated() {
                item.forEachObject(at: "\(place)/\(index)", body)
            }
        case .null, .bool, .number, .string:
            break
        }
    }
}
