import Store

/// The words of a command, taken one by one.
struct Words {
    private var rest: ArraySlice<String>
    private let command: String
    private let usage: String

    init(_ words: [String], of command: String, usage: String) {
        rest = words[...]
        self.command = command
        self.usage = usage
    }

    var isEmpty: Bool { rest.isEmpty }

    mutating func next() -> String? {
        rest.popFirst()
    }

    /// Takes the name of an account.
    mutating func label() throws(SettingMistake) -> Label {
        guard let word = next() else { throw mistake }
        return try goalpost.label(word, for: "The name of an account")
    }

    /// Makes sure that there are no more.
    func end() throws(SettingMistake) {
        guard rest.isEmpty else { throw mistake }
    }

    /// What to say if there are other words than there should be.
    var mistake: SettingMistake {
        SettingMistake("goalpost \(command) is followed by \(usage).")
    }
}

/// Reads a name that the owner of the server gives.
func label(_ text: String?, for what: String) throws(SettingMistake) -> Label {
    guard let label = text.flatMap({ Label($0) }) else {
        throw SettingMistake(
            "\(what) must be text of 1 to 200 characters, without control characters."
        )
    }
    return label
}
