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
        let command = arguments.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
        let flags = Array(arguments.dropFirst(command == nil ? 0 : 1))
        do throws(SettingMistake) {
            let configuration = try Configuration(arguments: flags, environment: environment)
            switch command {
            case nil: return try Serve(configuration).run()
            case "health": return Health(configuration).run()
            case let command?:
                throw SettingMistake(
                    "\"\(command)\" is not a command. goalpost --help lists those there are."
                )
            }
        } catch {
            complain(error.description)
            return .wrongUsage
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
