import HTTP

// Why somebody was not let in.

extension Problem {
    /// What is wrong with what a request shows to be let in.
    enum Credential {
        case missing, invalid
    }

    /// The challenge that RFC 6750 §3 asks for; which error it names is there for programs.
    static func unauthorized(_ credential: Credential) -> Problem {
        switch credential {
        case .missing:
            Problem(
                .unauthorized,
                "The request needs an access token: Authorization: Bearer, a blank, and the token.",
                headers: [.wwwAuthenticate: challenge]
            )
        case .invalid:
            // Which of these it is, is the owner's business, not that of whoever found the token.
            Problem(
                .unauthorized,
                "The access token is none, was revoked or has expired, or its account is disabled.",
                headers: [.wwwAuthenticate: challenge + #", error="invalid_token""#]
            )
        }
    }

    static let foreignHost = Problem(
        .foreignHost,
        "Without access tokens, this server answers only to localhost and 127.0.0.1, so that no web page "
            + "can reach it under a name of its own. Make a token with goalpost token add default."
    )

    static let readOnlyToken = Problem(
        .insufficientScope,
        "The access token is for reading alone.",
        headers: [.wwwAuthenticate: challenge + #", error="insufficient_scope""#]
    )

    static func tooManyFailedLogins(secondsToWait: Int) -> Problem {
        Problem(
            .rateLimited,
            "Too many requests with wrong access tokens came from this address. Try again in "
                + "\(secondsToWait) s.",
            headers: [.retryAfter: String(secondsToWait)]
        )
    }

    static func tooManyRequests(_ allowance: RequestBudget.Allowance) -> Problem {
        var headers: HeaderFields = [.retryAfter: String(allowance.secondsToWait)]
        headers.append(allowance)
        return Problem(
            .rateLimited,
            "This access token may make \(allowance.policy.requestsPerMinute) requests a minute. "
                + "Try again in \(allowance.secondsToWait) s.",
            headers: headers
        )
    }
}

private let challenge = #"Bearer realm="goalpost""#

extension HeaderFields {
    /// Adds what is left of a budget, as draft-ietf-httpapi-ratelimit-headers has it.
    mutating func append(_ allowance: RequestBudget.Allowance) {
        append(
            "\"token\";q=\(allowance.policy.requestsPerMinute);w=60",
            for: .rateLimitPolicy
        )
        append(
            "\"token\";r=\(allowance.remaining);t=\(allowance.secondsToFull)",
            for: .rateLimit
        )
    }
}

extension FieldName {
    static let wwwAuthenticate: FieldName = "WWW-Authenticate"
    static let rateLimit: FieldName = "RateLimit"
    static let rateLimitPolicy: FieldName = "RateLimit-Policy"
}
