import API
import Foundation
import Goals
import HTTP
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

extension Setting {
    /// Every setting there is.
    static let all: [Setting] =
        [
            Setting(
                name: "host",
                placeholder: "ADDRESS",
                defaultValue: Configuration().server.host,
                help: "The address to listen on; 0.0.0.0 or :: is every one of this machine."
            ) { value, configuration in
                guard !value.isEmpty, !value.contains("["), !value.contains("]") else {
                    throw SettingMistake("must be an address or a name, without brackets or a port")
                }
                configuration.server.host = value
            },
            .number(
                "port",
                "NUMBER",
                \.port,
                in: 0...65_535,
                help: "The port to listen on; 0 takes a free one and says which."
            ),
            Setting(
                name: "data",
                placeholder: "FILE",
                defaultValue: Configuration().data,
                help: "The file that keeps the goals; it and its folder are made if there is none."
            ) { value, configuration in
                guard !value.isEmpty else { throw SettingMistake("must be the path of a file") }
                configuration.data = value
            },
            Setting(
                name: "currency",
                placeholder: "CODE",
                defaultValue: Configuration().currency.code,
                help: "The currency of a goal that names none (ISO 4217)."
            ) { value, configuration in
                guard let currency = Currency(value) else {
                    throw SettingMistake("must be a code of ISO 4217, such as EUR")
                }
                configuration.currency = currency
            },
            Setting(
                name: "time-zone",
                placeholder: "NAME",
                defaultValue: Configuration().timeZone,
                help: "The zone that decides which day today is (IANA)."
            ) { value, configuration in
                configuration.timeZone = value
            },
            .number(
                "loops",
                "NUMBER",
                \.server.loops,
                in: 1...256,
                help: "How many event loops serve, each on a thread of its own; one per core."
            ),
            Setting(
                name: "log-level",
                placeholder: "LEVEL",
                defaultValue: Configuration().logLevel.rawValue,
                help: "info writes a line for each request, error only what went wrong."
            ) { value, configuration in
                guard let level = LogLevel(rawValue: value) else {
                    throw SettingMistake("must be info or error")
                }
                configuration.logLevel = level
            },
        ] + access + limits

    private static let access: [Setting] = [
        Setting(
            name: "insecure-no-auth",
            placeholder: "",
            defaultValue: "false",
            help: "Serve everybody who reaches the server, as long as there is no access token.",
            isSwitch: true
        ) { value, configuration in
            guard value == "true" || value == "false" else {
                throw SettingMistake("must be true or false")
            }
            configuration.insecureNoAuth = value == "true"
        },
        .number(
            "requests-per-minute",
            "NUMBER",
            \.requestsPerMinute,
            in: 0...1_000_000,
            help:
                "Requests that each access token may make in a minute (429 beyond); 0 is any number."
        ),
        .number(
            "max-goals",
            "NUMBER",
            \.goalsPerAccount,
            in: 0...1_000_000_000,
            help: "Goals that each account may have (409 beyond); 0 is any number."
        ),
        .number(
            "max-transactions",
            "NUMBER",
            \.transactionsPerAccount,
            in: 0...1_000_000_000,
            help: "Transactions that each account may have (409 beyond); 0 is any number."
        ),
        .number(
            "keep-deletions",
            "DAYS",
            \.deletionDays,
            in: 1...36_500,
            help:
                "For how many days it is known what was deleted; who was away longer reads all anew."
        ),
        Setting(
            name: "cors-origins",
            placeholder: "LIST",
            defaultValue: "none",
            help: "The web pages whose scripts may read the answers: origins, or * for all."
        ) { value, configuration in
            configuration.crossOrigins = nil
            guard value != "none" else { return }
            guard let origins = CrossOrigins(value) else {
                throw SettingMistake(
                    "must be *, or origins as browsers write them, such as "
                        + "https://app.example.org, separated by commas"
                )
            }
            configuration.crossOrigins = origins
        },
    ]

    private static let limits: [Setting] = [
        .number(
            "max-connections",
            "NUMBER",
            \.server.limits.connections,
            in: 1...1_000_000,
            help: "Connections open at a time (503 beyond)."
        ),
        .number(
            "max-requests-in-flight",
            "NUMBER",
            \.server.limits.requestsInFlight,
            in: 1...1_000_000,
            help: "Requests that wait for their answers at a time (503 beyond)."
        ),
        .number(
            "max-streams",
            "NUMBER",
            \.server.limits.streams,
            in: 1...1_000_000,
            help: "Streams of events open at a time (503 beyond)."
        ),
        .number(
            "max-head-bytes",
            "BYTES",
            \.server.limits.parser.headBytes,
            in: 1_024...1_048_576,
            help: "The size of a request's head (431 beyond)."
        ),
        .number(
            "max-target-bytes",
            "BYTES",
            \.server.limits.parser.targetBytes,
            in: 256...1_048_576,
            help: "The size of a request's target (414 beyond)."
        ),
        .number(
            "max-body-bytes",
            "BYTES",
            \.server.limits.parser.bodyBytes,
            in: 1_024...67_108_864,
            help: "The size of a request's body (413 beyond)."
        ),
        .number(
            "max-output-bytes",
            "BYTES",
            \.server.limits.outputBytes,
            in: 1_024...67_108_864,
            help: "Answers a client has not read before its requests are no longer read."
        ),
        .number(
            "max-queued-writes",
            "NUMBER",
            \.store.queuedWrites,
            in: 1...1_000_000,
            help: "Changes that wait for the disk (503 beyond)."
        ),
        .number(
            "cache-bytes",
            "BYTES",
            \.cacheBytes,
            in: 0...1_099_511_627_776,
            help: "Memory for answers that can be given again."
        ),
        .seconds(
            "head-timeout",
            \.server.limits.headTimeout,
            help: "The longest a request's head may take."
        ),
        .seconds(
            "body-timeout",
            \.server.limits.bodyTimeout,
            help: "The longest a request's body may take."
        ),
        .seconds(
            "idle-timeout",
            \.server.limits.idleTimeout,
            help: "The longest a connection may be without a request."
        ),
        .seconds(
            "write-timeout",
            \.server.limits.writeTimeout,
            help: "The longest a client may leave an answer unread."
        ),
        .seconds(
            "linger-timeout",
            \.server.limits.lingerTimeout,
            help: "The longest a client may go on sending after the last answer."
        ),
        .seconds(
            "heartbeat-interval",
            \.server.limits.heartbeatInterval,
            help: "How long a stream of events may be silent before a sign of life is sent."
        ),
        .number(
            "stop-timeout",
            "SECONDS",
            \.stopTimeout,
            in: 0...3_600,
            help: "The longest that answers in flight may hold up a stop."
        ),
    ]

    /// A time-out that is set in seconds and kept in milliseconds.
    private static func seconds(
        _ name: String,
        _ path: any WritableKeyPath<Configuration, Int> & Sendable,
        help: String
    ) -> Setting {
        number(name, "SECONDS", path, in: 1...86_400, unit: 1_000, help: help)
    }
}
