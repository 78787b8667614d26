import Dispatch
import Foundation
import Sockets
import Synchronization

/// What becomes of a signal to end: an orderly stop, once, while the server is up.
///
/// Before and after, it ends the process at once. A start may take long, and is safe to cut short.
final class Ending: Sendable {
    private let phase = Mutex(Phase.starting)
    private let asked = DispatchSemaphore(value: 0)

    private enum Phase {
        case starting, serving, stopping
    }

    /// Starts to listen for signals; before there is any other thread.
    init() {
        ProcessSignals.holdBackEnd()
        Thread.detachNewThread { [self] in
            while true {
                let number = ProcessSignals.waitForEnd()
                let isOrderly = phase.withLock { phase in
                    guard phase == .serving else { return false }
                    phase = .stopping
                    return true
                }
                guard isOrderly else { return ProcessSignals.end(by: number) }
                asked.signal()
            }
        }
    }

    /// Says that the server is up: from now on it is to be stopped in order.
    func serverIsUp() {
        phase.withLock { $0 = .serving }
    }

    /// Waits for the first signal.
    func wait() {
        asked.wait()
    }
}
