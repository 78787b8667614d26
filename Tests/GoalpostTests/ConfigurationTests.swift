import API
import Goals
import Server
import XCTest

@testable import goalpost

final class ConfigurationTests: XCTestCase {
    func testStandsByItselfWithoutAnySetting() throws {
        let configuration = try Configuration(arguments: [], environment: ["HOME": "/nowhere"])

        XCTAssertEqual(configuration.server.host, "127.0.0.1")
        XCTAssertEqual(configuration.port, 8080)
        XCTAssertEqual(configuration.data, "goalpost.sqlite")
        XCTAssertEqual(configuration.currency.code, "USD")
        XCTAssertEqual(configuration.timeZone, "UTC")
        XCTAssertEqual(configuration.logLevel, .info)
    }

    func testReadsFlagsInBothForms() throws {
        let configuration = try Configuration(
            arguments: ["--port", "9000", "--currency=EUR", "--data", "a=b.sqlite"],
            environment: [:]
        )

        XCTAssertEqual(configuration.port, 9000)
        XCTAssertEqual(configuration.currency.code, "EUR")
        XCTAssertEqual(configuration.data, "a=b.sqlite")
    }

    func testTheFlagWinsOverTheVariable() throws {
        let configuration = try Configuration(
            arguments: ["--port", "9000"],
            environment: ["GOALPOST_PORT": "9001", "GOALPOST_TIME_ZONE": "Europe/Warsaw"]
        )

        XCTAssertEqual(configuration.port, 9000)
        XCTAssertEqual(configuration.timeZone, "Europe/Warsaw")
    }

    func testASwitchTakesNoValue() throws {
        let configuration = try Configuration(
            arguments: ["--insecure-no-auth", "--port", "9000"],
            environment: [:]
        )

        XCTAssertTrue(configuration.insecureNoAuth)
        XCTAssertEqual(configuration.port, 9000)
        XCTAssertFalse(
            try Configuration(
                arguments: ["--insecure-no-auth=false"],
                environment: ["GOALPOST_INSECURE_NO_AUTH": "true"]
            ).insecureNoAuth
        )
    }

    func testTakesATokenFromTheEnvironmentAlone() throws {
        let text = String(repeating: "x", count: 32)
        let configuration = try Configuration(
            arguments: [],
            environment: ["GOALPOST_TOKEN": text]
        )

        XCTAssertNotNil(configuration.token)
        var dumped = ""
        dump(configuration, to: &dumped)
        XCTAssertFalse(dumped.contains(text), "Nobody sees it by accident")
        XCTAssertNil(
            try Configuration(arguments: [], environment: ["GOALPOST_TOKEN": ""]).token
        )
    }

    func testReadsTheWebPages() throws {
        func origins(_ value: String) throws -> CrossOrigins? {
            try Configuration(arguments: ["--cors-origins", value], environment: [:]).crossOrigins
        }

        XCTAssertEqual(try origins("https://a.example"), CrossOrigins("https://a.example"))
        XCTAssertEqual(try origins("*"), CrossOrigins("*"))
        XCTAssertNil(try origins("none"))
    }

    func testKeepsTimeoutsInMilliseconds() throws {
        let configuration = try Configuration(
            arguments: ["--idle-timeout", "75"],
            environment: [:]
        )

        XCTAssertEqual(configuration.server.limits.idleTimeout, 75_000)
    }

    func testTakesAnEmptyVariableForNone() throws {
        let configuration = try Configuration(
            arguments: [],
            environment: ["GOALPOST_PORT": ""]
        )

        XCTAssertEqual(configuration.port, 8080)
    }

    func testMindsNoVariableThatKubernetesMakesForAServiceOfThisName() throws {
        _ = try Configuration(
            arguments: [],
            environment: [
                "GOALPOST_SERVICE_HOST": "192.0.2.1", "GOALPOST_PORT_8080_TCP": "tcp://192.0.2.1",
                "GOALPOST_PORT": "tcp://192.0.2.1:8080",
            ]
        )
    }

    func testEverySettingTakesItsOwnDefault() throws {
        for setting in Setting.all {
            XCTAssertNoThrow(
                try Configuration(
                    arguments: ["\(setting.flag)=\(setting.defaultValue)"],
                    environment: [:]
                ),
                setting.name
            )
        }
    }

    func testSaysWhichSettingIsWrongAndWhy() {
        let mistakes: [([String], [String: String], String)] = [
            (
                ["--port", "0x50"], [:],
                "--port is \"0x50\", but must be a whole number from 0 to 65535."
            ),
            (
                ["--port=65536"], [:],
                "--port is \"65536\", but must be a whole number from 0 to 65535."
            ),
            (
                [], ["GOALPOST_PORT": "80a"],
                "GOALPOST_PORT is \"80a\", but must be a whole number from 0 to 65535."
            ),
            (
                ["--currency", "eur"], [:],
                "--currency is \"eur\", but must be a code of ISO 4217, such as EUR."
            ),
            (
                ["--log-level", "loud"], [:],
                "--log-level is \"loud\", but must be info or error."
            ),
            (
                ["--idle-timeout", "0"], [:],
                "--idle-timeout is \"0\", but must be a whole number from 1 to 86400."
            ),
            (["--port"], [:], "--port needs a value: NUMBER."),
            (
                ["--insecure-no-auth=maybe"], [:],
                "--insecure-no-auth is \"maybe\", but must be true or false."
            ),
            (
                ["--cors-origins", "app.example.org"], [:],
                "--cors-origins is \"app.example.org\", but must be *, or origins as browsers write "
                    + "them, such as https://app.example.org, separated by commas."
            ),
            (
                [], ["GOALPOST_TOKEN": "geheim"],
                "GOALPOST_TOKEN must have 32 to 256 characters, which are letters, digits or any of "
                    + "-._~+/ (openssl rand -hex 32 makes one)."
            ),
            (
                ["--token", "geheim"], [:],
                "There is no flag for a token, since others see a process's arguments: set "
                    + "GOALPOST_TOKEN."
            ),
            (
                ["--token=geheim"], [:],
                "There is no flag for a token, since others see a process's arguments: set "
                    + "GOALPOST_TOKEN."
            ),
            (["--port", "1", "--port", "2"], [:], "--port is given twice."),
            (
                ["--prot", "1"], [:],
                "\"--prot\" is not a setting. goalpost --help lists those there are."
            ),
            (
                ["stray"], [:],
                "\"stray\" is not a setting. goalpost --help lists those there are."
            ),
            (
                [], ["GOALPOST_PROT": "1"],
                "The environment variable GOALPOST_PROT is not a setting. "
                    + "goalpost --help lists those there are."
            ),
        ]
        for (arguments, environment, sentence) in mistakes {
            XCTAssertThrowsError(
                try Configuration(arguments: arguments, environment: environment)
            ) { error in
                XCTAssertEqual("\(error)", sentence)
            }
        }
    }
}
