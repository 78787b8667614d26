import Goals

/// Checks what is made of an amount: `EUR 12.50`, which is a code, some byte, and the text to read.
///
/// The bytes also stand for a number of minor units, which is written.
func check(_ bytes: [UInt8]) {
    let code = String(decoding: bytes.prefix(3), as: UTF8.self)
    let currency = Currency(code)
    expect(currency.map { $0.code == code } ?? true, "\(code) is taken for another currency")
    guard let currency else { return }

    checkReading(of: String(decoding: bytes.dropFirst(4), as: UTF8.self), in: currency)
    let bits = bytes.dropFirst(4).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    checkWriting(of: Money(minorUnits: Int64(bitPattern: bits)), in: currency)
}

private func checkReading(of text: String, in currency: Currency) {
    let normalized = normalize(text, decimals: currency.decimals)
    do throws(Money.ReadingMistake) {
        let money = try Money(decimal: text, in: currency)
        guard let normalized else { return expect(false, "“\(text)” is read as \(money)") }

        let written = money.text(in: currency)
        expect(written == normalized, "“\(text)” is written as “\(written)”")
        expect(Money.zero <= money, "An amount is below zero")
        expect(money <= Money.largestAmount, "An amount is above the largest")
        let digits = normalized.filter { $0 != "." }
        expect(String(money.minorUnits) == withoutZeros(digits), "“\(text)” is \(money)")
        expect(
            (try? Money(decimal: written, in: currency)) == money,
            "“\(written)” is not \(money)"
        )
    } catch {
        guard let normalized else { return }
        let digits = withoutZeros(normalized.filter { $0 != "." })
        expect(error == .tooLarge, "“\(text)” is refused: \(error)")
        expect(digits.count > 15, "“\(text)” is refused as too large")
    }
}

/// The digits of a decimal text in the form in which they are written; `nil` if it is none.
private func normalize(_ text: String, decimals: Int) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
    guard areDigits, let whole = parts.first, parts.count <= 2 else { return nil }
    let fraction = parts.count == 2 ? parts[1] : ""
    guard fraction.count <= decimals else { return nil }
    guard decimals > 0 else { return withoutZeros(String(whole)) }
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return withoutZeros(String(whole)) + "." + fraction + zeros
}

private func withoutZeros(_ digits: String) -> String {
    let digits = digits.drop { $0 == "0" }
    return digits.isEmpty ? "0" : String(digits)
}

/// Checks that an amount is written with its digits, its sign, and a point in the right place.
private func checkWriting(of money: Money, in currency: Currency) {
    let text = money.text(in: currency)
    let point = text.firstIndex(of: ".")
    let decimals = point.map { text.distance(from: $0, to: text.endIndex) - 1 }

    expect(decimals ?? 0 == currency.decimals, "“\(text)” does not have its decimals")
    expect(Int64(text.filter { $0 != "." }) == money.minorUnits, "“\(text)” is not \(money)")
    expect((point == nil) == (currency.decimals == 0), "“\(text)” has a point that ends it")
    let read = try? Money(decimal: text, in: currency)
    let isAmount = Money.zero <= money && money <= Money.largestAmount
    expect(read == (isAmount ? money : nil), "“\(text)” is read as \(String(describing: read))")
}
