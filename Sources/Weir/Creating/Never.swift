// never: never signals.
//
//     never
//     ---------

extension Observable {
    /// Never emits and never ends; it takes any demand. Cancel, or the release of the subscription, frees the subscriber.
    @inlinable
    public static func never(file: StaticString = #fileID, line: UInt = #line) -> Observable {
        Observable(source: Stage("never", nil, Element.self, file, line)) { Subscription(SilentSource($0)) }
    }
}

/// Holds its observer until cancel: one that is dropped at once would tell downstream that nothing can come any more.
@usableFromInline final class SilentSource<Element: Sendable, Failure: Error>: Engine {
    @usableFromInline let custody: Custody<Element, Failure>
    @inlinable init(_ down: Observer<Element, Failure>) { custody = Custody(down) }
    @inlinable func request(_ demand: Demand) {}
    @inlinable func cancel() { custody.drop() }
}
