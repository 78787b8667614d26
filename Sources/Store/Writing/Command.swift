internal import SQLite

/// A command that waits for the writer, whatever its result is.
struct Command: Sendable {
    /// About how many single commands it is as much work as, and at least 1.
    let weight: Int

    /// Runs the command and keeps its result for when the commit is done.
    let run: @Sendable (WriteTransaction) -> Run

    /// Answers without running.
    let refuse: @Sendable (any Error) -> Void

    /// What running a command came to.
    struct Run: Sendable {
        /// What the command threw, if it did.
        let failure: (any Error)?

        /// Answers with the result.
        let answer: @Sendable () -> Void
    }

    init<Value: Sendable>(
        weight: Int,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value,
        answering answer: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.weight = weight
        run = { transaction in
            do {
                let value = try body(transaction)
                return Run(failure: nil) { answer(.success(value)) }
            } catch {
                return Run(failure: error) { answer(.failure(error)) }
            }
        }
        refuse = { answer(.failure($0)) }
    }
}
