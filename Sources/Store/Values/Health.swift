/// Whether the store takes writes.
public enum Health: Hashable, Sendable {
    case writable

    /// The last write failed, for the reason in the text.
    case failing(String)
}
