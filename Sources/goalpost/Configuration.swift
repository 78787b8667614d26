import API
import Foundation
import Goals
import Server
import Store

/// All that the program can be told, checked.
struct Configuration: Sendable {
    var server = ServerConfiguration()
    var port = 8080
    var data = "goalpost.sqlite"
    var currency: Currency
    var timeZone = "UTC"
    var logLevel = LogLevel.info
    var store = GoalStore.Options()
    var cacheBytes = 16 * 1024 * 1024

    /// The token that the environment gives to the default account.
    var token: FixedToken?

    /// Whether to serve everybody who reaches the server, if there is no token.
    var insecureNoAuth = false

    /// How many requests each token may make in a minute; 0 is any number.
    var requestsPerMinute = 0

    /// How many goals, and how many transactions, each account may have; 0 is any number.
    var goalsPerAccount = 0
    var transactionsPerAccount = 0

    /// For how many days it is known what was deleted.
    var deletionDays = 90

    /// The web pages whose scripts may read the answers.
    var crossOrigins: CrossOrigins?

    /// How long answers in flight may take when the server stops, in seconds.
    ///
    /// Less than the 10 s after which a container's engine ends it by force.
    var stopTimeout = 8

    init() {
        guard let dollar = Currency("USD") else {
            preconditionFailure("The US dollar is a currency of ISO 4217")
        }
        currency = dollar
        server.loops = ProcessInfo.processInfo.activeProcessorCount
    }
}

extension Configuration {
    /// What each account may have.
    var accountLimits: GoalStore.Limits {
        GoalStore.Limits(
            goals: goalsPerAccount > 0 ? goalsPerAccount : nil,
            transactions: transactionsPerAccount > 0 ? transactionsPerAccount : nil
        )
    }
}

enum LogLevel: String, CaseIterable, Sendable {
    case info, error
}

extension Configuration {
    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the command line, without the program and the command.
    ///   - environment: The environment variables; those whose names do not begin with
    ///     `GOALPOST_` are of no concern.
    /// - Throws: ``SettingMistake`` for the first setting that is unknown or wrong.
    init(arguments: [String], environment: [String: String]) throws(SettingMistake) {
        self.init()
        let flags = try Configuration.flags(in: arguments)
        var environment = environment
        token = try Configuration.token(takenFrom: &environment)
        let variables = try Configuration.variables(in: environment)
        for setting in Setting.all {
            let (source, value): (String, String?) =
                flags[setting.name].map { (setting.flag, $0) }
                ?? (setting.variable, variables[setting.variable])
            guard let value else { continue }
            do {
                try setting.apply(value, &self)
            } catch {
                throw SettingMistake("\(source) is \"\(value)\", but \(error).")
            }
        }
    }

    /// Reads `--name value` and `--name=value`.
    private static func flags(in arguments: [String]) throws(SettingMistake) -> [String: String] {
        var flags: [String: String] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard parts[0] != tokenFlag else {
                // Without the value, which would be in the terminal's history and the log besides.
                throw SettingMistake(
                    "There is no flag for a token, since others see a process's arguments: set "
                        + "\(tokenVariable)."
                )
            }
            guard let setting = Setting.of(flag: parts[0]) else {
                throw SettingMistake(
                    "\"\(argument)\" is not a setting. goalpost --help lists those there are."
                )
            }
            let given = setting.isSwitch ? "true" : rest.first
            if parts.count == 1, !setting.isSwitch { rest = rest.dropFirst() }
            guard let value = parts.count == 2 ? String(parts[1]) : given else {
                throw SettingMistake("\(setting.flag) needs a value: \(setting.placeholder).")
            }
            guard flags.updateValue(value, forKey: setting.name) == nil else {
                throw SettingMistake("\(setting.flag) is given twice.")
            }
        }
        return flags
    }

    /// Takes the token out of the environment; it is no setting, lest it be shown like one.
    ///
    /// - Throws: ``SettingMistake``, which does not show it either.
    private static func token(
        takenFrom environment: inout [String: String]
    ) throws(SettingMistake) -> FixedToken? {
        guard let text = environment.removeValue(forKey: tokenVariable), !text.isEmpty else {
            return nil
        }
        guard let token = FixedToken(text) else {
            throw SettingMistake(
                "\(tokenVariable) must have 32 to 256 characters, which are letters, digits or any of "
                    + "-._~+/ (openssl rand -hex 32 makes one)."
            )
        }
        return token
    }

    private static func variables(
        in environment: [String: String]
    ) throws(SettingMistake) -> [String: String] {
        let variables = environment.filter { name, value in
            name.hasPrefix(Setting.variablePrefix) && !isMadeByKubernetes(name, value)
        }
        for name in variables.keys.sorted()
        where !Setting.all.contains(where: { $0.variable == name }) {
            throw SettingMistake(
                "The environment variable \(name) is not a setting. "
                    + "goalpost --help lists those there are."
            )
        }
        // An empty variable is how a compose file or a shell says «not set».
        return variables.filter { !$0.value.isEmpty }
    }

    /// Whether a variable is one of those that Kubernetes makes for a service called `goalpost`.
    private static func isMadeByKubernetes(_ name: String, _ value: String) -> Bool {
        name.hasPrefix("GOALPOST_SERVICE_") || name.hasPrefix("GOALPOST_PORT_")
            || name == "GOALPOST_PORT" && value.contains("://")
    }
}

/// The variable that has a token, and the flag that there must not be.
private let tokenVariable = "GOALPOST_TOKEN"
private let tokenFlag = "--token"
