@testable import HTTP

/// Checks what is made of the bytes of a body that comes in chunks.
func check(_ bytes: [UInt8]) {
    for limits in [.ordinary, .tight] as [RequestParser.Limits] {
        let whole = ChunkReading(of: bytes, cut: .nowhere, limits)
        for cuts in Cuts.allCases where cuts != .nowhere {
            expect(
                ChunkReading(of: bytes, cut: cuts, limits) == whole,
                "What is read depends on how the bytes are cut (\(cuts))"
            )
        }
        checkAgainstGrammar(whole, bytes, limits)
    }
    checkWriting(of: bytes)
}

/// Checks that another reader, who has the grammar before him and all bytes at once, agrees on
/// where the body ends and what is in it.
private func checkAgainstGrammar(
    _ reading: ChunkReading,
    _ bytes: [UInt8],
    _ limits: RequestParser.Limits
) {
    let body = ChunkGrammar.read(bytes)
    let isWithinLimits =
        body.map {
            $0.extensionBytes <= limits.chunkExtensionBytes
                && $0.trailerBytes <= limits.trailerBytes
        } ?? false
    switch reading.outcome {
    case .ended(let position):
        expect(body?.end == position, "The grammar has the body end elsewhere, or not at all")
        expect(body?.content == reading.content, "The grammar finds another body")
        expect(isWithinLimits, "The limits on extensions and trailers do not hold")
    case .broken:
        expect(body == nil, "The grammar has the body end")
    case .refused(.malformed):
        expect(body == nil || !isWithinLimits, "What the grammar allows is refused")
    case .refused(.contentTooLarge):
        expect(
            body.map { $0.content.count > limits.bodyBytes } ?? true,
            "A body that is small enough is too large"
        )
    case .refused(.headTooLarge):
        expect(
            body.map { $0.trailerBytes > limits.trailerBytes } ?? true,
            "A trailer that is short enough is too long"
        )
    case .refused(let refusal):
        expect(false, "\(refusal) is no refusal of chunks")
    }
}

/// Checks that what is written in chunks of many sizes reads as what was written.
private func checkWriting(of content: [UInt8]) {
    var written: [UInt8] = []
    for piece in Cuts.byContent.pieces(of: content) where !piece.isEmpty {
        written += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
    }
    written += Array("0\r\n\r\n".utf8)
    let reading = ChunkReading(of: written, cut: .nowhere, .ordinary)

    expect(reading.content == content, "Chunks read as something else than was written")
    expect(reading.outcome == .ended(at: written.count), "Chunks end before their end")
}

extension RequestParser.Limits {
    fileprivate static var ordinary: Self { Self() }

    /// Limits that a small input reaches.
    fileprivate static var tight: Self {
        var limits = Self()
        limits.bodyBytes = 23
        limits.chunkExtensionBytes = 13
        limits.trailerBytes = 17
        return limits
    }
}

/// All that a reader of chunks makes of some bytes.
private struct ChunkReading: Equatable {
    private(set) var content: [UInt8] = []
    private(set) var outcome = Outcome.broken

    enum Outcome: Equatable {
        case ended(at: Int)
        case refused(Refusal)

        /// The bytes are at their end, and the body is not.
        case broken
    }

    init(of bytes: [UInt8], cut cuts: Cuts, _ limits: RequestParser.Limits) {
        var reader = ChunkReader()
        var read = 0
        do throws(Refusal) {
            for piece in cuts.pieces(of: bytes) {
                let arrived = Array(piece)
                var offset = 0
                let hasEnded = try reader.read(
                    arrived,
                    from: &offset,
                    into: &content,
                    limits: limits
                )
                read += offset
                expect(content.count <= limits.bodyBytes, "The body outgrows its limit")
                if hasEnded {
                    outcome = .ended(at: read)
                    return
                }
                expect(offset == arrived.count, "The reader leaves bytes, and the body goes on")
            }
        } catch {
            outcome = .refused(error)
        }
    }
}
