import Goals
import Store

/// The accounts of the data file that the settings name, be it that of a running server.
struct DataFileAccess {
    private let name: String

    init(_ configuration: Configuration) throws(SettingMistake) {
        guard configuration.data != ":memory:" else {
            throw SettingMistake(
                "What is in memory is its server's alone, and has no accounts to change: give --data."
            )
        }
        name = configuration.data
    }

    /// Opens the accounts to change them; the file is made if there is none.
    func open() throws -> AccountBook {
        try AccountBook(ofFileAt: name, now: Moment.now, notice: { complain($0) })
    }

    @discardableResult
    func change<Value>(_ body: (AccountChanges) throws -> Value) throws -> Value {
        try open().change(body)
    }

    func accounts() throws -> [Account] {
        try AccountBook.accounts(ofFileAt: name)
    }

    func tokens(of account: Label?) throws -> [TokenEntry] {
        try AccountBook.tokens(of: account, inFileAt: name)
    }
}

extension DataFileAccess {
    /// Runs a command to its end.
    func run(_ command: (DataFileAccess) throws -> Void) -> ExitStatus {
        do {
            try command(self)
            return .success
        } catch {
            complain("\(error)")
            return .failure
        }
    }
}
