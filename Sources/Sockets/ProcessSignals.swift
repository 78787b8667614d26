public import Dispatch
import Glibc

/// What the process makes of signals.
public enum ProcessSignals {
    /// Ignores the signals that a server has no use for, each of which would end it: `SIGPIPE`
    /// (a peer that went away is an error of the write), `SIGHUP` (a closed terminal).
    public static func ignoreThoseOfNoUse() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGHUP, SIG_IGN)
    }

    /// Calls a handler on a queue each time the process is asked to end (`SIGTERM`, `SIGINT`).
    ///
    /// - Returns: What must be kept for as long as the signals are to be handled.
    public static func onEnd(
        queue: DispatchQueue,
        _ handler: @escaping @Sendable () -> Void
    ) -> [any DispatchSourceSignal] {
        [SIGTERM, SIGINT].map { number in
            // Its own action would end the process before Dispatch hears of the signal.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: handler)
            source.resume()
            return source
        }
    }

    /// Lets the next such signal end the process at once, as it would have without us.
    ///
    /// - Parameter sources: What ``onEnd(queue:_:)`` returned.
    public static func endAtNext(_ sources: [any DispatchSourceSignal]) {
        for source in sources { source.cancel() }
        for number in [SIGTERM, SIGINT] { _ = signal(number, SIG_DFL) }
    }
}
