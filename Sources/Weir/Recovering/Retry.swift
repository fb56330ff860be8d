// retry: starts again after a failure.
//
//     --1--#    --1--2--|
//     retry(1)
//     --1----1--2--|

extension ObservableConvertible {
    /// Subscribes to this stream again when it fails, at once or after a wait.
    ///
    /// Each subscription counts for itself, and an element that arrives sets its count back: `count` is the number of
    /// retries in a row that brought nothing. A stream that always brings something before it fails is tried for ever, so
    /// give it a wait. When they are used up, or `isWorthwhile` says no, the failure passes through.
    /// Completion passes through. Cancel reaches the attempt that runs, or withdraws the wait. What is left of the demand
    /// goes to the next attempt; where none is left, that waits for more, and the wait counts from the failure all the
    /// same. Constant stack, however often a synchronous stream fails; O(1) for each element.
    ///
    /// - Parameters:
    ///   - count: retries in a row; zero or less passes the first failure. Without it there is no limit.
    ///   - backoff: how long to wait before each retry; nil does not wait.
    ///   - scheduler: measures the wait.
    ///   - isWorthwhile: whether this failure may pass if it is tried again.
    @inlinable
    public func retry<S: Scheduler>(
        _ count: Int = .max, backoff: Backoff? = nil, on scheduler: S = .continuous,
        if isWorthwhile: @escaping @Sendable (Failure) -> Bool = { _ in true },
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        let stage = Stage("retry", Element.self, Element.self, file, line)
        return Observable(stage, after: up.depth, weight: Segment.engine) { down in
            let attempts = Attempts(up)
            return Subscription(
                Sequel(
                    down, attempts.next,
                    step: { completion in
                        guard case .failed(let error) = completion else { return .end(completion) }
                        let failed = attempts.fail()
                        guard failed <= count, isWorthwhile(error) else { return .end(completion) }
                        guard let wait = backoff?.wait(before: failed), wait > .zero else {
                            return .more(attempts.next)
                        }
                        // From now, though the pause is attached no sooner than somebody asks.
                        let due = scheduler.deadline(after: wait)
                        return .more(Observable.pause(until: due, on: scheduler).concat(attempts.next))
                    }))
        }
    }
}

/// How long to wait before each retry.
public struct Backoff: Sendable, CustomStringConvertible {
    private let first: Duration
    private let factor: Double
    private let longest: Duration
    private let jitter: Double
    private let random: @Sendable () -> Double

    /// The same wait each time.
    ///
    /// - Parameter wait: zero or less does not wait.
    public static func constant(_ wait: Duration) -> Backoff {
        Backoff(first: wait.reachable, factor: 1, longest: wait.reachable, jitter: 0) { 0 }
    }

    /// A wait that grows by a factor each time, up to a longest one, less a random part, so that many clients of one
    /// server do not come back in the same instant.
    ///
    /// - Parameters:
    ///   - first: before the first retry.
    ///   - factor: from one wait to the next; below 1 counts as 1.
    ///   - longest: no wait is longer.
    ///   - jitter: the greatest part that chance takes off, 0 for none to 1 for all; values outside count as the nearer of both.
    ///   - random: a number in 0..<1, for tests.
    /// - SeeAlso: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015: 0.5 is its "equal", 1 its
    ///   "full" jitter.
    public static func exponential(
        from first: Duration, factor: Double = 2, upTo longest: Duration = .seconds(60), jitter: Double = 0.5,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) -> Backoff {
        Backoff(
            first: first.reachable, factor: factor > 1 ? factor : 1, longest: longest.reachable,
            jitter: part(jitter), random: random)
    }

    /// Into 0...1; what is not a number counts as 0.
    private static func part(_ number: Double) -> Double { number > 0 ? min(number, 1) : 0 }

    private init(
        first: Duration, factor: Double, longest: Duration, jitter: Double, random: @escaping @Sendable () -> Double
    ) {
        (self.first, self.factor, self.longest, self.jitter, self.random) = (first, factor, longest, jitter, random)
    }

    /// The wait before a retry.
    ///
    /// - Parameter retry: 1 for the first.
    public func wait(before retry: Int) -> Duration {
        guard first > .zero, longest > .zero else { return .zero }
        // How many times the first wait, cut where it would pass the longest one: no power overflows.
        var wait = first
        for _ in 1..<max(1, min(retry, 2_000)) where wait < longest && factor > 1 {
            wait = wait > longest / factor ? longest : wait * factor
        }
        return min(wait, longest) * (1 - jitter * Self.part(random()))
    }

    /// As in `Backoff(1.0 seconds × 2.0 up to 60.0 seconds, jitter 0.5)`.
    public var description: String { "Backoff(\(first) × \(factor) up to \(longest), jitter \(jitter))" }
}
