/// Reads a body that comes in chunks (RFC 9112 §7.1), in whatever pieces the bytes arrive.
///
/// Extensions and trailer fields are checked for their syntax, bounded, and dropped.
struct ChunkReader: Sendable {
    private var state = State.sizeStart

    /// The size of the chunk as far as it is read, then what of its data has not come yet.
    private var size = 0
    private var sizeDigits = 0
    private var extensionBytes = 0
    private var trailerBytes = 0

    /// What the next byte is part of.
    private enum State {
        case sizeStart, size, sizeLineFeed
        case beforeSemicolon, beforeExtension, extensionName, afterExtensionName
        case beforeExtensionValue, extensionToken, quoted, escaped, afterQuoted
        case data, dataReturn, dataLineFeed
        case trailerStart, trailerName, trailerValue, trailerLineFeed
        case endLineFeed, end
    }

    /// Goes on reading.
    ///
    /// - Parameters:
    ///   - bytes: What has arrived.
    ///   - offset: How much of it is read; moved on.
    ///   - body: What the chunks' data is appended to.
    ///   - limits: How much of everything there may be.
    /// - Returns: Whether the body has ended.
    /// - Throws: ``Refusal`` if the chunks break the grammar or a limit.
    mutating func read(
        _ bytes: [UInt8],
        from offset: inout Int,
        into body: inout [UInt8],
        limits: RequestParser.Limits
    ) throws(Refusal) -> Bool {
        while offset < bytes.count, state != .end {
            if state == .data {
                let end = offset + min(size, bytes.count - offset)
                body.append(contentsOf: bytes[offset..<end])
                size -= end - offset
                offset = end
                state = size == 0 ? .dataReturn : .data
            } else {
                state = try step(bytes[offset], bodyCount: body.count, limits)
                offset += 1
            }
        }
        return state == .end
    }
}

extension ChunkReader {
    /// The state after a byte that is not data.
    private mutating func step(
        _ byte: UInt8,
        bodyCount: Int,
        _ limits: RequestParser.Limits
    ) throws(Refusal) -> State {
        switch state {
        case .sizeStart, .size, .sizeLineFeed:
            return try sizeStep(byte, bodyCount: bodyCount, limits)
        case .beforeSemicolon, .beforeExtension, .extensionName, .afterExtensionName,
            .beforeExtensionValue, .extensionToken, .quoted, .escaped, .afterQuoted:
            return try extensionStep(byte, limits)
        case .dataReturn:
            return try expect(.carriageReturn, byte, then: .dataLineFeed)
        case .dataLineFeed:
            return try expect(.lineFeed, byte, then: .sizeStart)
        case .trailerStart, .trailerName, .trailerValue, .trailerLineFeed, .endLineFeed:
            return try trailerStep(byte, limits)
        case .data, .end:
            preconditionFailure("The loop never asks in these states")
        }
    }

    private mutating func sizeStep(
        _ byte: UInt8,
        bodyCount: Int,
        _ limits: RequestParser.Limits
    ) throws(Refusal) -> State {
        if state == .sizeLineFeed {
            _ = try expect(.lineFeed, byte, then: .data)
            guard size <= limits.bodyBytes - bodyCount else { throw .contentTooLarge }
            sizeDigits = 0
            return size == 0 ? .trailerStart : .data
        }
        if let digit = byte.hexadecimalValue {
            sizeDigits += 1
            guard sizeDigits <= 16 else { throw .malformed("The size of a chunk is too long.") }
            // Where the digits go on, the size stays beyond every limit, and does not overflow.
            if size < Int.max >> 5 {
                size = size << 4 | Int(digit)
            }
            return .size
        }
        guard state == .size else {
            throw .malformed("A chunk does not begin with its size in hexadecimal digits.")
        }
        return try afterExtension(byte)
    }

    /// Where a size or an extension has ended: another extension, or the end of the line.
    private func afterExtension(_ byte: UInt8) throws(Refusal) -> State {
        switch byte {
        case .carriageReturn: .sizeLineFeed
        case UInt8(ascii: ";"): .beforeExtension
        case .space, .tab: .beforeSemicolon
        default: throw .malformed("The line of a chunk's size has a byte that can't be there.")
        }
    }

    private mutating func extensionStep(
        _ byte: UInt8,
        _ limits: RequestParser.Limits
    ) throws(Refusal) -> State {
        extensionBytes += 1
        guard extensionBytes <= limits.chunkExtensionBytes else {
            throw .malformed("The extensions of the chunks are too long.")
        }
        switch state {
        case .beforeSemicolon where byte.isBlank: return .beforeSemicolon
        case .beforeSemicolon where byte == UInt8(ascii: ";"): return .beforeExtension
        case .beforeExtension where byte.isBlank: return .beforeExtension
        case .beforeExtension where byte.isTokenByte: return .extensionName
        case .extensionName where byte.isTokenByte: return .extensionName
        case .extensionName where byte.isBlank: return .afterExtensionName
        case .extensionName where byte == UInt8(ascii: "="): return .beforeExtensionValue
        case .extensionName: return try afterExtension(byte)
        case .afterExtensionName where byte.isBlank: return .afterExtensionName
        case .afterExtensionName where byte == UInt8(ascii: "="): return .beforeExtensionValue
        case .afterExtensionName where byte == UInt8(ascii: ";"): return .beforeExtension
        case .beforeExtensionValue where byte.isBlank: return .beforeExtensionValue
        case .beforeExtensionValue where byte == UInt8(ascii: "\""): return .quoted
        case .beforeExtensionValue where byte.isTokenByte: return .extensionToken
        case .extensionToken where byte.isTokenByte: return .extensionToken
        case .extensionToken, .afterQuoted: return try afterExtension(byte)
        case .quoted where byte == UInt8(ascii: "\""): return .afterQuoted
        case .quoted where byte == UInt8(ascii: "\\"): return .escaped
        case .quoted where byte.isFieldByte: return .quoted
        case .escaped where byte.isFieldByte: return .quoted
        default: throw .malformed("The extension of a chunk is not a name with an optional value.")
        }
    }

    private mutating func trailerStep(
        _ byte: UInt8,
        _ limits: RequestParser.Limits
    ) throws(Refusal) -> State {
        trailerBytes += 1
        guard trailerBytes <= limits.trailerBytes else { throw .headTooLarge }
        switch state {
        case .trailerStart where byte == .carriageReturn: return .endLineFeed
        case .trailerStart where byte.isTokenByte: return .trailerName
        case .trailerName where byte.isTokenByte: return .trailerName
        case .trailerName where byte == UInt8(ascii: ":"): return .trailerValue
        case .trailerValue where byte.isFieldByte: return .trailerValue
        case .trailerValue where byte == .carriageReturn: return .trailerLineFeed
        case .trailerLineFeed: return try expect(.lineFeed, byte, then: .trailerStart)
        case .endLineFeed: return try expect(.lineFeed, byte, then: .end)
        default: throw .malformed("What follows the last chunk is neither a field nor the end.")
        }
    }

    private func expect(
        _ expected: UInt8,
        _ byte: UInt8,
        then next: State
    ) throws(Refusal) -> State {
        guard byte == expected else {
            throw .malformed("A chunk or its line does not end in CR and LF.")
        }
        return next
    }
}
