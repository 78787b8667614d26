import API
import Foundation
import Server
import Store

/// Whether a server may be started as it is set: never for everybody who reaches it, unless told to.
struct AccessCheck {
    private let configuration: Configuration

    init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Whether the settings alone say that it may be.
    private var isSafe: Bool {
        LoopbackHost.contains(configuration.server.host) || configuration.token != nil
            || configuration.insecureNoAuth
    }

    /// Checks before there is a store, so that none is made for a server that is not to be started.
    func checkSettings() throws(SettingMistake) {
        guard !isSafe else { return }
        guard configuration.data != ":memory:",
            FileManager.default.fileExists(atPath: configuration.data)
        else { throw refusal }
    }

    /// Checks what the store says.
    func check(_ store: GoalStore) throws {
        guard !isSafe else { return }
        guard try store.openAccess().requiresTokens else { throw refusal }
    }

    private var refusal: SettingMistake {
        SettingMistake(
            "\(configuration.server.host) may be reached from other machines, and there is no access "
                + "token: whoever comes would read and change everything. Make a token with goalpost "
                + "token add default, or set GOALPOST_TOKEN; or say --insecure-no-auth if something "
                + "in front of this server lets only your people through."
        )
    }
}
