@testable import HTTP

/// Checks what the parser makes of a connection's bytes, with ordinary limits and with tight ones.
func check(_ bytes: [UInt8]) {
    for limits in [.ordinary, .tight] as [RequestParser.Limits] {
        let whole = Reading(of: bytes, cut: .nowhere, limits)
        for cuts in Cuts.allCases where cuts != .nowhere {
            expect(
                Reading(of: bytes, cut: cuts, limits) == whole,
                "What is read depends on how the bytes are cut (\(cuts))"
            )
        }
        for request in whole.requests {
            checkPrinting(of: request)
        }
    }
}

/// Checks that a request that is printed, anew and in its plainest form, reads as the same request.
private func checkPrinting(of request: ReadRequest) {
    var limits = RequestParser.Limits.ordinary
    // The printed form may be longer: a blank after each colon, a slash for an empty path.
    limits.headBytes *= 2
    limits.targetBytes += 1
    let again = Reading(of: request.printed, cut: .nowhere, limits)

    expect(again.refusal == nil, "A printed request is refused: \(String(describing: again))")
    expect(again.requests == [request], "A printed request reads as another one")
    expect(again.stage == .idle, "Something is left over of a printed request")
}

extension RequestParser.Limits {
    fileprivate static var ordinary: Self { Self() }

    /// Limits that a small input reaches.
    fileprivate static var tight: Self {
        var limits = Self()
        limits.headBytes = 97
        limits.targetBytes = 29
        limits.bodyBytes = 23
        limits.chunkExtensionBytes = 13
        limits.trailerBytes = 17
        return limits
    }
}

// MARK: - Reading

/// All that a parser makes of some bytes.
private struct Reading: Equatable {
    private(set) var requests: [ReadRequest] = []
    private(set) var refusal: Refusal?

    /// What the answer to a refused request would say of it.
    private(set) var refusedContext: ResponseWriter.Context?

    /// How far the request has come that the bytes break off in.
    private(set) var stage: RequestParser.Stage

    /// Feeds a parser piece by piece, asks after each for all there is, and meanwhile holds the
    /// parser to what it promises.
    init(of bytes: [UInt8], cut cuts: Cuts, _ limits: RequestParser.Limits) {
        var parser = RequestParser(limits: limits, firstRequestID: 0)
        do throws(Refusal) {
            for piece in cuts.pieces(of: bytes) {
                parser.append(piece)
                while let event = try parser.next() {
                    switch event {
                    case .request(let request):
                        requests.append(ReadRequest(request))
                    case .continueExpected:
                        expect(parser.stage == .body, "There is no body to invite")
                        expect(parser.bufferedBytes == 0, "The body that is invited is here")
                    }
                }
                expect(
                    parser.bufferedBytes <= max(limits.headBytes, limits.bodyBytes),
                    "The parser keeps more bytes than its limits allow"
                )
            }
        } catch {
            refusal = error
            refusedContext = parser.refusedContext
            expectToRefuse(&parser, as: error)
        }
        stage = parser.stage
    }
}

/// Checks that a parser that has refused goes on to, whatever comes, and keeps nothing.
private func expectToRefuse(_ parser: inout RequestParser, as refusal: Refusal) {
    for more in ["", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"] {
        parser.append(more.utf8)
        do throws(Refusal) {
            _ = try parser.next()
            expect(false, "A refusal is taken back")
        } catch {
            expect(error == refusal, "A refusal changes from \(refusal) to \(error)")
        }
        expect(parser.bufferedBytes == 0, "A parser that refuses keeps bytes")
    }
}
