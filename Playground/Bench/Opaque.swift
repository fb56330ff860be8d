// What keeps the compiler from knowing the answer before the program runs, and what results go into.
//
// The sums below cross threads without a lock. Each is written by one delivery at a time, which is what the library
// promises, and read when the stream has ended; a lock would be measured along.

import Weir

/// `value`, of which the compiler then knows nothing: not its origin, and of a closure not what it calls.
@inline(never) @_optimize(none) @_semantics("optimize.no.crossmodule")
func opaque<Value>(_ value: Value) -> Value { value }

let million = 1_000_000
let hundredThousand = 100_000

/// For handlers that capture nothing.
enum Total {
    @exclusivity(unchecked) nonisolated(unsafe) static var value = 0
}

/// For handlers that capture an object.
final class Sum: @unchecked Sendable {
    @exclusivity(unchecked) var value = 0
}

/// `map`, `filter` and `map`, and a sum of what is left: the same work by an expression, a stored chain and by hand.
enum Fold {
    @inline(__always) static func first(_ value: Int) -> Int { value &+ 1 }
    @inline(__always) static func keeps(_ value: Int) -> Bool { value & 3 != 0 }
    @inline(__always) static func second(_ value: Int) -> Int { value ^ 0x55 }

    /// The sum over `0..<count`.
    static func sum(_ count: Int) -> Int {
        var sum = 0
        for value in 0..<count where keeps(first(value)) { sum &+= second(first(value)) }
        return sum
    }
    /// The operators over `source`, as a stream of which the subscriber knows nothing.
    static func stored(_ source: Observable<Int, Never>) -> Observable<Int, Never> {
        opaque(source.map { first($0) }.filter { keeps($0) }.map { second($0) })
    }
}

/// Counts up from zero, `count` times; a stream of which the subscriber knows nothing.
func range(_ count: Int) -> Observable<Int, Never> { opaque(Observable(0..<opaque(count))) }

/// Runs a stream that ends by itself, and answers the sum of its elements.
@inline(never) func sum(_ stream: Observable<Int, Never>) -> Int {
    Total.value = 0
    let token = stream.subscribe { Total.value &+= $0 }
    return withExtendedLifetime(token) { Total.value }
}

/// Runs a stream by asking for `step` elements at a time, again from inside `next`; answers how many came.
@inline(never) func count<Element>(_ stream: Observable<Element, Never>, step: Int) -> Int {
    let puller = Puller(step: step)
    let subscription = stream.attach(
        Observer(
            next: { _ in
                puller.count &+= 1
                if puller.count % puller.step == 0 { puller.ask() }
                return true
            }, done: { _ in }))
    puller.subscription = subscription
    puller.ask()
    puller.subscription = nil
    return puller.count
}

private final class Puller {
    let step: Int
    @exclusivity(unchecked) var count = 0
    @exclusivity(unchecked) var subscription: Subscription?

    init(step: Int) { self.step = step }
    func ask() { subscription?.request(Demand(step)) }
}
