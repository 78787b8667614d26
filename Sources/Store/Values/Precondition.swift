/// What must be true of a thing for a command to change it.
public enum Precondition: Hashable, Sendable {
    /// Nothing.
    case none

    /// That it exists.
    case exists

    /// That it is in one of these revisions.
    case revisions([Int])

    /// Checks it against the revision of a thing that exists.
    func check(_ revision: Int) throws {
        switch self {
        case .none, .exists:
            return
        case .revisions(let accepted):
            guard accepted.contains(revision) else {
                throw StoreError.preconditionFailed(currentRevision: revision)
            }
        }
    }
}

/// What a creation under an identifier of the caller's choice came to.
public enum Creation<Value> {
    case created(Value)

    /// The same was created before; this is what has become of it.
    case existing(Value)
}

extension Creation: Sendable where Value: Sendable {}
extension Creation: Equatable where Value: Equatable {}
