/// Whether the store takes writes.
public enum Health: Hashable, Sendable {
    case writable
    case failing(StorageFailure)
}
