import Foundation

/// The program: reads the command line, and does what it says.
@main
enum Goalpost {
    static let version = "0.1.0"

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let environment = ProcessInfo.processInfo.environment
        exit(run(Array(arguments), environment: environment).rawValue)
    }

    /// Runs a command of the program to its end.
    private static func run(_ arguments: [String], environment: [String: String]) -> ExitStatus {
        if arguments.contains("--help") || arguments.contains("-h") || arguments == ["help"] {
            print(help)
            return .success
        }
        if arguments == ["--version"] {
            print("goalpost \(version)")
            return .success
        }
        // A command, and what it is about, come before the settings.
        let words = Array(arguments.prefix { !$0.isEmpty && !$0.hasPrefix("-") })
        var flags = Array(arguments.dropFirst(words.count))
        do throws(SettingMistake) {
            if let command = try accountCommand(words, &flags) {
                let configuration = try Configuration(arguments: flags, environment: environment)
                return try DataFileAccess(configuration).run(command)
            }
            let configuration = try Configuration(arguments: flags, environment: environment)
            switch (words.first, words.dropFirst().first, words.count) {
            case (nil, _, _): return try Serve(configuration).run()
            case ("health", nil, _): return Health(configuration).run()
            case ("check", let file, ...2): return try Maintenance(configuration).check(file)
            case ("backup", let file?, 2): return try Maintenance(configuration).backup(to: file)
            case ("restore", let file?, 2):
                return try Maintenance(configuration).restore(from: file)
            case ("backup", nil, _), ("restore", nil, _):
                throw SettingMistake("\(words[0]) needs the name of a file.")
            case ("health", _, _), ("check", _, _), ("backup", _, _), ("restore", _, _):
                throw SettingMistake("\"\(words[words.count - 1])\" is one word too many.")
            case (let command?, _, _):
                throw SettingMistake(
                    "\"\(command)\" is not a command. goalpost --help lists those there are."
                )
            }
        } catch {
            complain(error.description)
            return .wrongUsage
        }
    }

    /// What is to be done about accounts and tokens, if the command is one of those.
    private static func accountCommand(
        _ words: [String],
        _ flags: inout [String]
    ) throws(SettingMistake) -> ((DataFileAccess) throws -> Void)? {
        let rest = Array(words.dropFirst())
        switch words.first {
        case "account": return try AccountCommand(rest).run
        case "token": return try TokenCommand(rest, flags: &flags).run
        default: return nil
        }
    }
}

/// What the program tells the shell when it ends.
enum ExitStatus: Int32 {
    case success = 0
    case failure = 1

    /// A command or a setting was wrong, and nothing was done.
    case wrongUsage = 2
}

/// Tells the user what is wrong, on standard error.
func complain(_ message: String) {
    FileHandle.standardError.write(Data("goalpost: \(message)\n".utf8))
}
