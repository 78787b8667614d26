/// A currency of ISO 4217 that is in use, and how many decimals its amounts have.
public struct Currency: Hashable, Sendable {
    /// The three letters in the lowest bytes.
    private let packedCode: UInt32

    /// The digits after the point: 2 mostly, but 0, 3 or 4 in some.
    public var decimals: Int { Int(digits) }

    private let digits: UInt8
}

extension Currency: ASCIIWritable, LosslessStringConvertible {
    /// Finds the currency that has a code, in upper case; `nil` if there is none in use.
    public init?(_ code: String) {
        guard
            let packedCode = pack(code.utf8),
            let digits = decimalsByCode[packedCode]
        else { return nil }
        self.packedCode = packedCode
        self.digits = digits
    }

    /// The three letters, in upper case.
    public var code: String { description }

    public static var maximumCharacters: Int { 3 }

    /// Appends the code.
    public func write(to output: inout OutputSpan<UInt8>) {
        output.append(UInt8(truncatingIfNeeded: packedCode >> 16))
        output.append(UInt8(truncatingIfNeeded: packedCode >> 8))
        output.append(UInt8(truncatingIfNeeded: packedCode))
    }
}

/// The codes in use and their decimals, as of February 2026 (Bulgaria's lev has gone).
///
/// Left out are the codes that have no decimals because nothing is paid in them: precious metals,
/// units of account, and those for testing and for no currency at all.
private let decimalsByCode: [UInt32: UInt8] = {
    let codes: [(decimals: UInt8, codes: String)] = [
        (
            0,
            """
            BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF
            """
        ),
        (
            2,
            """
            AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP
            BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB
            EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES
            KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR
            MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD
            RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP
            TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG
            """
        ),
        (3, "BHD IQD JOD KWD LYD OMR TND"),
        (4, "CLF UYW"),
    ]
    var decimalsByCode: [UInt32: UInt8] = [:]
    for (decimals, codes) in codes {
        for code in codes.split(whereSeparator: \.isWhitespace) {
            guard let packedCode = pack(code.utf8) else {
                preconditionFailure("\(code) in the table above is no code")
            }
            decimalsByCode[packedCode] = decimals
        }
    }
    return decimalsByCode
}()

/// Three capital letters as one number, or `nil` if they are something else.
private func pack(_ code: some Collection<UInt8>) -> UInt32? {
    guard
        code.count == 3,
        code.allSatisfy({ UInt8(ascii: "A") <= $0 && $0 <= UInt8(ascii: "Z") })
    else { return nil }
    return code.reduce(0) { $0 << 8 | UInt32($1) }
}
