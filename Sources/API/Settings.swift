public import Goals

/// What the owner of the server has decided.
public struct APISettings: Sendable {
    /// The currency of goals that name none.
    public let currency: Currency

    /// The zone that decides which day today is.
    public let timeZone: Zone

    /// How many bytes of ready responses are kept at most.
    public let cacheBytes: Int

    public init(currency: Currency, timeZone: Zone, cacheBytes: Int = 16 * 1024 * 1024) {
        self.currency = currency
        self.timeZone = timeZone
        self.cacheBytes = cacheBytes
    }
}
