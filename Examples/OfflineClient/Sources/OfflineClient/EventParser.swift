/// A server-sent event.
struct Event: Hashable, Sendable {
    var id = ""
    var name = "message"
    var data = ""
}

/// Reads server-sent events from bytes, however the network has cut them up.
///
/// <https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation>
struct EventParser {
    private var line: [UInt8] = []
    private var lastWasCarriageReturn = false
    private var id = ""
    private var name = ""
    private var data: [String] = []

    /// Reads some more bytes.
    ///
    /// - Returns: The events that they complete.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n") where lastWasCarriageReturn:
                // The second half of a line end.
                lastWasCarriageReturn = false
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                lastWasCarriageReturn = byte == UInt8(ascii: "\r")
                if let event = endLine() { events.append(event) }
            default:
                lastWasCarriageReturn = false
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return endEvent() }
        let parts = line.split(
            separator: UInt8(ascii: ":"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        var value = String(decoding: parts.dropFirst().first ?? [], as: UTF8.self)
        if value.first == " " { value.removeFirst() }
        switch String(decoding: parts[0], as: UTF8.self) {
        case "id": id = value
        case "event": name = value
        case "data": data.append(value)
        default: break  // A comment, or nothing that we know.
        }
        return nil
    }

    private mutating func endEvent() -> Event? {
        defer { (name, data) = ("", []) }
        guard !data.isEmpty else { return nil }
        return Event(
            id: id,
            name: name.isEmpty ? "message" : name,
            data: data.joined(separator: "\n")
        )
    }
}
