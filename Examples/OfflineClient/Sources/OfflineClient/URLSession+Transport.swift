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
    /// When the waiting is cancelled, the request is left to its end, and its answer to nobody: all
    /// requests of this client may be sent again. On Linux, to cancel one that is about to end can stop
    /// the process, and `data(for:)` can then wait for ever.
    func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
        let (answers, continuation) = AsyncThrowingStream<(Data, URLResponse), any Error>
            .makeStream()
        let task = dataTask(with: request) { data, response, error in
            if let data, let response, error == nil { continuation.yield((data, response)) }
            continuation.finish(throwing: error)
        }
        task.resume()
        for try await answer in answers { return answer }
        throw CancellationError()
    }
}
