import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// A session that keeps nothing, and gives up when nothing has arrived for some seconds.
    ///
    /// On Linux the session alone can say so: there, the interval of a request has no effect.
    static func waiting(for seconds: TimeInterval) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = seconds
        return configuration
    }
}

extension URLSession {
    /// Sends a request, and waits for all of the answer.
    ///
    /// On Linux, `data(for:)` can stop for ever when it is cancelled just as the answer comes: it cancels
    /// from within the lock that the answer waits for. This one cancels from elsewhere.
    func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
        let (answers, continuation) = AsyncThrowingStream<(Data, URLResponse), any Error>
            .makeStream()
        let task = dataTask(with: request) { data, response, error in
            if let data, let response, error == nil { continuation.yield((data, response)) }
            continuation.finish(throwing: error)
        }
        continuation.onTermination = { _ in
            DispatchQueue.global().async { task.cancel() }
        }
        task.resume()
        for try await answer in answers { return answer }
        throw CancellationError()
    }
}
