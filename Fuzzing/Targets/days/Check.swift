import Foundation
import Goals

/// Checks what is made of a text where a day or an identifier should be.
func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    checkDay(text)
    checkIdentifier(text)
    checkNumbers(bytes)
}

/// Checks that the calendar has the days that people count, and that each has one spelling.
private func checkDay(_ text: String) {
    let day = CalendarDay(text)
    expect(day?.daysSinceEpoch == countedDays(text), "“\(text)” is \(String(describing: day))")
    guard let day else { return }

    expect(day.description.utf8.elementsEqual(text.utf8), "“\(text)” is written as “\(day)”")
    expect(
        CalendarDay(daysSinceEpoch: Int(day.daysSinceEpoch)) == day,
        "\(day) is lost as a number"
    )
    expect(day.month.description == text.dropLast(3), "\(day) is in \(day.month)")
    expect((day.month.firstDay...day.month.lastDay).contains(day), "\(day) is not in its month")
    for distance in [-1, 1, 365, 73_000] {
        guard let other = day.adding(days: distance) else { continue }
        expect(day.days(until: other) == distance, "\(other) is not \(distance) days from \(day)")
        expect((day < other) == (distance > 0), "\(day) and \(other) are out of order")
        expect(CalendarDay(other.description) == other, "\(other) is not read")
    }
}

/// The days from 1970-01-01 to a day, counted year by year; `nil` if a text is no day.
private func countedDays(_ text: String) -> Int32? {
    let shape = text.utf8.map {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 ? UInt8(ascii: "d") : $0
    }
    guard
        shape == Array("dddd-dd-dd".utf8),
        let year = Int(text.prefix(4)), (1900...2199).contains(year),
        let month = Int(text.dropFirst(5).prefix(2)), (1...12).contains(month),
        let day = Int(text.suffix(2)), (1...days(in: month, of: year)).contains(day)
    else { return nil }
    var count = day - 1
    for month in 1..<month {
        count += days(in: month, of: year)
    }
    for year in min(year, 1970)..<max(year, 1970) {
        let length = (1...12).map { days(in: $0, of: year) }.reduce(0, +)
        count += year < 1970 ? -length : length
    }
    return Int32(count)
}

private func days(in month: Int, of year: Int) -> Int {
    let isLeap = year.isMultiple(of: 400) || year.isMultiple(of: 4) && !year.isMultiple(of: 100)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return lengths[month - 1]
}

/// Checks that an identifier is read if it has the one form there is, and as Foundation reads it.
///
/// Foundation alone would not do: in place of a digit it takes a sign.
private func checkIdentifier(_ text: String) {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let hasForm =
        groups.map(\.count) == [8, 4, 4, 4, 12]
        && groups.joined().allSatisfy { $0 < 0x80 && isxdigit(Int32($0)) != 0 }
    let identifier = Goal.ID(text)
    expect((identifier != nil) == hasForm, "“\(text)” is \(String(describing: identifier))")
    guard let identifier else { return }

    let written = identifier.description
    expect(written == UUID(uuidString: text)?.uuidString.lowercased(), "“\(text)” is \(written)")
    expect(written == text.lowercased(), "“\(text)” is written as \(written)")
    expect(Goal.ID(text.uppercased()) == identifier, "“\(text)” is another in upper case")
}

/// Checks that any number is written as a text that reads as the same number, or is no day.
private func checkNumbers(_ bytes: [UInt8]) {
    let high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    let low = bytes.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    let identifier = Goal.ID(high: high, low: low)
    expect(Goal.ID(identifier.description) == identifier, "\(identifier) is not read")

    for number in [Int(bitPattern: UInt(high)), Int(Int16(truncatingIfNeeded: high)) * 4] {
        guard let day = CalendarDay(daysSinceEpoch: number) else { continue }
        expect(CalendarDay(day.description) == day, "\(day) is not read")
        expect(Int(day.daysSinceEpoch) == number, "\(number) becomes another day")
    }
    // Whatever the clock says, and wherever it stands, it is some day.
    let moment = Moment(millisecondsSinceEpoch: Int64(bitPattern: high))
    let day = CalendarDay(of: moment, secondsFromGMT: Int(bitPattern: UInt(low)))
    expect((CalendarDay.earliest...CalendarDay.latest).contains(day), "\(moment) is on \(day)")
    expect(moment.description.hasSuffix("Z"), "\(high) milliseconds can't be written")
}
