import HTTP
import XCTest

@testable import Server

final class ConnectionStateTests: XCTestCase {
    private var state = makeState()
    private let date = HTTPDate(secondsSinceEpoch: 0)

    func testReadsUntilARequestIsThereThenWaitsForItsAnswer() {
        XCTAssertEqual(next(), "read")
        receive("GET /a HTTP/1.1\r\nHost: x\r\n")
        XCTAssertEqual(next(), "read")
        receive("\r\n")

        XCTAssertEqual(next(), "answer /a")
        XCTAssertEqual(next(), "wait")
    }

    func testTakesTheNextRequestOnlyAfterTheAnswerToTheOneBefore() {
        receive("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(next(), "answer /a")
        XCTAssertEqual(next(), "wait")

        answer()

        XCTAssertEqual(next(), "answer /b")
        answer()
        XCTAssertEqual(next(), "read")
        XCTAssertEqual(sendAll().components(separatedBy: "HTTP/1.1 200 OK").count - 1, 2)
    }

    func testGoesOnToTheEndAfterAConnectionThatAsksForIt() {
        receive("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /b HTTP/1.1\r\n")
        XCTAssertEqual(next(), "answer /a")
        answer()

        XCTAssertEqual(next(), "flush")
        XCTAssertTrue(sendAll().contains("\r\nConnection: close\r\n"))
        XCTAssertEqual(next(), "linger")
        state.lingers()
        XCTAssertEqual(next(), "read")
        receive("whatever it still sends")
        XCTAssertEqual(next(), "read")
        state.peerFinished()
        XCTAssertEqual(next(), "close")
    }

    func testRefusesWhatIsNoRequestAndReadsNoFurther() {
        receive("NO SENSE\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n")

        XCTAssertEqual(next(), "refuse 400")
        answer(status: .badRequest)
        XCTAssertEqual(next(), "flush")
        XCTAssertTrue(sendAll().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        XCTAssertEqual(next(), "linger")
    }

    func testAnswersAPeerThatHasSaidAllItWanted() {
        receive("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        state.peerFinished()

        XCTAssertEqual(next(), "answer /a")
        answer()
        XCTAssertEqual(next(), "flush")
        _ = sendAll()
        XCTAssertEqual(next(), "linger")
        state.lingers()
        XCTAssertEqual(next(), "close")
    }

    func testRefusesARequestThatEndsTooSoon() {
        receive("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n123")
        state.peerFinished()

        XCTAssertEqual(next(), "refuse 400")
    }

    func testSaysContinueToAClientThatWaitsForIt() {
        receive("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")

        XCTAssertEqual(next(), "flush")
        XCTAssertEqual(sendAll(), "HTTP/1.1 100 Continue\r\n\r\n")
        XCTAssertEqual(next(), "read")
        receive("{}")
        XCTAssertEqual(next(), "answer /a")
    }

    func testReadsNoMoreRequestsFromAClientThatDoesNotReadItsAnswers() {
        receive("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(next(), "answer /a")
        answer(body: String(repeating: "x", count: 64 * 1024))

        XCTAssertEqual(next(), "flush")
        XCTAssertEqual(state.waiting, .forReader)
        _ = sendAll()
        XCTAssertEqual(next(), "answer /b")
    }

    func testEndsAtOnceWhenStoppedBetweenRequestsWithNothingMoreToRead() {
        state.stops()

        XCTAssertEqual(next(), "read")
        state.hasReadAll()
        XCTAssertEqual(next(), "close")
    }

    func testAnswersTheRequestThatHadArrivedUnreadWhenStopped() {
        state.stops()

        XCTAssertEqual(next(), "read")
        receive("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        state.hasReadAll()
        XCTAssertEqual(next(), "answer /a")
        answer()
        XCTAssertEqual(next(), "flush")
        XCTAssertTrue(sendAll().contains("\r\nConnection: close\r\n"))
        XCTAssertEqual(next(), "linger")
    }

    func testAnswersTheRequestThatHasBegunWhenStoppedAndNoOther() {
        receive("GET /a HTTP/1.1\r\nHost: x\r\n")
        XCTAssertEqual(next(), "read")
        state.stops()
        XCTAssertEqual(next(), "read")
        receive("\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n")

        XCTAssertEqual(next(), "answer /a")
        answer()
        XCTAssertEqual(next(), "flush")
        XCTAssertTrue(sendAll().contains("\r\nConnection: close\r\n"))
        XCTAssertEqual(next(), "linger")
    }

    func testKnowsWhatItWaitsForAndWhatToDoWhenThatTakesTooLong() {
        XCTAssertEqual(state.waiting, .forRequest)
        XCTAssertEqual(word(state.timedOut()), "linger")

        state = makeState()
        receive("GET /a HT")
        XCTAssertEqual(next(), "read")
        XCTAssertEqual(state.waiting, .forHead)
        XCTAssertEqual(word(state.timedOut()), "refuse 408")

        state = makeState()
        receive("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n123")
        XCTAssertEqual(next(), "read")
        XCTAssertEqual(state.waiting, .forBody)
        XCTAssertEqual(word(state.timedOut()), "refuse 408")

        receive("45")
        XCTAssertEqual(next(), "answer /a")
        XCTAssertEqual(state.waiting, .forAnswer)
        XCTAssertEqual(word(state.timedOut()), "wait")

        answer()
        XCTAssertEqual(state.waiting, .forReader)
        XCTAssertEqual(word(state.timedOut()), "close")
    }

    func testKeepsNothingOfWhatASluggishReaderHasReadThoughItNeverCatchesUp() {
        let body = String(repeating: "x", count: 10_000)
        receive("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(next(), "answer /a")
        answer(body: body)

        for _ in 0..<100 {
            receive("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            XCTAssertEqual(next(), "answer /a")
            answer(body: body)
            // One answer of the two, and thus never all there is.
            state.sent(body.count)
        }

        XCTAssertTrue(state.hasOutput)
        XCTAssertLessThan(state.output.count, 64 * 1024 * 2)
    }

    // MARK: Streams

    func testAsksAStreamForPiecesUntilItHasNoneAndAgainWhenItWakes() {
        startStream()
        XCTAssertEqual(next(), "pull")
        state.send(Array("a".utf8))
        XCTAssertEqual(next(), "pull")
        state.streamRests()
        XCTAssertEqual(next(), "wait")
        _ = sendAll()
        XCTAssertEqual(state.waiting, .forPiece)
        XCTAssertEqual(next(), "wait")

        state.streamWakes()

        XCTAssertEqual(next(), "pull")
    }

    func testAsksAStreamForNothingWhileItsClientDoesNotReadAndRemembersAWake() {
        startStream()
        XCTAssertEqual(next(), "pull")
        state.send([UInt8](repeating: 7, count: 64 * 1024))
        XCTAssertEqual(state.room, 0)

        XCTAssertEqual(next(), "flush")
        state.streamRests()
        state.streamWakes()
        XCTAssertEqual(next(), "flush")
        XCTAssertEqual(state.waiting, .forReader)
        _ = sendAll()
        XCTAssertEqual(next(), "pull")
        XCTAssertEqual(state.room, 64 * 1024)
    }

    func testTakesTheNextRequestAfterTheEndOfAStream() {
        startStream()
        receive("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(next(), "pull")

        state.endStream(with: Array("last".utf8))

        XCTAssertEqual(next(), "answer /b")
        XCTAssertTrue(sendAll().hasSuffix("\r\n\r\n4\r\nlast\r\n0\r\n\r\n"))
    }

    func testEndsAStreamWhoseClientLeaves() {
        startStream()
        XCTAssertEqual(next(), "pull")
        state.peerLeaves()

        XCTAssertEqual(next(), "end stream")
        state.endStream(with: [])
        XCTAssertEqual(next(), "read")
        state.peerFinished()
        XCTAssertEqual(next(), "flush")
        XCTAssertTrue(sendAll().hasSuffix("\r\n\r\n0\r\n\r\n"))
        XCTAssertEqual(next(), "linger")
        state.lingers()
        XCTAssertEqual(next(), "close")
    }

    func testEndsAStreamAtOnceWhenStoppedAndTheConnectionWithIt() {
        startStream()
        XCTAssertEqual(next(), "pull")
        receive("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        state.stops()

        XCTAssertEqual(next(), "end stream")
        XCTAssertFalse(state.hasCutStream)
        state.endStream(with: Array("farewell".utf8))
        XCTAssertTrue(state.hasCutStream)
        XCTAssertEqual(next(), "flush")
        XCTAssertTrue(sendAll().hasSuffix("\r\n\r\n8\r\nfarewell\r\n0\r\n\r\n"))
        XCTAssertEqual(next(), "linger")
    }

    func testBeginsAStreamThatItEndsAtOnceWhereTheStopCameFirst() {
        receive("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(next(), "answer /a")
        state.stops()

        XCTAssertTrue(state.start(Response(.ok), date: date))

        XCTAssertEqual(next(), "end stream")
        state.endStream(with: [])
        XCTAssertEqual(next(), "flush")
        XCTAssertTrue(sendAll().contains("\r\nConnection: close\r\n"))
    }

    func testEndsAStreamForHTTP10WithTheConnection() {
        receive("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /b HTTP/1.0\r\n\r\n")
        XCTAssertEqual(next(), "answer /a")
        XCTAssertTrue(state.start(Response(.ok), date: date))
        XCTAssertEqual(next(), "pull")

        state.endStream(with: Array("last".utf8))

        XCTAssertEqual(next(), "flush")
        XCTAssertTrue(sendAll().hasSuffix("\r\n\r\nlast"))
        XCTAssertEqual(next(), "linger")
    }

    func testGoesOnAtOnceAfterTheHeadOfAStream() {
        receive("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(next(), "answer /a")

        XCTAssertFalse(state.start(Response(.ok), date: date))

        XCTAssertEqual(next(), "answer /b")
    }

    func testSendsAHeartbeatOnlyWhereNothingElseIsSent() {
        startStream()
        XCTAssertEqual(next(), "pull")
        state.streamRests()
        _ = sendAll()
        XCTAssertEqual(state.waiting, .forPiece)

        XCTAssertEqual(word(state.timedOut()), "beat")
        XCTAssertEqual(next(), "beat")
        state.send(Array(":".utf8))
        XCTAssertEqual(next(), "wait")
        _ = sendAll()

        XCTAssertEqual(word(state.timedOut()), "beat")
        state.streamWakes()
        XCTAssertEqual(next(), "pull")
        state.send(Array("a".utf8))
        XCTAssertEqual(next(), "pull")
        state.streamRests()
        XCTAssertEqual(next(), "wait")
    }

    func testKeepsNoLargeBufferForAStream() {
        startStream()
        for _ in 0..<3 {
            XCTAssertEqual(next(), "pull")
            state.send([UInt8](repeating: 7, count: 10_000))
            _ = sendAll()
        }

        XCTAssertEqual(state.output.capacity, 0)
    }

    // MARK: -

    private func startStream() {
        receive("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(next(), "answer /a")
        XCTAssertTrue(state.start(Response(.ok), date: date))
    }

    private func receive(_ text: String) {
        state.received(Array(text.utf8)[...])
    }

    private func answer(status: Status = .ok, body: String = "{}") {
        state.answer(Response(status, body: Array(body.utf8)), date: date)
    }

    private func sendAll() -> String {
        let text = String(decoding: state.output[state.outputStart...], as: UTF8.self)
        state.sent(state.output.count - state.outputStart)
        return text
    }

    private func next() -> String {
        word(state.next())
    }

    private func word(_ step: ConnectionState.Step) -> String {
        switch step {
        case .answer(let request): "answer \(request.path)"
        case .refuse(let refusal): "refuse \(refusal.status.code)"
        case .read: "read"
        case .flush: "flush"
        case .wait: "wait"
        case .pull: "pull"
        case .beat: "beat"
        case .endStream: "end stream"
        case .linger: "linger"
        case .close: "close"
        }
    }
}

private func makeState() -> ConnectionState {
    ConnectionState(limits: .init(), firstRequestID: 1, peer: nil)
}
