import Server
import Sockets

/// `goalpost health`: asks a running server whether it is ready, as a container's check does.
struct Health {
    private let host: String
    private let port: Int

    init(_ configuration: Configuration) {
        // A server that listens on every address is asked on this machine's own.
        host =
            switch configuration.server.host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            case let host: host
            }
        port = configuration.port
    }

    /// Asks, and says what came back.
    func run() -> ExitStatus {
        do {
            let status = try ask()
            guard status == "200" else {
                complain("The server at \(host), port \(port), is not ready: it answers \(status).")
                return .failure
            }
            print("ready")
            return .success
        } catch {
            complain("The server at \(host), port \(port), does not answer: \(error).")
            return .failure
        }
    }

    /// Asks for `/readyz`.
    ///
    /// - Returns: The status of the answer, or what stands in its place.
    private func ask() throws(SystemError) -> String {
        let socket = try ClientSocket(host: host, port: UInt16(port), patience: patience)
        let request = "GET /readyz HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n"
        try socket.send(Array(request.utf8))
        var answer: [UInt8] = []
        while !answer.contains(UInt8(ascii: "\n")) {
            let bytes = try socket.receive()
            guard !bytes.isEmpty else { break }
            answer += bytes
        }
        let words = String(decoding: answer, as: UTF8.self).split(separator: " ", maxSplits: 2)
        return words.count > 1 ? String(words[1]) : "nothing"
    }

    private var authority: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// How long the server may take, in seconds.
private let patience = 5
