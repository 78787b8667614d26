public import Goals

/// What the owner of the server has decided.
public struct APISettings: Sendable {
    /// The currency of goals that name none.
    public let currency: Currency

    /// The zone that decides which day today is.
    public let timeZone: Zone

    /// How many bytes of ready responses are kept at most.
    public let cacheBytes: Int

    /// Who is let in.
    public let access: AccessSettings

    /// The web pages whose scripts may read the answers; `nil` is none.
    public let crossOrigins: CrossOrigins?

    public init(
        currency: Currency,
        timeZone: Zone,
        cacheBytes: Int = 16 * 1024 * 1024,
        access: AccessSettings = AccessSettings(),
        crossOrigins: CrossOrigins? = nil
    ) {
        self.currency = currency
        self.timeZone = timeZone
        self.cacheBytes = cacheBytes
        self.access = access
        self.crossOrigins = crossOrigins
    }
}
