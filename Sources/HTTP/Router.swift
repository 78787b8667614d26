/// One line of a routing table: what to run for a method and a path.
public struct Route<Handler: Sendable>: Sendable {
    public let method: Method
    public let pattern: PathPattern
    public let handler: Handler

    public init(_ method: Method, _ pattern: PathPattern, _ handler: Handler) {
        self.method = method
        self.pattern = pattern
        self.handler = handler
    }
}

/// A routing table and the search through it.
public struct Router<Handler: Sendable>: Sendable {
    /// The table, as it was given.
    public let routes: [Route<Handler>]

    public enum Match: Sendable {
        case found(Handler, PathParameters)

        /// There is something at the path; it knows these methods.
        case methodNotAllowed(allowed: [Method])
        case notFound
    }

    /// Creates a router for a table.
    ///
    /// - Precondition: No two routes share both method and pattern.
    public init(_ routes: [Route<Handler>]) {
        self.routes = routes
    }

    /// Finds the route for a request.
    ///
    /// `HEAD` is answered by the `GET` route, unless it has one of its own.
    public func match(_ request: Request) -> Match {
        match(request.method, request.path)
    }

    /// Finds the route for a method and a raw path, percent-escapes and all.
    public func match(_ method: Method, _ path: String) -> Match {
        .notFound
    }

    /// The methods that a path takes, `HEAD` and `OPTIONS` among them; empty if nothing is there.
    public func methods(at path: String) -> [Method] {
        []
    }
}
