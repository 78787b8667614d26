internal import Goals
internal import SQLite

extension Examination {
    /// How many sums are kept at most: 8 MiB.
    private static let mostSums: Int64 = 1_048_576

    /// Holds the index of goals' texts against the texts.
    ///
    /// The index comes in the order of its words, the goals in theirs, and to sort either would take memory
    /// for all of it. So a number is made of each word that a goal is to be found by, and another of each by
    /// which it is: for each goal both must add up to the same. More than a million goals share sums, so
    /// that another goal may be named than the one that is wrong.
    mutating func examineSearch() throws {
        let last = try database.row("SELECT max(number) FROM goals") { row in
            try row[0] as Int64?
        }
        let count = min(max((last ?? 0) ?? 0, 0) + 1, Examination.mostSums)
        var sums = [UInt64](repeating: 0, count: Int(count))
        func sum(of number: Int64) -> Int {
            Int(UInt64(bitPattern: number) % UInt64(count))
        }

        do {
            try database.forEachRow("SELECT term, doc FROM goal_search_grams") { row in
                let number: Int64 = try row[1]
                sums[sum(of: number)] &+= figure(of: (try row[0] as String).utf8, number)
            }
        } catch let error as SQLiteError where [.error, .mismatch].contains(error.code) {
            // That of FTS5 is in tables, of which SQLite sees no more than that they are whole.
            return try note("The index of goals' texts can't be read: \(error.message).")
        }
        try database.forEachRow(
            """
            SELECT number, account, title_search, note_search
            FROM goals
            WHERE number <= (SELECT indexed_number FROM store)
            """
        ) { row in
            let number: Int64 = try row[0]
            let grams = SearchGrams(of: try row[2], try row[3])
            grams.forEachWord(of: AccountID(rawValue: try row[1])) { word in
                sums[sum(of: number)] &-= figure(of: word, number)
            }
        }

        var named: Set<Int> = []
        try database.forEachRow("SELECT id, number FROM goals") { row in
            let id = Goal.ID(stored: try row[0])
            guard let number = try row[1] as Int64?, number > 0 else {
                return try note("Goal \(id) has no number.")
            }
            guard sums[sum(of: number)] != 0 else { return }
            named.insert(sum(of: number))
            try note("The index of goals' texts does not have goal \(id) as its texts are.")
        }
        for place in sums.indices where sums[place] != 0 && !named.contains(place) {
            try note("The index of goals' texts has goal number \(place), which is not there.")
        }
    }
}

/// A number made of a word and the goal that has it, such that others hardly ever make the same.
private func figure(of word: some Sequence<UInt8>, _ number: Int64) -> UInt64 {
    var figure = word.reduce(into: 0xCBF2_9CE4_8422_2325 as UInt64) {
        $0 = ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
    }
    figure ^= UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
    figure = (figure ^ figure >> 30) &* 0xBF58_476D_1CE4_E5B9
    figure = (figure ^ figure >> 27) &* 0x94D0_49BB_1331_11EB
    return figure ^ figure >> 31
}
