/// Something a user can set: by a flag, by an environment variable, or not at all.
///
/// The flag wins over the variable, the variable over the default.
struct Setting: Sendable {
    /// The flag without its hyphens, such as `time-zone`.
    let name: String

    /// What stands for the value in the help.
    let placeholder: String

    /// The value when it is not set, as a user would write it.
    let defaultValue: String

    let help: String

    /// Whether the flag is the whole of it; the variable then is `true` or `false`.
    var isSwitch = false

    /// Puts the value into the configuration.
    let apply: @Sendable (_ value: String, _ configuration: inout Configuration) throws -> Void

    var flag: String { "--\(name)" }

    /// The setting that has a flag.
    static func of(flag: some StringProtocol) -> Setting? {
        all.first { $0.flag == flag }
    }

    /// The name of its environment variable, such as `GOALPOST_TIME_ZONE`.
    var variable: String {
        Setting.variablePrefix + name.uppercased().replacing("-", with: "_")
    }

    static let variablePrefix = "GOALPOST_"
}

/// What is wrong with the settings, in a sentence for the user.
struct SettingMistake: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Setting {
    /// A setting that is a whole number within bounds.
    static func number(
        _ name: String,
        _ placeholder: String,
        _ path: any WritableKeyPath<Configuration, Int> & Sendable,
        in range: ClosedRange<Int>,
        unit: Int = 1,
        default defaultValue: Int? = nil,
        help: String
    ) -> Setting {
        Setting(
            name: name,
            placeholder: placeholder,
            defaultValue: String(defaultValue ?? Configuration()[keyPath: path] / unit),
            help: help
        ) { value, configuration in
            guard value.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
                let number = Int(value), range.contains(number)
            else {
                throw SettingMistake(
                    "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
                )
            }
            configuration[keyPath: path] = number * unit
        }
    }
}
