// Rules on two threads. The meeting is arranged, not hoped for: a handler waits inside an element until the other thread
// has made its call, and gives up after a while, so each check truly overlaps.

extension Conformance {
    /// The rules that need two threads, for a run of their own under the thread sanitizer.
    public static let threadRules: [Rule] = [
        Rule("1.3 signals do not overlap") { trial in
            let meeting = Meeting(trial)
            let next: Scenario.Next = { _, _ in
                meeting.linger()
                return true
            }
            let isFed = trial.subject.isFed
            let run = isFed ? trial.fed(next: next) : trial.cold(50, next: next)
            if isFed { run.request(.unbounded) }
            let isFinished = trial.onThreads(
                [
                    { meeting.deliver { if isFed { run.push(first: true, 1) } else { run.ask(20) } } },
                    {
                        meeting.whileInside { if isFed { run.push(first: false, 2) } else { run.ask(5) } }
                        for element in 3..<20 { if isFed { run.push(first: false, element) } else { run.ask(1) } }
                    },
                ], meanwhile: { run.settle() })
            run.settle()
            run.close()
            // Whether it finishes is another rule's business.
            _ = isFinished
            let count = run.probe.faults.overlapping
            trial.expect(count == 0, "\(count) signals began while another thread was inside one")
        },
        Rule("a request on another thread during a signal counts", where: { $0.isComplete }) { trial in
            let wanted = min(101, trial.reference(50).count)
            let meeting = Meeting(trial)
            let run = trial.cold(
                50,
                next: { _, _ in
                    meeting.linger()
                    return true
                })
            _ = trial.onThreads(
                [{ meeting.deliver { run.ask(1) } }, { meeting.whileInside { run.probe.request(100) } }],
                meanwhile: { run.settle() })
            if wanted == 0 { return }
            run.waitFor { run.probe.elements.count >= wanted }
            trial.expect(run.probe.elements.count == wanted, "\(run.probe.elements.count) of \(wanted) elements came")
        },
        Rule("after a cancel on another thread one signal at most finishes") { trial in
            let meeting = Meeting(trial)
            let run = trial.cold(
                50,
                next: { _, _ in
                    meeting.linger()
                    return true
                })
            _ = trial.onThreads(
                [{ meeting.deliver { run.ask(.unbounded) } }, { meeting.whileInside { run.probe.cancel() } }],
                meanwhile: { run.settle() })
            run.settle()
            let late = run.probe.faults.afterCancel
            trial.expect(late == 0, "\(late + 1) signals began after a cancel on another thread")
        },
        Rule("a handler may hold a lock that the caller holds") { trial in
            let meeting = Meeting(trial)
            let usersLock = UsersLock()
            let run = trial.cold(
                50,
                next: { _, _ in
                    meeting.arrive()
                    usersLock.withLock {}
                    return true
                })
            let isFinished = trial.onThreads(
                [
                    {
                        meeting.awaitHolder()
                        meeting.deliver { run.ask(.unbounded) }
                    },
                    {
                        usersLock.withLock {
                            meeting.hold()
                            meeting.whileInside {
                                run.probe.request(1)
                                run.probe.cancel()
                            }
                        }
                    },
                ], meanwhile: { run.settle() })
            trial.expect(isFinished, "a handler waits for a lock, its holder waits in request or cancel: deadlock")
        },
        Rule("two operators that feed each other on two threads finish", where: { $0.isFed }) { trial in
            let meeting = Crossing(trial)
            let isFinished = trial.onThreads(
                [{ meeting.feed(0) }, { meeting.feed(1) }], meanwhile: { meeting.settle() })
            trial.expect(isFinished, "they wait for each other: deadlock")
        },
    ]
}

extension Scenario {
    /// Two upstreams where there are two, one from each thread; else both threads into the one.
    func push(first: Bool, _ element: Int) {
        let links = source.links
        guard let link = first ? links.first : links.last else { return push(element) }
        link.send(element)
    }
}

/// Brings a call on one thread into the middle of a signal on another.
final class Meeting: Sendable {
    private struct State {
        var isInside = false
        var hasCalled = false
        var isHeld = false
        var hasDelivered = false
    }
    private let state = Guarded(State())
    private let trial: Trial
    init(_ trial: Trial) { self.trial = trial }

    /// On the first thread: makes the call that delivers.
    func deliver(_ call: () -> Void) {
        call()
        state.withLock { $0.hasDelivered = true }
    }

    /// The user's lock is taken.
    func hold() { state.withLock { $0.isHeld = true } }
    func awaitHolder() { while !state.withLock({ $0.isHeld }) { Threads.pause() } }

    /// In a handler: the first one says that it is inside.
    func arrive() { state.withLock { $0.isInside = true } }

    /// In a handler: the first one stays until the other thread's call has returned, or until it is clear that it waits.
    func linger() {
        let isFirst = state.withLock { state in
            let isFirst = !state.isInside
            state.isInside = true
            return isFirst
        }
        guard isFirst else { return }
        for _ in 0..<2_000 where !state.withLock({ $0.hasCalled }) { Threads.pause(microseconds: 100) }
    }
    /// On the other thread: waits for the handler, then calls. Where the delivering call has returned without one, it
    /// may still come from elsewhere, or not at all, so the wait is short, but for what waits for the clock or the pool.
    func whileInside(_ call: () -> Void) {
        let most = trial.subject.traits.isDisjoint(with: [.dependsOnTime, .takesTime, .runsOnPool]) ? 200 : 2_000
        var turns = 0
        while turns < most && !state.withLock({ $0.isInside }) {
            Threads.pause(microseconds: 100)
            if state.withLock({ $0.hasDelivered }) { turns += 1 }
        }
        if state.withLock({ $0.isInside && !$0.hasCalled }) { trial.overlaps.add() }
        call()
        state.withLock { $0.hasCalled = true }
    }
}

/// Two operators, each of which feeds the other from its handler, fed by a thread each.
final class Crossing: Sendable {
    private let runs = Guarded<[Scenario]>([])
    private let trial: Trial

    init(_ trial: Trial) {
        self.trial = trial
        for index in 0..<2 {
            let inside = Guarded(0)
            let run = trial.fed(next: { [weak self] run, _ in
                // A handful of times, and from inside both handlers at once as far as the machine lets it.
                let count = inside.withLock { count in
                    count += 1
                    return count
                }
                if count <= 20, let other = self?.run(1 - index) {
                    if other.probe.isInside { self?.trial.overlaps.add() }
                    if count == 1 { for _ in 0..<50 where !other.probe.isInside { Threads.pause(microseconds: 100) } }
                    other.push(100 + count)
                }
                return true
            })
            run.ask(.unbounded)
            runs.withLock { $0.append(run) }
        }
    }
    func run(_ index: Int) -> Scenario? { runs.withLock { $0.indices.contains(index) ? $0[index] : nil } }
    func feed(_ index: Int) { for element in 0..<100 { run(index)?.push(element) } }
    func settle() { for run in runs.withLock({ $0 }) { run.settle() } }
}

/// A lock as a user may have it. The same thread may take it again, so that a broken operator cannot stop the suite.
final class UsersLock: Sendable {
    private let owner = Guarded<UInt?>(nil)

    func withLock(_ body: () -> Void) {
        let me = threadIdentity()
        if owner.withLock({ $0 }) == me { return body() }
        while !take(me) { Threads.pause(microseconds: 50) }
        body()
        owner.withLock { $0 = nil }
    }
    private func take(_ thread: UInt) -> Bool {
        owner.withLock { owner in
            if owner != nil { return false }
            owner = thread
            return true
        }
    }
}
