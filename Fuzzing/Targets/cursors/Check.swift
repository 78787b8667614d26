import Foundation
import Store

@testable import API

/// Checks what is made of a cursor that a client sends back.
///
/// The bytes are tried as the text of a cursor, and as what a cursor has within, whose checksum is
/// put right: by chance alone, nothing would ever get past that.
func check(_ bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self) {
        checkCursor(text)
        checkBase64(text)
    }
    checkCursor(Base64URL.encode(withRightChecksum(bytes)))
    checkPositions(of: bytes)

    let encoded = Base64URL.encode(bytes)
    expect(Base64URL.decode(encoded) == bytes, "“\(encoded)” is not what was encoded")
}

private let parts: [String?] = ["goals", nil, "active", "-updatedAt"]
private let list = ListIdentity(of: .default, parts[0], parts[1], parts[2], parts[3])
private let otherList = ListIdentity(of: .default, parts[0], parts[2], parts[1], parts[3])

/// Checks that a cursor is read only if it is what would be written, and for its list alone.
private func checkCursor(_ text: String) {
    guard let cursor = Cursor(text, for: list) else { return }
    let written = cursor.text(for: list)
    expect(written.utf8.elementsEqual(text.utf8), "“\(text)” is written as “\(written)”")
    expect(Cursor(text, for: otherList) == nil, "“\(text)” is good for another list")
}

/// Checks that any position comes back.
private func checkPositions(of bytes: [UInt8]) {
    let high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    let low = bytes.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    let text = String(decoding: bytes.dropFirst(16), as: UTF8.self)
    for key in [.integer(Int64(bitPattern: low)), .text(text)] as [Position.SortKey] {
        let written = Cursor(Position(key: key, high: high, low: low)).text(for: list)
        let read = Cursor(written, for: list)?.position
        expect(read?.high == high && read?.low == low, "“\(written)” names another row")
        switch (key, read?.key) {
        case (.integer(let number), .integer(let other)?):
            expect(number == other, "\(number) comes back as \(other)")
        case (.text(let text), .text(let other)?):
            expect(text.utf8.elementsEqual(other.utf8), "“\(text)” comes back as “\(other)”")
        default:
            expect(false, "“\(written)” is not read")
        }
    }
}

/// Checks that text has one spelling, and that Foundation decodes it to the same bytes.
private func checkBase64(_ text: String) {
    guard let bytes = Base64URL.decode(text) else { return }
    expect(Base64URL.encode(bytes).utf8.elementsEqual(text.utf8), "“\(text)” has another spelling")
    let standard =
        text.replacing("-", with: "+").replacing("_", with: "/")
        + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    expect(Data(base64Encoded: standard) == Data(bytes), "“\(text)” has other bytes for Foundation")
}

/// The bytes of a cursor, whose places 18 to 25 have the checksum of the rest.
private func withRightChecksum(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 26 else { return bytes }
    var checksum = Checksum()
    for part in parts {
        checksum.add(part == nil ? [0] : [1])
        checksum.add((part ?? "").utf8)
    }
    checksum.add(bytes[..<2])
    checksum.add(bytes[2..<10])
    checksum.add(bytes[10..<18])
    checksum.add(bytes[26...])
    let places = stride(from: 56, through: 0, by: -8).map { UInt64($0) }
    let right = places.map { UInt8(truncatingIfNeeded: checksum.value >> $0) }
    return bytes[..<18] + right + bytes[26...]
}
