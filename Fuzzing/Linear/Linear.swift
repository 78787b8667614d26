import Foundation

/// Measures what reading costs for each byte while the input grows, and fails if that grows, too.
@main
struct Linear {
    /// How many times more a byte may cost in the largest input than in a smaller one.
    ///
    /// Over four doublings, what is quadratic grows sixteenfold. What is linear may still grow a
    /// little, since a larger input fits no cache.
    static let tolerance = 3.0

    /// A reading that takes longer, in seconds, is not linear either, and none of a larger input is
    /// waited for.
    static let patience = 15.0

    /// What a byte costs at least, in nanoseconds: below it the clock sees nothing.
    static let leastCost = 0.5

    /// How often a shape is measured that does not look linear: other programs may be in the way.
    static let attempts = 3

    static func main() {
        let largest = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1 << 20
        let sizes = (0...4).reversed().map { largest >> $0 }
        printRow("nanoseconds per byte", sizes.map { "\($0 / 1_024) KiB" } + ["growth"])
        let shapes = Shape.all
        let failures = shapes.count { !measure($0, sizes) }
        printLine(
            failures == 0
                ? "All \(shapes.count) shapes cost a constant time per byte."
                : "\(failures) of \(shapes.count) shapes cost more per byte the more there are."
        )
        exit(failures == 0 ? 0 : 1)
    }

    /// Prints what a shape costs in each size.
    ///
    /// - Returns: Whether that is linear.
    private static func measure(_ shape: Shape, _ sizes: [Int]) -> Bool {
        var costs: [Double] = []
        var growth = 0.0
        var isLinear = false
        var attempt = 0
        while !isLinear, attempt < attempts {
            attempt += 1
            for (index, size) in sizes.enumerated() {
                guard let cost = cost(of: shape, bytes: size) else { break }
                if index < costs.count {
                    costs[index] = min(costs[index], cost)
                } else {
                    costs.append(cost)
                }
            }
            growth = (costs.last ?? 0) / max(costs.dropLast().min() ?? 1, leastCost)
            guard costs.count == sizes.count else { break }
            isLinear = growth <= tolerance
        }
        let figures =
            costs.map { text($0, decimals: 2) }
            + Array(repeating: "too long", count: sizes.count - costs.count)
        printRow(shape.name, figures + [text(growth, decimals: 1) + (isLinear ? "" : " !")])
        return isLinear
    }

    /// The least CPU time that a byte took in several readings, in nanoseconds.
    ///
    /// `nil` if it was too long.
    private static func cost(of shape: Shape, bytes size: Int) -> Double? {
        let input = shape.input(size)
        let end = cpuSeconds() + 0.06
        var least = patience
        repeat {
            let start = cpuSeconds()
            shape.read(input)
            least = min(least, cpuSeconds() - start)
        } while cpuSeconds() < end
        return least < patience ? least * 1e9 / Double(input.count) : nil
    }

    private static func cpuSeconds() -> Double {
        Double(clock()) / Double(CLOCKS_PER_SEC)
    }

    private static func printRow(_ name: String, _ figures: [String]) {
        let columns = figures.map { padding(10 - $0.count) + $0 }
        printLine(name + padding(48 - name.count) + columns.joined())
    }

    /// Prints a line at once: a figure that is long in coming leaves time to read the others.
    private static func printLine(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    private static func padding(_ count: Int) -> String {
        String(repeating: " ", count: max(count, 0))
    }

    private static func text(_ number: Double, decimals: Int) -> String {
        number.formatted(.number.precision(.fractionLength(decimals)).grouping(.never))
    }
}

/// A kind of input that could cost a careless reader more than its size, and a reader.
struct Shape {
    let name: String

    /// Makes an input of about so many bytes.
    let input: (Int) -> [UInt8]
    let read: ([UInt8]) -> Void

    static var all: [Shape] {
        requests + chunks + paths + json + values + texts
    }

    /// A shape of text that is repeated between a beginning and an end.
    init(
        _ name: String,
        _ start: String = "",
        repeating unit: String,
        _ end: String = "",
        read: @escaping ([UInt8]) -> Void
    ) {
        self.name = name
        self.read = read
        input = { size in
            Array((start + String(repeating: unit, count: size / unit.utf8.count) + end).utf8)
        }
    }

    /// A shape whose parts are numbered.
    init(
        _ name: String,
        _ start: String,
        numbering part: @escaping (Int) -> String,
        _ end: String,
        read: @escaping ([UInt8]) -> Void
    ) {
        self.name = name
        self.read = read
        input = { size in
            let count = size / part(size).utf8.count
            return Array((start + (0..<count).map(part).joined() + end).utf8)
        }
    }
}

/// Takes note of a value, so that no compiler leaves out how it is made.
@inline(never)
func use<Value>(_ value: Value) {}
