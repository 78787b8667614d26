import API
import Store
import XCTest

@testable import goalpost

final class AccountCommandTests: XCTestCase {
    func testReadsWhatToDoAboutAccounts() throws {
        let cases: [([String], AccountCommand)] = [
            (["add", "  Anna   Smith "], .add(try label("Anna Smith"))),
            (["list"], .list),
            (["rename", "Anna", "Ann"], .rename(try label("Anna"), to: try label("Ann"))),
            (["disable", "Anna"], .disable(try label("Anna"))),
            (["enable", "Anna"], .enable(try label("Anna"))),
            (["delete", "Anna"], .delete(try label("Anna"))),
        ]
        for (words, command) in cases {
            XCTAssertEqual(try AccountCommand(words), command)
        }
    }

    func testTellsMistakesInWords() {
        for words in [
            [], ["add"], ["add", "Anna", "Ben"], ["list", "Anna"], ["rename", "Anna"], ["close"],
        ] {
            XCTAssertThrowsError(try AccountCommand(words)) { error in
                XCTAssertEqual(
                    "\(error)",
                    "goalpost account is followed by add NAME, list, rename NAME NEW, disable NAME, "
                        + "enable NAME or delete NAME."
                )
            }
        }
        XCTAssertThrowsError(try AccountCommand(["add", "a\u{7}b"])) { error in
            XCTAssertEqual(
                "\(error)",
                "The name of an account must be text of 1 to 200 characters, without control "
                    + "characters."
            )
        }
    }

    func testTakesTheFlagsOfATokenAndLeavesTheOthers() throws {
        var flags = [
            "--data", "--name", "--name", "Phone", "--read-only", "--insecure-no-auth",
            "--expires=30", "--port=1",
        ]

        let command = try TokenCommand(["add", "Anna"], flags: &flags)

        XCTAssertEqual(
            command,
            .add(
                try label("Anna"),
                TokenCommand.Options(name: try label("Phone"), isReadOnly: true, days: 30)
            )
        )
        XCTAssertEqual(flags, ["--data", "--name", "--insecure-no-auth", "--port=1"])
    }

    func testReadsWhatToDoAboutTokens() throws {
        var flags = ["--name", "x"]
        XCTAssertEqual(try TokenCommand(["list"], flags: &flags), .list(nil))
        XCTAssertEqual(try TokenCommand(["list", "A"], flags: &flags), .list(try label("A")))
        XCTAssertEqual(
            try TokenCommand(["revoke", "00000000000000ff"], flags: &flags),
            .revoke(TokenID(rawValue: 255))
        )
        XCTAssertEqual(flags, ["--name", "x"], "They are of a new token alone")
    }

    func testNeverRepeatsATokenThatIsGivenForItsId() {
        var flags: [String] = []
        let token = "gp_00000000000000ff_" + String(repeating: "s", count: 43)

        XCTAssertThrowsError(try TokenCommand(["revoke", token], flags: &flags)) { error in
            XCTAssertEqual(
                "\(error)",
                "goalpost token revoke needs the 16 digits that goalpost token list shows."
            )
        }
    }

    func testTellsMistakesInTheFlagsOfAToken() {
        let mistakes: [([String], String)] = [
            (["--expires", "0"], "--expires must be a whole number of days, 1 to 36500."),
            (["--expires", "1.5"], "--expires must be a whole number of days, 1 to 36500."),
            (["--expires"], "--expires must be a whole number of days, 1 to 36500."),
            (["--expires", "1", "--expires", "2"], "--expires is given twice."),
            (["--read-only=yes"], "--read-only takes no value."),
            (
                ["--name", " "],
                "--name must be text of 1 to 200 characters, without control characters."
            ),
            (["--name", "a", "--name", "b"], "--name is given twice."),
        ]
        for (arguments, sentence) in mistakes {
            var flags = arguments
            XCTAssertThrowsError(try TokenCommand(["add", "Anna"], flags: &flags)) { error in
                XCTAssertEqual("\(error)", sentence)
            }
        }
    }

    func testKnowsWhichAddressesAreThisMachinesOwn() {
        for host in [
            "127.0.0.1", "127.255.255.255", "127.000.0.1", "::1", "localhost", "LocalHost",
        ] {
            XCTAssertTrue(LoopbackHost.contains(host), host)
        }
        for host in [
            "0.0.0.0", "::", "128.0.0.1", "127.1", "127.0.0.256", "127.0.0.1.example.org", "",
            "localhost.example.org", "192.168.1.1", "127.0.0.x", "::ffff:10.0.0.1", "goalpost",
            "127.0.0.", ".0.0.1", "127...1", "0127.0.0.1", "127.0.0.0001", "127.0.0.1.1", "127.0.0",
        ] {
            XCTAssertFalse(LoopbackHost.contains(host), host)
        }
    }

    func testDrawsATable() {
        var table = Table(["name", "goals"])
        table.add(["Anna", "3"])
        table.add(["Zoë Müller", ""])

        XCTAssertEqual(
            table.text,
            """
            name        goals
            Anna        3
            Zoë Müller
            """
        )
    }

    private func label(_ text: String) throws -> Label {
        try XCTUnwrap(Label(text))
    }
}
