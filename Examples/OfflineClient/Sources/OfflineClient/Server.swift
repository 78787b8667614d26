public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The three things that this client asks of a server.
struct Server: Sendable {
    let address: URL
    let token: String?
    let send: Transport
    let stream: ByteStream
}

/// Sends a request: what `URLSession` does, or what a test has in its place.
public typealias Transport = @Sendable (URLRequest) async throws -> (Data, URLResponse)

/// The server did not answer, or asks for some time; everything is to be sent again as it was.
public struct Unreachable: Error {
    /// For how long it asks, in seconds.
    public var retryAfter: TimeInterval?

    /// What happened, if it was not the server that said so.
    public var cause: (any Error)?
}

extension Server {
    /// Has the commands of a piece carried out, all or none.
    func carryOut(_ piece: Piece) async throws -> [Resource?] {
        var request = request("/batch")
        request.httpMethod = "POST"
        request.httpBody = piece.body
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(piece.key.uuidString, forHTTPHeaderField: "Idempotency-Key")
        let results = try await answer(to: request, as: BatchAnswer.self).results.map(\.body)
        guard results.count == piece.count else { throw Unreachable() }
        return results
    }

    func changes(since place: String?) async throws -> ChangePage {
        try await answer(to: request("/changes?limit=200", since: place), as: ChangePage.self)
    }

    /// The request for what changes from a place on, as it happens.
    func eventRequest(since place: String?) -> URLRequest {
        var request = request("/events", since: place)
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        return request
    }

    private func request(_ path: String, since place: String? = nil) -> URLRequest {
        // Places are of characters that a query may have as they are.
        let since = place.map { (path.contains("?") ? "&" : "?") + "since=" + $0 } ?? ""
        let url = URL(string: path + since, relativeTo: address) ?? address
        var request = URLRequest(url: url)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        if let token {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        return request
    }

    /// Asks, and tells apart what may be asked again from what the server will never do.
    ///
    /// - Throws: ``Unreachable``, or a ``Problem`` that asking again does not solve.
    private func answer<Answer: Decodable>(
        to request: URLRequest,
        as type: Answer.Type
    ) async throws -> Answer {
        let data: Data
        let response: URLResponse
        do {
            (data, response) = try await send(request)
        } catch {
            // Whoever cancelled it, wants to know that and nothing else.
            try Task.checkCancellation()
            throw Unreachable(cause: error)
        }
        guard let response = response as? HTTPURLResponse else { throw Unreachable() }
        guard response.statusCode >= 300 else {
            do {
                return try JSONDecoder().decode(type, from: data)
            } catch {
                // Cut off, or not from our server: the log-in page of a hotel, for instance.
                throw Unreachable(cause: error)
            }
        }
        throw refusal(response, data)
    }

    private func refusal(_ response: HTTPURLResponse, _ data: Data) -> any Error {
        let problem: Problem
        do {
            problem = try JSONDecoder().decode(Problem.self, from: data)
        } catch {
            return Unreachable(retryAfter: response.retryAfter, cause: error)
        }
        switch response.statusCode {
        case 408, 429, 500...:
            return Unreachable(retryAfter: response.retryAfter, cause: problem)
        default:
            return problem
        }
    }
}

extension HTTPURLResponse {
    /// For how many seconds the server asks.
    var retryAfter: TimeInterval? {
        value(forHTTPHeaderField: "Retry-After").flatMap(TimeInterval.init).map { max(0, $0) }
    }
}
