import HTTP
import Store

/// A response to keep, with the tag of the bytes it has.
///
/// A class, though nothing of it changes: the cache hands it out again and again.
final class Snapshot: Sendable {
    let etag: ETag

    /// The response, which has the tag in its header.
    let response: Response

    /// The tag as it stands there.
    fileprivate let etagBytes: ArraySlice<UInt8>?

    /// What tells a client that it has the response already: the same header, of which it shares the
    /// bytes, but for the type of a body that is not sent.
    fileprivate let notModified: Response

    /// Makes a response of a body in JSON.
    init(_ body: [UInt8], etag: ETag) {
        self.etag = etag
        // A slice's copy has no room to spare, which what is written bit by bit has.
        response = Response(json: Array(body[...]), etag: etag)
        etagBytes = response.headers.firstValue(of: .eTag)
        var headers = response.headers
        headers.removeFirst(.contentType)
        notModified = Response(.notModified, headers: headers)
    }
}

extension Snapshot: Equatable {
    static func == (one: Snapshot, other: Snapshot) -> Bool {
        one.response == other.response
    }
}

extension Response {
    /// Makes a response of a body in JSON, which nobody will ask for again.
    init(json body: [UInt8], etag: ETag) {
        var headers = HeaderFields.json
        headers.append(bytes: etag.fieldBytes.span, for: .eTag)
        self.init(.ok, headers: headers, body: body)
    }
}

extension HeaderFields {
    /// That it is JSON, and what a cache must know: whose it is, and to ask each time whether it still
    /// holds.
    static let json: HeaderFields = [
        .contentType: MediaType.json.rawValue, .cacheControl: "private, no-cache",
    ]
}

extension Request {
    /// The snapshot as the answer to a `GET` or `HEAD`, as its conditions have it.
    ///
    /// - Throws: ``Problem`` if `If-Match` does not hold, or a condition cannot be read.
    func respond(with snapshot: Snapshot) throws(Problem) -> Response {
        guard !rareFields.isDisjoint(with: .conditions) else { return snapshot.response }
        // In the order of RFC 9110 §13.2.2.
        if rareFields.contains(.ifMatch), let condition = try condition(.ifMatch),
            !condition.matchesStrongly(snapshot.etag)
        {
            throw Problem(.preconditionFailed, Problem.preconditionDetail(snapshot.etag))
        }
        // Nearly all conditions are the tag that there is, which need not be taken apart.
        if let only = headers.onlyValue(of: .ifNoneMatch), only == snapshot.etagBytes {
            return snapshot.notModified
        }
        if let condition = try condition(.ifNoneMatch), condition.matchesWeakly(snapshot.etag) {
            return snapshot.notModified
        }
        return snapshot.response
    }

    fileprivate func condition(_ name: FieldName) throws(Problem) -> ETagCondition? {
        guard let value = headers[name] else { return nil }
        guard let condition = ETagCondition(value) else {
            throw Problem(
                .malformedHeader,
                #"\#(name) must be * or a list of entity tags in double quotes, such as "3"."#
            )
        }
        return condition
    }
}

extension Call {
    /// Checks that nothing is made conditional on what there is not yet.
    ///
    /// - Throws: ``Problem`` if there is a condition: to pass over one would let something happen
    ///   that the client did not want (RFC 9110 §13.2.1).
    func refuseConditions() throws(Problem) {
        guard !request.rareFields.isDisjoint(with: .conditions) else { return }
        for name: FieldName in [.ifMatch, .ifNoneMatch] where request.headers.contains(name) {
            throw Problem(
                .malformedHeader,
                "\(name) is not for POST. The same id with the same content creates nothing twice."
            )
        }
    }

    /// What the client takes the thing to be that it wants to change or delete.
    ///
    /// - Throws: ``Problem`` if that cannot be read, or is the condition of a `GET`: one that is
    ///   passed over would let something happen that the client did not want (RFC 9110 §13.2.1).
    var precondition: Precondition {
        get throws(Problem) {
            guard !request.rareFields.contains(.ifNoneMatch) else {
                throw Problem(
                    .malformedHeader,
                    "If-None-Match is for GET and HEAD. Use If-Match to change only what you saw."
                )
            }
            return switch try request.condition(.ifMatch) {
            case nil: .none
            case .any?: .exists
            case .oneOf(let tags)?: .revisions(tags.compactMap(\.revision))
            }
        }
    }
}

extension ETag {
    /// The tag of a goal or a transaction.
    init(revision: Int) {
        self.init(String(revision))
    }

    /// The revision that the tag stands for; `nil` if it is weak, and so stands for no one
    /// revision, or was not made here.
    fileprivate var revision: Int? {
        guard !isWeak, let revision = Int(opaque), ETag(revision: revision) == self else {
            return nil
        }
        return revision
    }
}

extension Problem {
    static func preconditionFailed(current: ETag) -> Problem {
        Problem(
            .preconditionFailed,
            preconditionDetail(current),
            headers: [.eTag: current.fieldValue]
        )
    }

    fileprivate static func preconditionDetail(_ current: ETag) -> String {
        "If-Match names no current entity tag: read it again. Its tag is \(current.fieldValue) now."
    }
}
