import Foundation
import Goals

@testable import API

/// Checks what is made of a request's body.
func check(_ bytes: [UInt8]) {
    let value: JSON
    do throws(JSONMistake) {
        value = try JSON(bytes)
    } catch {
        checkMistake(error, bytes)
        checkMembers(bytes, mistake: error)
        // Beyond the grammar, four things are refused.
        let isGrammatical = JSONGrammar.accepts(bytes)
        let deserves = ["this member already", "nested deeper", "surrogate", "accents"]
        let isDeserved = deserves.contains { error.reason.contains($0) }
        expect(!isGrammatical || isDeserved, "What the grammar allows is refused: \(error.reason)")
        return
    }
    expect(JSONGrammar.accepts(bytes), "What is read is no JSON")
    expect((try? JSON(bytes)) == value, "The same text reads as two values")
    checkMembers(of: value, bytes)
    checkWriting(of: value)
    checkAmounts(in: value)
    checkAgainstFoundation(value, bytes)
}

/// Checks that the members of an object, read alone, are those that it has as a value.
private func checkMembers(of value: JSON, _ bytes: [UInt8]) {
    guard let members = try? JSON.members(of: bytes) else {
        return expect(!isObject(value), "An object has no members")
    }
    let read = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    expect(read.count == members.count, "An object has a member twice")
    expect(isSame(.object(read), value), "The members of an object are others than it has")
}

/// Checks that a text that is not read as a value has no members, for the same reason.
private func checkMembers(_ bytes: [UInt8], mistake: JSONMistake) {
    do throws(JSONMistake) {
        _ = try JSON.members(of: bytes)
        expect(false, "What is refused has members")
    } catch {
        expect(error == mistake, "The mistake is \(mistake), and \(error) in the members")
    }
}

private func isObject(_ value: JSON) -> Bool {
    guard case .object = value else { return false }
    return true
}

/// Checks that what is read, and then written, reads as the same.
private func checkWriting(of value: JSON) {
    var json = JSONWriter()
    WritableValue(value).write(to: &json)
    guard let again = try? JSON(json.bytes) else {
        return expect(false, "“\(String(decoding: json.bytes, as: UTF8.self))” is not read")
    }
    expect(isSame(again, value), "“\(String(decoding: json.bytes, as: UTF8.self))” changes")
}

/// Checks that an amount is exactly the number it is read from.
private func checkAmounts(in value: JSON) {
    switch value {
    case .array(let elements):
        for element in elements { checkAmounts(in: element) }
    case .object(let members):
        for member in members.values { checkAmounts(in: member) }
    case .number(let digits):
        guard
            let dollar = Currency("USD"),
            case .success(let money) = Rule.amountOrZero(in: dollar).read(value)
        else { return }
        let number = Decimal(string: digits, locale: Locale(identifier: "en_US_POSIX"))
        let cents = number.map { $0 * 100 }
        expect(cents == Decimal(money.minorUnits), "\(digits) is read as \(money)")
    case .null, .bool, .string:
        return
    }
}

/// Checks that a mistake is said to be somewhere in the text, or right after it.
private func checkMistake(_ mistake: JSONMistake, _ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    expect((1...lines.count).contains(mistake.line), "There is no line \(mistake.line)")
    let line = lines[mistake.line - 1]
    expect((1...line.count + 1).contains(mistake.column), "There is no column \(mistake.column)")
    expect(!mistake.reason.isEmpty, "A mistake has no reason")
}

// MARK: - Foundation

/// Checks that Foundation reads the same value.
///
/// It is no judge of what JSON is: it reads `[1,]` and other encodings, drops byte order marks even
/// within strings, and reads no number that it can't hold.
private func checkAgainstFoundation(_ value: JSON, _ bytes: [UInt8]) {
    let hasMark = String(decoding: bytes, as: UTF8.self).unicodeScalars.contains("\u{FEFF}")
    guard !hasMark, !value.hasLargeNumber else { return }
    guard let theirs = foundationValue(bytes) else {
        return expect(false, "Foundation refuses what is read")
    }
    expect(isSame(value, theirs), "Foundation reads \(theirs), not \(value)")
}

private func foundationValue(_ bytes: [UInt8]) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
}

/// Whether Foundation has read the same value; of numbers it has lost the digits.
private func isSame(_ value: JSON, _ theirs: Any) -> Bool {
    switch value {
    case .null:
        theirs is NSNull
    case .bool(let flag):
        theirs as? Bool == flag
    case .number(let digits):
        (theirs as? NSNumber).map { isNear($0.doubleValue, Double(digits)) } ?? false
    case .string(let text):
        (theirs as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
    case .array(let elements):
        (theirs as? [Any]).map {
            $0.count == elements.count && zip(elements, $0).allSatisfy { isSame($0, $1) }
        } ?? false
    case .object(let members):
        (theirs as? [String: Any]).map { theirs in
            // To Foundation, names are the same that look alike: it has one member for several.
            Set(members.keys.map(\.text)).count < members.count
                || theirs.count == members.count
                    && members.allSatisfy { name, member in
                        theirs[name.text].map { isSame(member, $0) } ?? false
                    }
        } ?? false
    }
}

private func isNear(_ number: Double, _ other: Double?) -> Bool {
    guard let other else { return false }
    return number == other || abs(number - other) <= abs(number) * 1e-15
}

// MARK: - Values

extension JSON {
    /// Whether a number is in it whose magnitude or exponent Foundation may refuse.
    fileprivate var hasLargeNumber: Bool {
        switch self {
        case .null, .bool, .string: false
        case .number(let digits): digits.count > 15 || Double(digits).map { $0.isInfinite } ?? true
        case .array(let elements): elements.contains(where: \.hasLargeNumber)
        case .object(let members): members.values.contains(where: \.hasLargeNumber)
        }
    }
}

/// Whether values are the same to the byte; texts are not if they only look the same.
private func isSame(_ one: JSON, _ other: JSON) -> Bool {
    switch (one, other) {
    case (.string(let one), .string(let other)):
        one.utf8.elementsEqual(other.utf8)
    case (.array(let one), .array(let other)):
        one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1) }
    case (.object(let one), .object(let other)):
        one.count == other.count
            && one.allSatisfy { name, member in
                guard let index = other.index(forKey: name) else { return false }
                return isSame(member, other[index].value)
            }
    default:
        one == other
    }
}

/// A value that was read, to be written.
private struct WritableValue: JSONWritable {
    let value: JSON

    init(_ value: JSON) {
        self.value = value
    }

    func write(to json: inout JSONWriter) {
        switch value {
        case .null: json.verbatim("null")
        case .bool(let flag): json.verbatim(flag ? "true" : "false")
        case .number(let digits): json.verbatim(digits)
        case .string(let text): json.string(text)
        case .array(let elements): json.array(elements.map(WritableValue.init))
        case .object(let members):
            // The writer's own way to write members is for names that need no escapes.
            json.verbatim("{")
            for (index, member) in members.enumerated() {
                if index > 0 { json.verbatim(",") }
                json.string(member.key.text)
                json.verbatim(":")
                WritableValue(member.value).write(to: &json)
            }
            json.verbatim("}")
        }
    }
}
