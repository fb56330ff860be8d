// debounce: emits after a quiet period.
//
//     --ab--c|
//     debounce(for: 2 frames)
//     -----b-(c|)

extension ObservableConvertible {
    /// Emits the latest element once `interval` has passed without a newer one.
    ///
    /// At completion the element in hand goes out at once, then the end; a failure drops it. Cancel withdraws the
    /// timer. Upstream is asked for everything; an element that downstream has not asked for waits in a queue, and the end
    /// behind it. O(1) for each element.
    ///
    /// On `.immediate` no time passes: each element of a subject goes out at once, and of a sequence that sends all in one
    /// go only the last.
    ///
    /// - Parameters:
    ///   - interval: the quiet period; zero or less waits for the scheduler's next turn.
    ///   - scheduler: measures the period and runs the delivery.
    ///   - flushes: whether completion emits the element in hand, or drops it.
    @inlinable
    public func debounce<S: Scheduler>(
        for interval: Duration, on scheduler: S = .continuous, flushAtCompletion flushes: Bool = true,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        let stage = Stage("debounce", Element.self, Element.self, file, line)
        return Observable(stage, after: up.depth, weight: Segment.engine) { down in
            let latest = Cell<Element?>(nil)
            return Subscription(
                TimedEngine(
                    down, up,
                    .init(
                        next: { engine, element in
                            let old = latest.value
                            latest.value = element
                            engine.wake(at: scheduler.deadline(after: interval), on: scheduler)
                            _ = old
                        },
                        done: { engine, completion in
                            engine.stopTimer()
                            if flushes, case .finished = completion, let last = latest.value { engine.emit(last) }
                            latest.value = nil
                            engine.complete(completion)
                        },
                        timer: { engine, _ in
                            if let quiet = latest.value { engine.emit(quiet) }
                            latest.value = nil
                        })))
        }
    }
}
