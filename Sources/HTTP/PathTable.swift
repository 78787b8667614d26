/// The patterns of a routing table and the search through them.
///
/// What a route does with a path is not its business, which is why it is not generic and runs
/// without looking up types: see ``Router``.
@usableFromInline
struct PathTable: Sendable {
    private var places: [Place] = []

    /// A pattern, and where in the routing table the route for each method is.
    struct Place: Sendable {
        let pattern: PathPattern
        fileprivate(set) var routes: [(method: Method, index: Int)]

        func route(for method: Method) -> Int? {
            routes.first { $0.method == method }?.index
        }

        /// The methods of the place in the order of the table.
        ///
        /// Those that nobody has to write into it stand where they belong: `HEAD` after `GET`,
        /// `OPTIONS` at the end.
        var methods: [Method] {
            var methods: [Method] = []
            for (method, _) in routes {
                methods.append(method)
                if method == .get, route(for: .head) == nil { methods.append(.head) }
            }
            if route(for: .options) == nil { methods.append(.options) }
            return methods
        }
    }
}

extension PathTable {
    /// Adds a route.
    ///
    /// - Precondition: There is none for the method and the pattern, and no pattern that takes all
    ///   paths of this one.
    mutating func add(_ method: Method, _ pattern: PathPattern, at index: Int) {
        guard let place = places.firstIndex(where: { $0.pattern == pattern }) else {
            precondition(
                !places.contains { $0.pattern.covers(pattern) },
                "A route before \(method.rawValue) \(pattern) hides it"
            )
            places.append(Place(pattern: pattern, routes: [(method, index)]))
            return
        }
        precondition(
            places[place].route(for: method) == nil,
            "Two routes for \(method.rawValue) \(pattern)"
        )
        places[place].routes.append((method, index))
    }

    /// What there is for a method and a path.
    @usableFromInline
    enum Finding {
        /// The route at an index of the routing table.
        case route(Int, PathParameters)

        /// There is something at the path, and it takes these methods.
        case otherMethods(allowed: [Method])
        case nothing
    }

    /// Finds what there is for a method and a path, percent-escapes and all.
    ///
    /// `HEAD` has the route of `GET`, unless it has one of its own.
    @usableFromInline
    func find(_ method: Method, _ path: ArraySlice<UInt8>) -> Finding {
        guard let (place, path, segments) = find(path) else { return .nothing }
        guard
            let index = places[place].route(for: method)
                ?? (method == .head ? places[place].route(for: .get) : nil)
        else { return .otherMethods(allowed: places[place].methods) }
        return .route(index, PathParameters(places[place].pattern, in: path, segments))
    }

    /// The methods that a path takes; none if there is nothing.
    func methods(at path: ArraySlice<UInt8>) -> [Method] {
        find(path).map { places[$0.place].methods } ?? []
    }

    /// Finds the place that a path belongs to: the first whose pattern fits.
    ///
    /// - Parameter path: The path, percent-escapes and all.
    /// - Returns: The place, and the path with its escapes undone.
    private func find(
        _ path: ArraySlice<UInt8>
    ) -> (place: Int, path: ArraySlice<UInt8>, segments: PathSegments)? {
        let segments = PathSegments(of: path.span)
        guard segments.hasEscapes else { return find(path, segments) }
        guard let path = decoded(path) else { return nil }
        return find(path, PathSegments(of: path.span))
    }

    /// Finds the place of a path whose escapes are undone: what is a percent sign now means itself.
    private func find(
        _ path: ArraySlice<UInt8>,
        _ segments: PathSegments
    ) -> (place: Int, path: ArraySlice<UInt8>, segments: PathSegments)? {
        let span = path.span
        for index in places.indices where places[index].pattern.fits(span, segments) {
            return (index, path, segments)
        }
        return nil
    }
}

/// Undoes the escapes of a path, once.
///
/// `%68` is an `h`, and `%2568` is not.
///
/// - Returns: `nil` if an escape is broken, or stands for what no pattern takes: a slash that is
///   no separator, a NUL, bytes that are no UTF-8.
private func decoded(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let slash = UInt8(ascii: "/")
    guard let bytes = PercentEncoding.decode(path),
        bytes.count(where: { $0 == slash }) == path.count(where: { $0 == slash }),
        String(validating: bytes, as: UTF8.self) != nil
    else { return nil }
    return bytes[...]
}
