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

    private let places: [Place]

    /// A pattern and what it has for each method.
    private struct Place {
        let pattern: PathPattern
        var handlers: [(method: Method, handler: Handler)]

        func handler(for method: Method) -> Handler? {
            handlers.first { $0.method == method }?.handler
        }

        /// The methods of the place in the order of the table; those that nobody has to write into
        /// it stand where they belong: `HEAD` after `GET`, `OPTIONS` at the end.
        var allowed: [Method] {
            var methods: [Method] = []
            for method in handlers.map(\.method) where !methods.contains(method) {
                methods.append(method)
                if method == .get, handler(for: .head) == nil { methods.append(.head) }
            }
            if handler(for: .options) == nil { methods.append(.options) }
            return methods
        }
    }

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
        var places: [Place] = []
        for route in routes {
            if let index = places.firstIndex(where: { $0.pattern == route.pattern }) {
                precondition(
                    places[index].handler(for: route.method) == nil,
                    "Two routes for \(route.method.rawValue) \(route.pattern)"
                )
                places[index].handlers.append((route.method, route.handler))
            } else {
                precondition(
                    !places.contains { $0.pattern.covers(route.pattern) },
                    "A route before \(route.method.rawValue) \(route.pattern) hides it"
                )
                places.append(
                    Place(pattern: route.pattern, handlers: [(route.method, route.handler)])
                )
            }
        }
        self.routes = routes
        self.places = places
    }
}

extension Router {
    /// Finds the route for a request.
    ///
    /// `HEAD` is answered by the `GET` route, unless it has one of its own. The target `*` is no
    /// path, so nothing is found at it.
    public func match(_ request: Request) -> Match {
        request.target.form == .origin
            ? match(request.method, request.target.pathBytes) : .notFound
    }

    /// Finds the route for a method and a raw path, percent-escapes and all.
    public func match(_ method: Method, _ path: String) -> Match {
        match(method, Array(path.utf8)[...])
    }

    private func match(_ method: Method, _ path: ArraySlice<UInt8>) -> Match {
        guard let (place, parameters) = place(at: path) else { return .notFound }
        if let handler = place.handler(for: method) { return .found(handler, parameters) }
        if method == .head, let handler = place.handler(for: .get) {
            return .found(handler, parameters)
        }
        return .methodNotAllowed(allowed: place.allowed)
    }

    /// The methods that a raw path takes, `HEAD` and `OPTIONS` among them; empty if there is
    /// nothing at it.
    public func methods(at path: String) -> [Method] {
        place(at: Array(path.utf8)[...])?.place.allowed ?? []
    }

    private func place(
        at path: ArraySlice<UInt8>
    ) -> (place: Place, parameters: PathParameters)? {
        for place in places {
            if let parameters = place.pattern.match(path) { return (place, parameters) }
        }
        return nil
    }
}
