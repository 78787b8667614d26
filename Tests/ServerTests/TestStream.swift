import HTTP
import Synchronization
import XCTest

/// A stream that says what a test has it say, and keeps count of what it was asked.
final class TestStream: ResponseStream {
    let heartbeat = Array(":\n".utf8)
    let farewell = Array("farewell\n".utf8)

    private let state = Mutex(State())
    private let closed = DispatchSemaphore(value: 0)
    private let started = DispatchSemaphore(value: 0)

    private struct State {
        var pieces: [StreamPiece] = []
        var endless: [UInt8]?
        var wake: (@Sendable () -> Void)?
        var closings = 0
        var bytesGiven = 0
        var onNext: (@Sendable () -> Void)?
    }

    init(_ pieces: [StreamPiece] = [], endless: [UInt8]? = nil) {
        state.withLock { ($0.pieces, $0.endless) = (pieces, endless) }
    }

    // MARK: What the server asks

    func start(wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
        started.signal()
    }

    func next(room: Int) -> StreamPiece {
        XCTAssertGreaterThan(room, 0)
        let (piece, onNext) = state.withLock { state in
            XCTAssertEqual(state.closings, 0, "A stream that is closed is asked")
            XCTAssertNotNil(state.wake, "A stream is asked that was not started")
            var piece = StreamPiece.nothing
            if !state.pieces.isEmpty {
                piece = state.pieces.removeFirst()
            } else if let endless = state.endless {
                piece = .bytes(endless)
            }
            if case .bytes(let bytes) = piece { state.bytesGiven += bytes.count }
            return (piece, state.onNext)
        }
        onNext?()
        return piece
    }

    func close() {
        let isFirst = state.withLock { state in
            state.closings += 1
            return state.closings == 1
        }
        XCTAssertTrue(isFirst, "A stream is closed twice")
        closed.signal()
    }

    // MARK: What the test does

    /// Has something more to say, and says so.
    func say(_ piece: StreamPiece) {
        let wake = state.withLock { state in
            state.pieces.append(piece)
            return state.wake
        }
        wake?()
    }

    func say(_ text: String) {
        say(.bytes(Array(text.utf8)))
    }

    func wake() {
        state.withLock { $0.wake }?()
    }

    /// Does something whenever the stream is asked for a piece.
    func onNext(_ action: (@Sendable () -> Void)?) {
        state.withLock { $0.onNext = action }
    }

    var isStarted: Bool { state.withLock { $0.wake != nil } }
    var closings: Int { state.withLock { $0.closings } }
    var bytesGiven: Int { state.withLock { $0.bytesGiven } }

    func waitUntilStarted(file: StaticString = #filePath, line: UInt = #line) {
        wait(for: started, "The stream is never started", file: file, line: line)
    }

    func waitUntilClosed(file: StaticString = #filePath, line: UInt = #line) {
        wait(for: closed, "The stream is never closed", file: file, line: line)
    }

    private func wait(
        for event: DispatchSemaphore,
        _ failure: String,
        file: StaticString,
        line: UInt
    ) {
        let result = event.wait(timeout: .now() + 10)
        XCTAssertEqual(result, .success, failure, file: file, line: line)
    }
}

/// Answers `/stream/N` with a stream of the test, `/later/N` with the same after a while, and all else
/// with its path and peer.
final class StreamResponder: Responder {
    private let streams: [TestStream]

    init(_ streams: [TestStream]) {
        self.streams = streams
    }

    func respond(to request: Request) -> Answer {
        let parts = request.path.split(separator: "/")
        if parts.count == 2, let index = Int(parts[1]) {
            let head = Response(
                .ok,
                headers: ["Content-Type": "text/event-stream"],
                body: Array("first\n".utf8)
            )
            let answer = Answer.streamed(head, streams[index])
            guard parts[0] == "later" else { return answer }
            return .pending {
                await Task.yield()
                return .pending {
                    await Task.yield()
                    return answer
                }
            }
        }
        let peer =
            switch request.peer {
            case PeerAddress(ipv4: 0x7F00_0001): "127.0.0.1"
            case PeerAddress(high: 0, low: 1): "::1"
            default: "somewhere else"
            }
        return .ready(Response(.ok, body: Array("\(request.path) from \(peer)".utf8)))
    }

    func refuse(_ refusal: Refusal, id: RequestID) -> Response {
        Response(refusal.status)
    }
}
