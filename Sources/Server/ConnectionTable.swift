/// The connections of a loop by their tokens.
///
/// A token is a place in the table and a count of how often the place was taken. A place is
/// taken again, as the kernel gives out the number of a closed descriptor again; a token is not,
/// so that what arrives late for a closed connection never reaches the next one.
struct ConnectionTable {
    private var places: [Place] = []
    private var free: [Int] = []
    private(set) var count = 0

    private struct Place {
        var connection: Connection?
        var generation: UInt32 = 0
    }

    var isEmpty: Bool { count == 0 }

    /// The connection that a token names, if it is still there.
    subscript(token: UInt64) -> Connection? {
        let index = Int(token & 0xffff_ffff)
        guard index < places.count, places[index].generation == UInt32(token >> 32) else {
            return nil
        }
        return places[index].connection
    }

    /// Takes in a connection, made with the token it is to have.
    mutating func insert(_ make: (_ token: UInt64) -> Connection) -> Connection {
        let index = free.popLast() ?? places.count
        if index == places.count { places.append(Place()) }
        // Below 2³¹, so that no token is one of the loop's or the server's own.
        places[index].generation = (places[index].generation + 1) & 0x7fff_ffff
        let connection = make(UInt64(places[index].generation) << 32 | UInt64(index))
        places[index].connection = connection
        count += 1
        return connection
    }

    /// Lets go of a connection.
    mutating func remove(_ connection: Connection) {
        guard self[connection.token] === connection else { return }
        let index = Int(connection.token & 0xffff_ffff)
        places[index].connection = nil
        free.append(index)
        count -= 1
    }

    /// All connections there are.
    var all: [Connection] { places.compactMap(\.connection) }
}
