import Dispatch
import HTTP
import Store
import XCTest

@testable import API

final class WriterThreadTests: APITestCase {
    func testOthersAreWrittenWhileTheAnswerToALongCommandIsMade() async throws {
        let request = Request(.post, "/batch")
        guard case .found(_, let parameters) = Router.api.match(request) else {
            return XCTFail("There are no batches")
        }
        let call = Call(
            request: request,
            parameters: parameters,
            caller: Caller(account: .default, key: .none)
        )

        let outcome = try Action(command: WaitsForAnother.self).answer(call, application.context)
        guard case .pending(let operation) = outcome else {
            return XCTFail("What takes long is read in the background")
        }
        let response = try await operation()

        XCTAssertEqual(response.status, .ok)
    }
}

/// A command whose answer takes as long to make as another one to be written.
private struct WaitsForAnother: Command {
    static let takesLongToRead = true

    private let store: GoalStore

    init(_ call: Call, in context: Context) {
        store = context.store
    }

    func change(in transaction: WriteTransaction) {}

    func response(to effect: Void) -> Response {
        let written = DispatchSemaphore(value: 0)
        store.write(
            { _ in },
            answer: { _ in written.signal() }
        )
        let isWritten = written.wait(timeout: .now() + 10) == .success
        return Response(isWritten ? .ok : .serviceUnavailable)
    }
}
