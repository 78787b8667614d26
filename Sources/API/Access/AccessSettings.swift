/// What the owner of the server has decided on who is let in.
public struct AccessSettings: Sendable {
    /// A token of the default account that is in no file; if there is one, nobody gets in without a
    /// token.
    public var fixedToken: FixedToken?

    /// Whether a server that asks for no tokens answers whatever host it is called.
    ///
    /// If not, it answers only to names of this machine. Else a web page could have its own name lead
    /// here (DNS rebinding), and its scripts, to which this server then is the page's own, could read
    /// and change everything.
    public var opensToEveryHost = true

    /// How many requests each token may make in a minute; `nil` is any number.
    public var requestsPerMinute: Int?

    /// How many verified tokens are remembered at most, for some 200 bytes each.
    public var rememberedTokens = 262_144

    /// Hashes a secret the way that a hash was made; `nil` if that is not known, as by default.
    ///
    /// The hash is a function of the C library, which is not the API's to call.
    public var hash: @Sendable (_ secret: String, _ setting: String) -> String?

    public init(
        hash: @escaping @Sendable (_ secret: String, _ setting: String) -> String? = { _, _ in nil }
    ) {
        self.hash = hash
    }
}
