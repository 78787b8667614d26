import API
import Server
import Synchronization

/// Gives the figures of a server to the application, which is made before it.
final class FigureSource: Sendable {
    private let server = Mutex<Server?>(nil)

    func watch(_ server: Server) {
        self.server.withLock { $0 = server }
    }

    /// Lets go of the server, which holds the application and so this.
    func end() {
        server.withLock { $0 = nil }
    }

    var figures: [Figure] {
        guard let figures = server.withLock({ $0 })?.figures else { return [] }
        return [
            Figure("openConnections", figures.openConnections),
            Figure("acceptedConnections", figures.acceptedConnections),
            Figure("refusedConnections", figures.refusedConnections),
            Figure("acceptPauses", figures.acceptPauses),
            Figure("requestsInFlight", figures.requestsInFlight),
            Figure("openStreams", figures.openStreams),
            Figure("refusedRequests", figures.refusedRequests),
            Figure("unreadableRequests", figures.unreadableRequests),
            Figure("headTimeouts", figures.headTimeouts),
            Figure("bodyTimeouts", figures.bodyTimeouts),
            Figure("idleTimeouts", figures.idleTimeouts),
            Figure("writeTimeouts", figures.writeTimeouts),
            Figure("lingerTimeouts", figures.lingerTimeouts),
        ]
    }
}
