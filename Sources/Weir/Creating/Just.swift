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
            stage.attach(down) { Subscription(OneSource(One(element, end), $0)) }
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

/// What a source of at most one element holds.
@usableFromInline protocol Sole {
    associatedtype Element: Sendable
    associatedtype Failure: Error
    var element: Element? { get }
    var end: Completion<Failure> { get }
}

@usableFromInline struct One<Element: Sendable, Failure: Error>: Sole {
    @usableFromInline let element: Element?
    @usableFromInline let end: Completion<Failure>
    @inlinable init(_ element: Element?, _ end: Completion<Failure>) {
        self.element = element
        self.end = end
    }
}

/// At most one element, then the end, at the first request. The word in `requested`: 0 waiting, 1 emitting, -1 over.
///
/// What it holds is one field of the parameter's own type. Where an object of a generic class is freed, the type of a field
/// that is made from its parameters, as `Element?` is, is looked up each time (20 ns).
@usableFromInline final class OneSource<Content: Sole>: Engine {
    @usableFromInline let requested = Requested()
    @usableFromInline let content: Content
    @exclusivity(unchecked) @usableFromInline var down: Observer<Content.Element, Content.Failure>?

    @inlinable init(_ content: Content, _ down: Observer<Content.Element, Content.Failure>) {
        self.content = content
        self.down = down
    }
    @inlinable func request(_ demand: Demand) {
        guard requested.begin(), let down else { return }
        self.down = nil
        if let element = content.element { _ = down.next(element) }
        if requested.end() { down.done(content.end) }
    }
    @inlinable func cancel() { if requested.endAnsweringBefore() == 0 { down = nil } }
}
