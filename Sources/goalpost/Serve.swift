import API
import Foundation
import Goals
import HTTP
import Server
import Sockets
import Store

/// `goalpost`: serves the API until the process is asked to end.
struct Serve {
    private let configuration: Configuration
    private let settings: APISettings

    init(_ configuration: Configuration) throws(SettingMistake) {
        guard let zone = Zones().zone(named: configuration.timeZone) else {
            throw SettingMistake(
                "The time zone is \"\(configuration.timeZone)\", but must be a name of the IANA "
                    + "database, such as Europe/Warsaw."
            )
        }
        self.configuration = configuration
        var access = AccessSettings { SecretHash.hash($0, as: $1) }
        access.fixedToken = configuration.token
        access.opensToEveryHost = configuration.insecureNoAuth
        if configuration.requestsPerMinute > 0 {
            access.requestsPerMinute = configuration.requestsPerMinute
        }
        settings = APISettings(
            currency: configuration.currency,
            timeZone: zone,
            cacheBytes: configuration.cacheBytes,
            access: access,
            crossOrigins: configuration.crossOrigins
        )
        try AccessCheck(configuration).checkSettings()
    }

    /// Serves until `SIGTERM` or `SIGINT`; a second one ends the process at once.
    func run() -> ExitStatus {
        ProcessSignals.ignoreThoseOfNoUse()
        let ending = Ending()
        let isTerminal = isatty(STDERR_FILENO) == 1
        let log = Log(format: isTerminal ? .text : .json)
        defer { log.flush() }
        let store: GoalStore
        let server: Server
        let figures = FigureSource()
        let descriptors: Int
        do {
            descriptors = try DescriptorLimit.raise()
            var options = configuration.store
            options.readConnections = configuration.server.loops
            options.limits = configuration.accountLimits
            store = try GoalStore(
                at: location,
                options: options,
                now: Moment.now,
                notice: { log.notice($0) }
            )
        } catch {
            complain("\(error)")
            return .failure
        }
        defer { store.close() }
        do {
            try AccessCheck(configuration).check(store)
        } catch {
            complain("\(error)")
            return error is SettingMistake ? .wrongUsage : .failure
        }
        do {
            server = try makeServer(store, log, figures, descriptors: descriptors)
        } catch {
            complain("Cannot listen on \(address(port: configuration.port)): \(error).")
            return .failure
        }

        figures.watch(server)
        defer { figures.end() }
        server.start()
        let housekeeping = Housekeeping(
            of: store,
            keepingDeletionsFor: configuration.deletionDays,
            report: { log.error("\($0)") }
        )
        let rounds = Task { try await housekeeping.run() }
        defer { rounds.cancel() }
        ending.serverIsUp()
        log.notice("Listening on http://\(address(port: Int(server.port)))")
        log.notice("Data in \(absolutePath(configuration.data))")
        ending.wait()
        log.notice("Stopping")
        let isOrderly = server.stop(within: configuration.stopTimeout)
        log.notice(isOrderly ? "Stopped" : "Stopped before every answer was sent")
        return .success
    }

    private func makeServer(
        _ store: GoalStore,
        _ log: Log,
        _ figures: FigureSource,
        descriptors: Int
    ) throws(SystemError) -> Server {
        var configuration = configuration.server
        configuration.limits.descriptors = descriptors
        configuration.port = UInt16(self.configuration.port)
        let application = Application(
            store: store,
            settings: settings,
            now: Moment.now,
            report: { error, id in log.error("\(error)", during: id) },
            figures: { figures.figures }
        )
        let logRequest: @Sendable (Exchange) -> Void = { log.request($0) }
        return try Server(
            configuration,
            responder: application,
            log: self.configuration.logLevel == .info ? logRequest : nil
        )
    }

    private var location: GoalStore.Location {
        configuration.data == ":memory:" ? .memory : .file(configuration.data)
    }

    private func address(port: Int) -> String {
        let host = configuration.server.host
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

private func absolutePath(_ path: String) -> String {
    path == ":memory:" ? "memory only: it is gone when the server stops" : URL(filePath: path).path
}

extension Moment {
    /// The moment it is.
    @Sendable
    static func now() -> Moment {
        Moment(millisecondsSinceEpoch: Int64(Date.now.timeIntervalSince1970 * 1000))
    }
}
