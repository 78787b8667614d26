import Sockets
import Synchronization

/// What other threads leave for the worker of a loop.
///
/// Only the first of many asks the loop to come, which then takes all there are.
final class Mailbox<Element: Sendable>: Sendable {
    private let loop: EventLoop<Worker>
    private let elements = Mutex<[Element]>([])
    private let come: @Sendable (Worker) -> Void

    /// - Parameters:
    ///   - loop: The loop of the worker.
    ///   - come: Has the worker take what there is.
    init(of loop: EventLoop<Worker>, _ come: @escaping @Sendable (Worker) -> Void) {
        self.loop = loop
        self.come = come
    }

    func add(_ element: Element) {
        let isFirst = elements.withLock { elements in
            elements.append(element)
            return elements.count == 1
        }
        if isFirst { loop.perform(come) }
    }

    /// Takes all there are.
    func take() -> [Element] {
        elements.withLock { elements in
            defer { elements = [] }
            return elements
        }
    }
}
