// just: emits one element, then finishes.
//
//     just(7)
//     (7|)

extension Observable {
    /// Emits one element, then finishes, both inside the first request.
    ///
    /// After a cancel it signals nothing. O(1).
    ///
    /// - Parameter element: what each subscriber gets.
    @inlinable
    public static func just(_ element: Element, file: StaticString = #fileID, line: UInt = #line) -> Observable {
        Observable(Stage("just", nil, Element.self, file, line), element, then: .finished)
    }

    /// At most one element, then the end. Streams like this are made for each element under `flatMap`, so this one is a
    /// single closure: one allocation.
    @inlinable init(_ stage: Stage, _ element: Element?, then end: Completion<Failure>) {
        self.init(depth: 0) { down in
            stage.attach(down) { Subscription(OneSource(element, end, $0)) }
        }
    }
}

extension Observable where Failure == Never {
    /// The same where nothing else says how the stream may fail: it cannot.
    @inlinable
    public static func just(_ element: Element, file: StaticString = #fileID, line: UInt = #line) -> Observable {
        Observable(Stage("just", nil, Element.self, file, line), element, then: .finished)
    }
}

/// At most one element, then the end, at the first request. The word in `requested`: 0 waiting, 1 emitting, -1 over.
@usableFromInline final class OneSource<Element: Sendable, Failure: Error>: Engine {
    @usableFromInline let requested = Requested()
    @usableFromInline let element: Element?
    @usableFromInline let end: Completion<Failure>
    @exclusivity(unchecked) @usableFromInline var down: Observer<Element, Failure>?

    @inlinable init(_ element: Element?, _ end: Completion<Failure>, _ down: Observer<Element, Failure>) {
        self.element = element
        self.end = end
        self.down = down
    }
    @inlinable func request(_ demand: Demand) {
        guard requested.begin(), let down else { return }
        self.down = nil
        if let element { _ = down.next(element) }
        if requested.end() { down.done(end) }
    }
    @inlinable func cancel() { if requested.endAnsweringBefore() == 0 { down = nil } }
}
