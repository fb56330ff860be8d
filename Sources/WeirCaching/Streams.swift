// Streams that every level needs, made of the core's operators.

import Weir

extension Observable where Element == Never, Failure == CacheError {
    /// A command: acts at each subscription, then finishes or fails.
    static func command(_ act: @escaping @Sendable () throws(CacheError) -> Void) -> Self {
        Observable<Void, CacheError>.just(()).compactMap { () throws(CacheError) -> Never? in
            try act()
            return nil
        }
    }

    /// This, and once it has finished, what follows.
    func then<Next: Sendable>(_ next: Observable<Next, CacheError>) -> Observable<Next, CacheError> {
        map(nothing).concat(next)
    }

    /// Both, one after the other, also when the first fails; then it fails.
    func andAlways(_ second: Self) -> Self {
        self.catch { error in second.concat(.fail(error)) }.concat(second)
    }
}

extension Observable where Failure == CacheError {
    /// What `make` answers at each subscription.
    static func deferred(_ make: @escaping @Sendable () -> Self) -> Self {
        Observable<Void, CacheError>.just(()).flatMap { make() }
    }

    /// The first element; the failure `notFound` where there is none.
    func orNotFound() -> Self { concat(.fail(.notFound)).prefix(1) }

    /// Runs `action` once, before the end is passed on or when the stream is cancelled.
    func finally(_ action: @escaping @Sendable () -> Void) -> Self {
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

/// What becomes of an element that cannot be.
@Sendable private func nothing<Next>(_ never: Never) throws(CacheError) -> Next {}
