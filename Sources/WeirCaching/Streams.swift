// Streams that every level needs, made of the core's operators.

import Dispatch
import Weir

extension Observable where Element == Never, Failure == CacheError {
    /// A command: acts at each subscription, then finishes or fails.
    @inlinable static func command(_ act: @escaping @Sendable () throws(CacheError) -> Void) -> Self {
        Observable<Void, CacheError>.just(()).compactMap { () throws(CacheError) -> Never? in
            try act()
            return nil
        }
    }

    /// This, and once it has finished, what follows.
    @inlinable func then<Next: Sendable>(_ next: Observable<Next, CacheError>) -> Observable<Next, CacheError> {
        map(nothing).concat(next)
    }

    /// Both, one after the other, also when the first fails; then it fails.
    @inlinable func andAlways(_ second: Self) -> Self {
        self.catch { error in second.concat(.fail(error)) }.concat(second)
    }
}

extension Observable where Failure == CacheError {
    /// What `make` answers at each subscription.
    @inlinable static func deferred(_ make: @escaping @Sendable () -> Self) -> Self {
        Observable<Void, CacheError>.just(()).flatMap { make() }
    }

    /// What is at hand, looked up at each subscription, or else what `make` answers.
    @inlinable static func held(
        _ look: @escaping @Sendable () -> Element?, else make: @escaping @Sendable () -> Self
    ) -> Self {
        Observable<Void, CacheError>.just(())
            .map { () throws(CacheError) in
                guard let element = look() else { throw .notFound }
                return element
            }
            .catch { _ in make() }
    }

    /// What `act` answers, on a queue at each subscription, then the end; nil is no element.
    static func work(
        on queue: DispatchQueue, _ act: @escaping @Sendable () throws(CacheError) -> Element?
    ) -> Self {
        .create { emitter in
            queue.async {
                if emitter.isOver { return }
                do throws(CacheError) {
                    if let element = try act() { emitter.send(element) }
                    emitter.finish()
                } catch {
                    emitter.fail(error)
                }
            }
        }
    }

    /// The first element; the failure `notFound` where there is none.
    @inlinable func orNotFound() -> Self { concat(.fail(.notFound)).prefix(1) }

    /// Runs `action` once, before the end is passed on or when the stream is cancelled.
    @inlinable func finally(_ action: @escaping @Sendable () -> Void) -> Self {
        .create { emitter in
            let due = Lock<(@Sendable () -> Void)?>(action)
            let once: @Sendable () -> Void = {
                let action = due.withLock { action in
                    let now = action
                    action = nil
                    return now
                }
                action?()
            }
            let token = self.subscribe({ emitter.send($0) }) { completion in
                once()
                emitter.send(completion: completion)
            }
            emitter.onTermination {
                token.cancel()
                once()
            }
        }
    }
}

extension Observable where Failure == CacheError {
    /// This as work that a gate lets in: refused once it closes, cut when its time is over.
    @inlinable func gated(by gate: WorkGate) -> Self {
        .create { emitter in
            guard let pass = gate.enter(cut: { emitter.fail(.closed) }) else { return emitter.fail(.closed) }
            emitter.onTermination { gate.leave(pass) }
            let token = self.subscribe({ emitter.send($0) }, done: { emitter.send(completion: $0) })
            emitter.onTermination { token.cancel() }
        }
    }
}

extension WorkGate {
    /// Closes from the top down: what is under way here may still need the levels below.
    @usableFromInline func close<each Level: CacheLevel>(
        within time: Duration, on scheduler: some Scheduler, then level: repeat each Level
    ) async {
        let start = scheduler.now
        await close(within: time, on: scheduler)
        for level in repeat each level {
            await level.close(within: time.reachable - start.duration(to: scheduler.now), on: scheduler)
        }
    }
}

/// What becomes of an element that cannot be.
@usableFromInline @Sendable func nothing<Next>(_ never: Never) throws(CacheError) -> Next {}
