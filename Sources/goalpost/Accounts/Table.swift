import Goals

/// Rows under headings, for a person to read.
struct Table {
    private var rows: [[String]]

    init(_ headings: [String]) {
        rows = [headings]
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    /// The lines, each column as wide as what is in it.
    var text: String {
        let widths = rows[0].indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}

/// The day of a moment, in UTC.
func day(of moment: Moment) -> String {
    CalendarDay(of: moment, secondsFromGMT: 0).description
}
