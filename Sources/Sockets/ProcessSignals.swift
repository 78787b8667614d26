import Glibc

/// What the process makes of signals.
public enum ProcessSignals {
    /// Ignores the signals that a server has no use for, each of which would end it: `SIGPIPE`
    /// (a peer that went away is an error of the write), `SIGHUP` (a closed terminal).
    public static func ignoreThoseOfNoUse() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGHUP, SIG_IGN)
    }

    /// Holds back the requests to end (`SIGTERM`, `SIGINT`) until somebody waits for them.
    ///
    /// Threads inherit this, so it must come before there are any: one that was left out would take
    /// the signal, and end the process.
    public static func holdBackEnd() {
        setMask(SIG_BLOCK)
    }

    /// Waits for a request to end, which may have come before.
    ///
    /// - Returns: The signal.
    public static func waitForEnd() -> CInt {
        var signals = endSignals
        var number: CInt = 0
        // Fails for no reason but a signal that there is not.
        while sigwait(&signals, &number) != 0 {}
        return number
    }

    /// Ends the process at once by a signal, as it would have without us.
    public static func end(by number: CInt) {
        setMask(SIG_UNBLOCK)
        raise(number)
    }

    private static func setMask(_ how: CInt) {
        var signals = endSignals
        let code = pthread_sigmask(how, &signals, nil)
        precondition(code == 0, "A mask of signals that exist can be set")
    }

    private static var endSignals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        return signals
    }
}
