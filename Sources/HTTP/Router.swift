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
///
/// A path belongs to the first pattern that fits it, with all that pattern's methods. A server of
/// this size has a dozen patterns, so they are tried from the first to the last, on the bytes of
/// the path. What a handler is, the router does not care to know.
public struct Router<Handler: Sendable>: Sendable {
    /// The table, as it was given.
    public let routes: [Route<Handler>]

    @usableFromInline let table: PathTable

    public enum Match: Sendable {
        case found(Handler, PathParameters)

        /// There is something at the path, and it takes these methods.
        case methodNotAllowed(allowed: [Method])
        case notFound
    }

    /// Creates a router for a table.
    ///
    /// - Precondition: No two routes share both method and pattern, and no pattern hides a later
    ///   one, every path of which it would take.
    public init(_ routes: [Route<Handler>]) {
        var table = PathTable()
        for (index, route) in routes.enumerated() {
            table.add(route.method, route.pattern, at: index)
        }
        self.routes = routes
        self.table = table
    }
}

extension Router {
    /// Finds the route for a request.
    ///
    /// `HEAD` is answered by the `GET` route, unless it has one of its own. The target `*` is no
    /// path, so nothing is found at it.
    @inlinable
    public func match(_ request: Request) -> Match {
        request.target.form == .origin
            ? match(request.method, request.target.pathBytes) : .notFound
    }

    /// Finds the route for a method and a raw path, percent-escapes and all.
    public func match(_ method: Method, _ path: String) -> Match {
        match(method, Array(path.utf8)[...])
    }

    // What is generic is small and may be inlined, so that it is specialized for the handlers.
    @inlinable
    func match(_ method: Method, _ path: ArraySlice<UInt8>) -> Match {
        switch table.find(method, path) {
        case .route(let index, let parameters): .found(routes[index].handler, parameters)
        case .otherMethods(let allowed): .methodNotAllowed(allowed: allowed)
        case .nothing: .notFound
        }
    }

    /// The methods that a raw path takes, `HEAD` and `OPTIONS` among them.
    ///
    /// Empty if there is nothing at the path.
    public func methods(at path: String) -> [Method] {
        table.methods(at: Array(path.utf8)[...])
    }
}
