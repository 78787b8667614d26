import Foundation
import Goals
import Store

/// `goalpost account`: who has goals of their own.
enum AccountCommand: Hashable {
    case add(Label)
    case list
    case rename(Label, to: Label)
    case disable(Label)
    case enable(Label)
    case delete(Label)

    /// Reads the words after `account`.
    init(_ words: [String]) throws(SettingMistake) {
        var words = Words(words, of: "account", usage: AccountCommand.usage)
        switch words.next() {
        case "add": self = .add(try words.label())
        case "list": self = .list
        case "rename": self = .rename(try words.label(), to: try words.label())
        case "disable": self = .disable(try words.label())
        case "enable": self = .enable(try words.label())
        case "delete": self = .delete(try words.label())
        default: throw words.mistake
        }
        try words.end()
    }

    static let usage = "add NAME, list, rename NAME NEW, disable NAME, enable NAME or delete NAME"

    /// Does it to a data file, and says what was done.
    func run(on data: DataFileAccess) throws {
        switch self {
        case .add(let name):
            try data.change { try $0.addAccount(name) }
            print("Added account \(quoted(name)).")
        case .list:
            print(Table(of: try data.accounts()).text)
        case .rename(let name, let newName):
            try data.change { try $0.renameAccount(name, to: newName) }
            print("Account \(quoted(name)) is \(quoted(newName)) now.")
        case .disable(let name):
            try data.change { try $0.setDisabled(true, name) }
            print("Account \(quoted(name)) is closed to everybody until it is enabled.")
        case .enable(let name):
            try data.change { try $0.setDisabled(false, name) }
            print("Account \(quoted(name)) is open to those who have a token of it.")
        case .delete(let name):
            // Longer than a server rests between two looks at a file that it has waited for since the
            // piece began, which takes some 20 ms.
            let deletion = try data.open().deleteAccount(name) {
                Thread.sleep(forTimeInterval: 0.03)
            }
            print("Deleted account \(quoted(name)): \(summary(of: deletion)).")
        }
    }

    private func summary(of deletion: AccountDeletion) -> String {
        "\(deletion.goals) goals, \(deletion.transactions) transactions, "
            + "\(deletion.notes) notes of earlier deletions, "
            + "\(deletion.answers) answers kept for retries, \(deletion.tokens) tokens"
    }
}

/// The name as it stands in a sentence.
func quoted(_ name: Label) -> String {
    "\"\(name.text)\""
}

extension Table {
    fileprivate init(of accounts: [Account]) {
        self.init(["name", "state", "goals", "transactions", "made on"])
        for account in accounts {
            add([
                account.name.text, account.isDisabled ? "disabled" : "enabled",
                "\(account.goals)", "\(account.transactions)", day(of: account.createdAt),
            ])
        }
    }
}
