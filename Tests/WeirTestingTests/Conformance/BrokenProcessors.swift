import WeirTestSupport
import WeirTesting

extension Broken {
    /// The numbers of demand and elements are those of the check alone, so that no other rule sees the fault.
    static let processor: [(rule: String, subject: Subject)] = [
        stage(
            "1.2 fewer may come than were asked for, then the end",
            Fault(done: { relay, completion in
                if relay.now.requested != 45 || relay.now.elements != 3 { relay.end(completion) }
            })),
        stage(
            "2.1 demand becomes a request upstream",
            Fault(request: { relay, demand in if demand != 46 { relay.ask(demand) } })),
        stage(
            "2.4 an upstream that has ended is not asked",
            Fault(
                done: { relay, completion in
                    if relay.now.requested == 47 && relay.now.elements == 3 {
                        // The end waits for one more request, and that goes up first.
                        relay.state.withLock { $0.note = completion.failure == nil ? 1 : 2 }
                    } else {
                        relay.end(completion)
                    }
                },
                request: { relay, demand in
                    relay.ask(demand)
                    switch relay.now.note {
                    case 1: relay.end(.finished)
                    case 2: relay.end(.failed(TestFailure()))
                    default: break
                    }
                })),
        stage(
            "3.10 elements may come inside the request",
            Fault(next: { relay, element in
                let isLost = relay.state.withLock { state in
                    defer { state.note = 1 }
                    return state.note == 0 && state.requesting == threadIdentity()
                }
                return isLost ? false : relay.emit(element)
            })),
        stage(
            "3.11 the end may come inside the request",
            Fault(done: { relay, completion in
                let state = relay.now
                if state.requested != .max || state.elements > 1 || state.requesting != threadIdentity() {
                    relay.end(completion)
                }
            })),
        stage(
            "4.1 what was asked for long ago is still fetched",
            Fault(request: { relay, demand in relay.ask(demand == 49 ? 8 : demand) })),
        stage(
            "4.2 a failure is passed on at once",
            Fault(
                done: { relay, completion in
                    if completion.failure == nil || relay.now.requested != 51 { relay.end(completion) }
                })),
        stage(
            "no more is fetched ahead than a bounded number",
            Fault(request: { relay, demand in relay.ask(demand == 53 ? .unbounded : demand) })),
        stage(
            "what it selects came in, in order", traits: [.dependsOnTime, .selects],
            Fault(next: { relay, element in
                if relay.now.requested == 57 && relay.now.elements == 10 { return relay.emit(2) }
                return relay.emit(element)
            })),
    ]

    static let sharing: [(rule: String, subject: Subject)] = [
        (
            "1.11 several subscribers at once are served",
            Subject("breaks 1.11") { up, _ in
                let alive = Guarded(0)
                return Observable { down in
                    let isAlone = alive.withLock { alive in
                        alive += 1
                        return alive == 1
                    }
                    @Sendable func leave() { alive.withLock { $0 = max(0, $0 - 1) } }
                    let subscription = (isAlone ? up : up.dropFirst()).attach(
                        Observer(
                            next: down.next,
                            done: { completion in
                                leave()
                                down.done(completion)
                            }))
                    return Subscription(
                        request: { subscription.request($0) },
                        cancel: {
                            leave()
                            subscription.cancel()
                        })
                }
            }
        ),
        (
            "3.14 a cancel leaves other subscribers alone, the last one closes upstream",
            Subject("breaks 3.14") { up, _ in
                let all = Guarded<[Subscription]>([])
                return Observable { down in
                    let subscription = up.attach(down)
                    all.withLock { $0.append(subscription) }
                    return Subscription(
                        request: { subscription.request($0) },
                        cancel: { for one in all.withLock({ $0 }) { one.cancel() } })
                }
            }
        ),
        (
            "the end's handler may subscribe",
            Subject("breaks the end's handler may subscribe") { up, _ in
                let ending = Guarded<UInt?>(nil)
                return Observable { down in
                    let isInside = ending.withLock { $0 } == threadIdentity()
                    let subscription = up.attach(
                        Observer(
                            next: down.next,
                            done: { completion in
                                ending.withLock { $0 = threadIdentity() }
                                down.done(completion)
                                ending.withLock { $0 = nil }
                            }))
                    return Subscription(
                        request: { if !isInside { subscription.request($0) } }, cancel: { subscription.cancel() })
                }
            }
        ),
    ]
}
