import HTTP

/// A number that the owner of the server may want to watch.
public struct Figure: Hashable, Sendable {
    /// What it counts, in camel case.
    public let name: String

    public let value: Int

    public init(_ name: String, _ value: Int) {
        self.name = name
        self.value = value
    }
}

/// The answer of what asks about health, when all is well.
struct HealthResource: JSONWritable {
    /// What the server has counted, if that was asked for.
    let figures: [Figure]?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("status", "ok")
            if let figures { json.member("figures", FigureList(figures: figures)) }
        }
    }

    var response: Response {
        Response(
            .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: jsonBytes
        )
    }
}

private struct FigureList: JSONWritable {
    let figures: [Figure]

    func write(to json: inout JSONWriter) {
        json.object { json in
            for figure in figures {
                json.member(figure.name, figure.value)
            }
        }
    }
}

extension Response {
    /// The answer in short, which most ask for.
    static let healthy = HealthResource(figures: nil).response
}
