internal import SQLite

/// What accounts and tokens are known as of.
///
/// Take it *before* reading them: what was read under a version that lasts holds until there is
/// another.
public struct AccessVersion: Hashable, Sendable {
    private let value: ChangeCounter.Value

    init(_ value: ChangeCounter.Value) {
        self.value = value
    }

    /// Whether what is read from now on holds until there is another version: no change is under way.
    public var lasts: Bool { value.isSettled }
}
