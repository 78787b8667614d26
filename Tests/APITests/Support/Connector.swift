import API
import HTTP
import Server
import Sockets
import TestClient

/// The application as a client sees it, whatever lies in between.
protocol Connector: Sendable {
    func send(_ request: Request) async throws -> Response

    func close()
}

/// Asks the application itself.
struct DirectConnector: Connector {
    let application: Application

    func send(_ request: Request) async -> Response {
        var response = await response(from: application.respond(to: request))
        // As the response writer does.
        if request.method == .head || !response.status.allowsBody { response.body = [] }
        return response
    }

    private func response(from answer: Answer) async -> Response {
        switch answer {
        case .ready(let response):
            return response
        case .pending(let operation):
            return await response(from: operation())
        case .promised(let begin):
            // Made here, as on a loop, and not by whoever delivers it.
            let makeAnswer = await withCheckedContinuation { continuation in
                begin(Delivery { makeAnswer in continuation.resume(returning: makeAnswer) })
            }
            return await response(from: makeAnswer())
        case .streamed(let head, let stream):
            stream.close()
            return head
        }
    }

    func close() {}
}

/// Asks over a socket, with a connection for each request.
struct SocketConnector: Connector {
    private let server: Server

    init(_ application: Application) throws {
        server = try Server(ServerConfiguration(), responder: application)
        server.start()
    }

    func send(_ request: Request) async throws -> Response {
        let client = try TestClient(port: server.port)
        try client.send(bytes(of: request))
        let answer = try client.answer(toHead: request.method == .head)

        var headers = HeaderFields()
        for field in answer.fields {
            // Two answers that are the same in all else may have been made in two seconds.
            guard let name = FieldName(validating: field.name), name != .date else { continue }
            headers.append(field.value, for: name)
        }
        return Response(Status(code: answer.status), headers: headers, body: answer.body)
    }

    func close() {
        _ = server.stop(within: 10)
    }

    private func bytes(of request: Request) -> [UInt8] {
        let query = request.query.map { "?" + $0 } ?? ""
        var head = "\(request.method.rawValue) \(request.path)\(query) HTTP/1.1\r\nHost: test\r\n"
        for (name, value) in request.headers {
            head += "\(name): \(value)\r\n"
        }
        if !request.body.isEmpty {
            head += "Content-Length: \(request.body.count)\r\n"
        }
        return Array((head + "\r\n").utf8) + request.body
    }
}
