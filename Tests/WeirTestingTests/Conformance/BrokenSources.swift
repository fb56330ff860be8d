import WeirTesting

extension Broken {
    /// What a relay cannot get wrong.
    static let others: [(rule: String, subject: Subject)] = [
        broken("law of attach: nothing happens before the first request") { rule in
            .source(rule) { _ in
                Observable<Int, TestFailure> { down in
                    down.done(.finished)
                    return Subscription(request: { _ in }, cancel: {})
                }
            }
        },
        broken("1.10 each subscription starts anew") { rule in
            Subject(rule) { up, _ in
                let hasEnded = Guarded(false)
                return Observable { down in
                    (hasEnded.withLock { $0 } ? up.dropFirst() : up).attach(
                        Observer(
                            next: down.next,
                            done: { completion in
                                hasEnded.withLock { $0 = true }
                                down.done(completion)
                            }))
                }
            }
        },
        broken("3.3 a request from inside a handler does not recurse") { rule in
            .source(rule) { _ in Recursing.stream }
        },
        broken("a handler may send") { rule in
            .hot(rule) { _ in
                let subject = PublishSubject<Int, TestFailure>()
                let inside = Guarded<UInt?>(nil)
                let stream = Observable { down in
                    subject.observable.attach(
                        Observer(
                            next: { element in
                                inside.withLock { $0 = threadIdentity() }
                                defer { inside.withLock { $0 = nil } }
                                return down.next(element)
                            }, done: down.done))
                }
                return (
                    stream,
                    .init(
                        send: { element in
                            if inside.withLock({ $0 }) != threadIdentity() { subject.send(element) }
                        }, end: { subject.send(completion: $0) })
                )
            }
        },
        broken("the end's handler may send") { rule in
            .hot(rule) { setting in
                let subject = PublishSubject<Int, TestFailure>()
                let ending = Guarded<(thread: UInt, send: @Sendable (Int) -> Void)?>(nil)
                let stream = Observable<Int, TestFailure> { down in
                    // The observer is called from inside its own end alone.
                    let relay = Relay(setting)
                    relay.state.withLock { $0.down = down }
                    return subject.observable.attach(
                        Observer(
                            next: { relay.emit($0) },
                            done: { completion in
                                let down = relay.now.down
                                ending.withLock { $0 = (threadIdentity(), { _ = relay.emit($0) }) }
                                down?.done(completion)
                                ending.withLock { $0 = nil }
                                _ = relay.release()
                            }))
                }
                return (
                    stream,
                    .init(
                        send: { element in
                            if let end = ending.withLock({ $0 }), end.thread == threadIdentity() {
                                end.send(element)
                            } else {
                                subject.send(element)
                            }
                        }, end: { subject.send(completion: $0) })
                )
            }
        },
        broken("a handler may subscribe") { rule in
            Subject(rule) { up, _ in
                let inside = Guarded(0)
                return Observable { down in
                    let subscription = up.attach(
                        Observer(
                            next: { element in
                                inside.withLock { $0 += 1 }
                                defer { inside.withLock { $0 -= 1 } }
                                return down.next(element)
                            }, done: down.done))
                    let isFresh = inside.withLock { $0 } == 0
                    return Subscription(
                        request: { if isFresh { subscription.request($0) } }, cancel: { subscription.cancel() })
                }
            }
        },
        broken("1.3 signals do not overlap") { rule in
            Subject(rule, [.dependsOnDemand, .attachesOften]) { up, _ in Jumble.stream(up) { { $0() } } }
        },
        broken("two operators that feed each other on two threads finish") { rule in
            Subject(rule, [.dependsOnDemand, .attachesOften]) { up, _ in
                Jumble.stream(up) {
                    // A lock around delivery, the same thread may enter again.
                    let owner = Guarded<UInt?>(nil)
                    return { body in
                        let me = threadIdentity()
                        if owner.withLock({ $0 }) == me { return body() }
                        func take() -> Bool {
                            owner.withLock { owner in
                                if owner != nil { return false }
                                owner = me
                                return true
                            }
                        }
                        waitBriefly(until: take)
                        defer { owner.withLock { if $0 == me { $0 = nil } } }
                        return body()
                    }
                }
            }
        },
    ]
    private static func broken(_ rule: String, _ make: (String) -> Subject) -> (rule: String, subject: Subject) {
        (rule, make("breaks \(rule)"))
    }
}

/// Emits inside each request, also inside one that comes from a handler.
private final class Recursing: Sendable {
    struct State {
        var down: Observer<Int, TestFailure>?
        var demand = 0
        var count = 0
        /// The thread that emits, and how deep it has come back.
        var emitter: UInt?
        var depth = 0
    }
    let state = Guarded(State())

    static var stream: Observable<Int, TestFailure> {
        Observable { down in
            let source = Recursing()
            source.state.withLock { $0.down = down }
            return Subscription(
                request: { source.request($0) },
                cancel: {
                    let dropped = source.state.withLock { state in
                        let down = state.down
                        state.down = nil
                        return down
                    }
                    _ = dropped
                })
        }
    }
    func request(_ demand: Demand) {
        let mayEmit = state.withLock { state in
            state.demand = demand.count > 1_000 ? 1_000 : state.demand + demand.count
            guard state.emitter == nil || state.emitter == threadIdentity() else { return false }
            state.emitter = threadIdentity()
            state.depth += 1
            return true
        }
        guard mayEmit else { return }
        while true {
            let (down, element) = state.withLock { state -> (Observer<Int, TestFailure>?, Int?) in
                if state.demand > 0, state.count < 300, let down = state.down {
                    state.demand -= 1
                    state.count += 1
                    return (down, state.count)
                }
                state.depth -= 1
                if state.depth == 0 { state.emitter = nil }
                guard state.count == 300 else { return (nil, nil) }
                let down = state.down
                state.down = nil
                return (down, nil)
            }
            guard let down else { return }
            guard let element else { return down.done(.finished) }
            if !down.next(element) { state.withLock { $0.demand += 1 } }
        }
    }
}
