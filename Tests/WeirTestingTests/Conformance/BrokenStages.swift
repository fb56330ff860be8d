import WeirTestSupport
import WeirTesting

/// For each rule a stage or a source that breaks it and keeps all others.
enum Broken {
    typealias Subject = OperatorUnderTest

    static func stage(_ rule: String, traits: Subject.Traits = [], _ fault: Fault) -> (rule: String, subject: Subject) {
        (rule, Subject("breaks \(rule)", traits) { up, setting in fault.stream(up, setting) })
    }

    static let signals: [(rule: String, subject: Subject)] = [
        stage("1.4 a failure is signalled as a failure", Fault(done: { relay, _ in relay.end(.finished) })),
        stage(
            "1.5 an end is signalled",
            Fault(
                done: { relay, completion in
                    if relay.now.elements <= 1 || relay.now.note == 0 || completion.failure != nil {
                        relay.end(completion)
                    }
                },
                request: { relay, demand in
                    relay.state.withLock { if $0.requested == .max && $0.note == 0 && $0.elements == 0 { $0.note = 1 } }
                    relay.ask(demand)
                })),
        stage(
            "1.6 the end is the end of the subscription",
            Fault(
                done: { relay, completion in
                    let down = relay.now.down
                    relay.end(completion)
                    // Kept only here, so that freeing the observer stays another rule's business.
                    if relay.now.elements == 5 && relay.now.cancels == 0 { relay.state.withLock { $0.down = down } }
                },
                request: { relay, demand in
                    if relay.now.isOver { relay.end(.finished) } else { relay.ask(demand) }
                })),
        stage(
            "1.7 nothing follows the end",
            Fault(done: { relay, completion in
                let down = relay.now.down
                relay.end(completion)
                if relay.now.cancels == 0 { down?.done(completion) }
            })),
        stage(
            "1.8 nothing follows a cancel",
            Fault(
                next: { relay, element in
                    if relay.now.note == 1 {
                        _ = relay.emit(element)
                        relay.stop()
                        return true
                    }
                    return relay.emit(element)
                },
                cancel: { relay in
                    if relay.isInsideHere { relay.state.withLock { $0.note = 1 } } else { relay.stop() }
                })),
        stage(
            "2.9 an end needs no demand",
            Fault(done: { relay, completion in
                if relay.now.elements > 0 || relay.now.requesting == threadIdentity() { relay.end(completion) }
            })),
        stage(
            "3.7 a second cancel does nothing",
            Fault(cancel: { relay in
                let state = relay.now
                if state.elements == 4 && state.cancels == 1 { return state.up?.cancel() ?? () }
                if state.elements == 4 && state.cancels == 2 { return relay.end(.finished) }
                relay.stop()
            })),
    ]

    static let demand: [(rule: String, subject: Subject)] = [
        stage(
            "law of attach: an early end comes at the first request",
            Fault(done: { relay, completion in
                if relay.now.requested != 2 || relay.now.elements > 0 || relay.now.requesting == nil {
                    relay.end(completion)
                }
            })),
        stage(
            "1.1 never more than was asked for",
            Fault(next: { relay, element in
                let used = relay.emit(element)
                if relay.now.requested == 2 && relay.now.elements == 2 && relay.now.down != nil {
                    _ = relay.emit(element)
                }
                return used
            })),
        stage(
            "3.2 a request from inside a handler counts",
            Fault(request: { relay, demand in if !relay.isInsideHere { relay.ask(demand) } })),
        stage(
            "asked one by one it says the same", traits: [.dependsOnDemand, .keepsLast],
            Fault(next: { relay, element in
                relay.now.requested == 30 && relay.now.elements == 29 ? false : relay.emit(element)
            })),
        stage(
            "3.6 a request after a cancel does nothing",
            Fault(
                request: { relay, demand in
                    if relay.now.note == 1 { relay.end(.finished) } else { relay.ask(demand) }
                },
                cancel: { relay in
                    guard relay.now.elements == 6 else { return relay.stop() }
                    relay.state.withLock { $0.note = 1 }
                    relay.now.up?.cancel()
                })),
        stage(
            "3.8 requests add up",
            Fault(request: { relay, demand in
                if demand != 3 || relay.now.requested != 5 { relay.ask(demand) }
            })),
        stage(
            "3.17 demand has no upper end",
            Fault(request: { relay, demand in
                if demand.count > .max / 2 && demand != .unbounded {
                    relay.now.up?.cancel()
                    return relay.end(.failed(TestFailure("too much")))
                }
                relay.ask(demand)
            })),
        stage(
            "a refused element costs no demand",
            Fault(next: { relay, element in
                _ = relay.emit(element)
                return true
            })),
        stage(
            "upstream is asked for what downstream asks for", traits: [.passesDemand],
            Fault(request: { relay, demand in
                if demand == .unbounded || demand == 1 { return relay.ask(demand) }
                relay.ask(1)
                relay.ask(Demand(demand.count - 1))
            })),
    ]

    static let upstream: [(rule: String, subject: Subject)] = [
        stage(
            "2.3 an upstream that ends is not called",
            Fault(done: { relay, completion in
                relay.now.up?.cancel()
                relay.end(completion)
            })),
        stage("2.6 a cancel reaches upstream", Fault(cancel: { relay in _ = relay.release() })),
        stage(
            "2.8 an element after a cancel asks for nothing",
            Fault(next: { relay, element in
                if relay.now.isOver { relay.ask(1) }
                return relay.emit(element)
            })),
        stage(
            "one subscription upstream",
            Fault(attach: { _, up in up.attach(Observer(next: { _ in true }, done: { _ in })).cancel() })),
        stage(
            "at the end no upstream is open",
            Fault(next: { relay, element in
                let used = relay.emit(element)
                if relay.now.elements == 3 { relay.end(.finished) }
                return used
            })),
        stage(
            "upstream is cancelled before an early end is signalled",
            Fault(next: { relay, element in
                let used = relay.emit(element)
                if relay.now.elements == 3 {
                    relay.end(.finished)
                    relay.now.up?.cancel()
                }
                return used
            })),
    ]

    static let life: [(rule: String, subject: Subject)] = [
        stage("3.13 a cancel frees the observer", Fault(cancel: { relay in relay.now.up?.cancel() })),
        stage("the end frees the observer", Fault(done: { relay, completion in relay.now.down?.done(completion) })),
        stage(
            "teardown runs exactly once", traits: [.hasTeardown],
            Fault(
                done: { relay, completion in
                    relay.end(completion)
                    relay.setting.tornDown()
                },
                cancel: { relay in
                    relay.stop()
                    relay.setting.tornDown()
                })),
        stage(
            "the end's handler may ask and cancel",
            Fault(done: { relay, completion in
                let down = relay.now.down
                let before = relay.now.cancels
                relay.end(completion)
                if relay.now.cancels > before { down?.done(completion) }
            })),
    ]

    static let threads: [(rule: String, subject: Subject)] = [
        stage(
            "a request on another thread during a signal counts",
            Fault(request: { relay, demand in if !relay.isInsideElsewhere { relay.ask(demand) } })),
        stage(
            "after a cancel on another thread one signal at most finishes",
            Fault(
                next: { relay, element in
                    let used = relay.emit(element)
                    let isOut = relay.state.withLock { state in
                        if state.note > 0 { state.note += 1 }
                        return state.note == 5
                    }
                    if isOut { relay.stop() }
                    return used
                },
                cancel: { relay in
                    if relay.isInsideElsewhere { relay.state.withLock { $0.note = 1 } } else { relay.stop() }
                })),
        stage(
            "a handler may hold a lock that the caller holds",
            Fault(cancel: { relay in
                waitBriefly { !relay.isInsideElsewhere }
                relay.stop()
            })),
    ]

    /// Until it is true, or so long that the suite has lost its patience.
    @Sendable static func waitBriefly(until isTrue: () -> Bool) {
        spin(atMost: BrokenTests.patience * 3, until: isTrue)
    }
}
