/// The ways in which a network may cut up what it carries.
enum Cuts: CaseIterable {
    case nowhere
    case everywhere

    /// Pieces of up to 15 bytes, some empty, as the low bits of the bytes themselves have it.
    case byContent

    /// The bytes in pieces, which together are all of them.
    func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        switch self {
        case .nowhere:
            return [bytes[...]]
        case .everywhere:
            return bytes.indices.map { bytes[$0...$0] }
        case .byContent:
            var pieces: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while let first = rest.first {
                // A zero would never get on; it stands for an empty piece and then one byte.
                let length = Int(first & 0xF)
                pieces.append(rest.prefix(length))
                rest = rest.dropFirst(length)
                if length == 0 {
                    pieces.append(rest.prefix(1))
                    rest = rest.dropFirst()
                }
            }
            return pieces
        }
    }
}
