import WeirTesting

/// A stage that passes everything on and keeps every rule, but for what a `Fault` puts in its place.
final class Relay: Sendable {
    struct State {
        var down: Observer<Int, TestFailure>?
        var up: Subscription?
        var elements = 0
        var requested = 0
        var cancels = 0
        var isOver = false
        /// The thread that is inside an element, and the one that is inside a request.
        var inside: UInt?
        var requesting: UInt?
        /// Whatever a fault has to remember.
        var note = 0
    }
    let state = Guarded(State())
    let setting: OperatorUnderTest.Setting
    init(_ setting: OperatorUnderTest.Setting) { self.setting = setting }

    var now: State { state.withLock { $0 } }
    var isInsideHere: Bool { now.inside == threadIdentity() }
    var isInsideElsewhere: Bool { now.inside.map { $0 != threadIdentity() } ?? false }

    func emit(_ element: Int) -> Bool {
        let (down, outer) = state.withLock { state -> (Observer<Int, TestFailure>?, UInt?) in
            let answer = (state.down, state.inside)
            state.elements += 1
            state.inside = threadIdentity()
            return answer
        }
        let used = down?.next(element) ?? true
        state.withLock { $0.inside = outer }
        return used
    }
    func end(_ completion: Completion<TestFailure>) { release()?.done(completion) }
    func ask(_ demand: Demand) { now.up?.request(demand) }
    func stop() {
        let dropped = release()
        now.up?.cancel()
        _ = dropped
    }
    /// Lets go of the observer.
    func release() -> Observer<Int, TestFailure>? {
        state.withLock { state in
            let down = state.down
            state.down = nil
            state.isOver = true
            return down
        }
    }
}

/// What a broken stage does otherwise.
struct Fault: Sendable {
    var attach: @Sendable (Relay, Observable<Int, TestFailure>) -> Void = { _, _ in }
    var next: @Sendable (Relay, Int) -> Bool = { $0.emit($1) }
    var done: @Sendable (Relay, Completion<TestFailure>) -> Void = { $0.end($1) }
    var request: @Sendable (Relay, Demand) -> Void = { $0.ask($1) }
    var cancel: @Sendable (Relay) -> Void = { $0.stop() }

    func stream(_ up: Observable<Int, TestFailure>, _ setting: OperatorUnderTest.Setting) -> Observable<
        Int, TestFailure
    > {
        Observable { down in
            let relay = Relay(setting)
            relay.state.withLock { $0.down = down }
            attach(relay, up)
            let subscription = up.attach(
                Observer(next: { next(relay, $0) }, done: { done(relay, $0) }))
            relay.state.withLock { $0.up = subscription }
            return Subscription(
                request: { demand in
                    let outer = relay.state.withLock { state in
                        let outer = state.requesting
                        state.requesting = threadIdentity()
                        state.requested = demand == .unbounded ? .max : state.requested &+ demand.count
                        return outer
                    }
                    request(relay, demand)
                    relay.state.withLock { $0.requesting = outer }
                },
                cancel: {
                    relay.state.withLock { $0.cancels += 1 }
                    cancel(relay)
                })
        }
    }
}

/// Two subscriptions to one upstream, run into one observer: `merge`, but for what keeps signals apart. Bounded demand
/// goes to the first alone.
final class Jumble: Sendable {
    struct State {
        var down: Observer<Int, TestFailure>?
        var ups: [Subscription] = []
        var isAsked = [false, false]
        var hasEnded = [false, false]
    }
    let state = Guarded(State())
    let guardNext: @Sendable (() -> Bool) -> Bool

    init(_ guardNext: @escaping @Sendable (() -> Bool) -> Bool) { self.guardNext = guardNext }

    static func stream(
        _ up: Observable<Int, TestFailure>,
        _ guardNext: @escaping @Sendable () -> @Sendable (() -> Bool) -> Bool
    ) -> Observable<Int, TestFailure> {
        Observable { down in
            let jumble = Jumble(guardNext())
            jumble.state.withLock { $0.down = down }
            for index in 0..<2 {
                let subscription = up.attach(
                    Observer(next: { jumble.next($0) }, done: { jumble.done(index, $0) }))
                jumble.state.withLock { $0.ups.append(subscription) }
            }
            return Subscription(request: { jumble.request($0) }, cancel: { jumble.cancel([0, 1]) })
        }
    }
    func next(_ element: Int) -> Bool { guardNext { self.state.withLock { $0.down }?.next(element) ?? true } }
    func request(_ demand: Demand) {
        let ups = state.withLock { state in
            let count = demand == .unbounded ? 2 : 1
            for index in 0..<count { state.isAsked[index] = true }
            return state.ups.prefix(count)
        }
        for up in ups { up.request(demand) }
    }
    func done(_ index: Int, _ completion: Completion<TestFailure>) {
        let isLast = state.withLock { state in
            state.hasEnded[index] = true
            let other = 1 - index
            return completion.failure != nil || state.hasEnded[other] || !state.isAsked[other]
        }
        guard isLast else { return }
        let down = state.withLock { $0.down }
        cancel([1 - index])
        down?.done(completion)
    }
    func cancel(_ indices: [Int]) {
        let (down, ups) = state.withLock { state in
            let answer = (state.down, indices.map { state.ups[$0] })
            state.down = nil
            return answer
        }
        for up in ups { up.cancel() }
        _ = down
    }
}
