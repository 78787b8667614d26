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
        isLoopback(configuration.server.host) || configuration.token != nil
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

/// Whether an address is one that only this machine reaches.
///
/// A name is not looked up: what it stands for may be another address by the time it is listened on.
func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
        && parts.allSatisfy { part in
            (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                && (Int(part) ?? 256) <= 255
        }
}
