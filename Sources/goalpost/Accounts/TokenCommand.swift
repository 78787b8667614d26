import API
import Goals
import Sockets
import Store

/// `goalpost token`: what lets a client into an account.
enum TokenCommand: Hashable {
    case add(Label, Options)
    case list(Label?)
    case revoke(TokenID)

    /// What a new token is to be.
    struct Options: Hashable {
        var name: Label?
        var isReadOnly = false
        var days: Int?
    }

    /// Reads the words after `token`, and takes its flags from those of the settings.
    init(_ words: [String], flags: inout [String]) throws(SettingMistake) {
        var words = Words(words, of: "token", usage: TokenCommand.usage)
        switch words.next() {
        case "add": self = .add(try words.label(), try Options(takenFrom: &flags))
        case "list": self = .list(words.isEmpty ? nil : try words.label())
        case "revoke":
            // What was given may be a whole token, which is not to be shown.
            guard let id = words.next().flatMap({ TokenID(Array($0.utf8)) }) else {
                throw SettingMistake(
                    "goalpost token revoke needs the 16 digits that goalpost token list shows."
                )
            }
            self = .revoke(id)
        default: throw words.mistake
        }
        try words.end()
    }

    static let usage =
        "add ACCOUNT [--name NAME] [--read-only] [--expires DAYS], list [ACCOUNT] or revoke ID"

    /// Does it to a data file, and says what was done.
    func run(on data: DataFileAccess) throws {
        switch self {
        case .add(let account, let options):
            var generator = SystemRandomNumberGenerator()
            let token = AccessToken(using: &generator)
            let new = NewToken(
                id: token.id,
                secretHash: SecretHash.make(of: token.secretText),
                name: options.name,
                isReadOnly: options.isReadOnly,
                days: options.days
            )
            try data.change { try $0.addToken(new, for: account) }
            // The token alone on standard output, so that a script can take it from there.
            print(token.text)
            complain("This is shown once: keep it. It is a token of account \(quoted(account)).")
        case .list(let account):
            print(Table(of: try data.tokens(of: account), at: .now()).text)
        case .revoke(let id):
            let wasGood = try data.change { try $0.revokeToken(id) }
            print(
                wasGood
                    ? "Token \(id) lets nobody in any more."
                    : "Token \(id) was revoked before, and lets nobody in."
            )
        }
    }
}

extension TokenCommand.Options {
    /// Takes what concerns a new token out of the flags, and leaves the others.
    init(takenFrom flags: inout [String]) throws(SettingMistake) {
        var rest: [String] = []
        var remaining = flags[...]
        while let argument = remaining.popFirst() {
            let parts = argument.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let value = parts.count == 2 ? String(parts[1]) : nil
            switch parts[0] {
            case "--name":
                guard name == nil else { throw SettingMistake("--name is given twice.") }
                name = try label(value ?? remaining.popFirst(), for: "--name")
            case "--expires":
                guard days == nil else { throw SettingMistake("--expires is given twice.") }
                days = try TokenCommand.Options.days(value ?? remaining.popFirst())
            case "--read-only":
                guard value == nil else { throw SettingMistake("--read-only takes no value.") }
                isReadOnly = true
            default:
                rest.append(argument)
                // Its value, if it stands apart, is nothing of ours, whatever it looks like.
                let takesNext = value == nil && Setting.of(flag: argument)?.isSwitch != true
                if takesNext, let next = remaining.popFirst() { rest.append(next) }
            }
        }
        flags = rest
    }

    private static func days(_ text: String?) throws(SettingMistake) -> Int {
        guard let text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let days = Int(text), (1...36_500).contains(days)
        else { throw SettingMistake("--expires must be a whole number of days, 1 to 36500.") }
        return days
    }
}

extension Table {
    fileprivate init(of tokens: [TokenEntry], at moment: Moment) {
        self.init(["id", "account", "name", "rights", "made on", "expires on", "state"])
        for token in tokens {
            let hasExpired = token.expiresAt.map { $0 <= moment } ?? false
            add([
                token.id.description, token.account.text, token.name?.text ?? "-",
                token.isReadOnly ? "read" : "read and write", day(of: token.createdAt),
                token.expiresAt.map(day(of:)) ?? "-",
                token.revokedAt != nil ? "revoked" : hasExpired ? "expired" : "good",
            ])
        }
    }
}
