// throttle: at most one element in an interval.
//
//     -a-bc----d--|
//     throttle(for: 4 frames)
//     -a---c----d-|

extension ObservableConvertible {
    /// Emits at most one element in each interval: the first one at once, then the latest of each interval at its end.
    ///
    /// The latest one goes out at the interval's end also where the source stays silent after it: the last thing that
    /// happened is never lost. An element opens an interval; one with nothing to emit at its end closes. At completion what
    /// is in hand goes out at once, then the end; a failure drops it. Cancel withdraws the timer.
    /// Upstream is asked for everything; an element that downstream has not asked for waits in a queue, and the end behind
    /// it. O(1) for each element.
    ///
    /// - Parameters:
    ///   - interval: the least distance between two elements; zero or less lets everything pass.
    ///   - scheduler: measures the interval and runs the delivery.
    ///   - latest: emit the latest of an interval at its end; `false` drops what comes inside an interval.
    @inlinable
    public func throttle<S: Scheduler>(
        for interval: Duration, on scheduler: S = .continuous, latest: Bool = true,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        let stage = Stage("throttle", Element.self, Element.self, file, line)
        return Observable(stage, after: up.depth, weight: Segment.engine) { down in
            let kept = Cell<Element?>(nil)
            let end = Cell<S.Instant?>(nil)
            let emit: (TimedEngine<Element, Element, Failure>, Element) -> Void = { engine, element in
                engine.emit(element)
                if interval <= .zero { return }
                let deadline = scheduler.deadline(after: interval)
                end.value = deadline
                if latest { engine.wake(at: deadline, on: scheduler) }
            }
            return Subscription(
                TimedEngine(
                    down, up,
                    .init(
                        next: { engine, element in
                            guard let deadline = end.value, kept.value != nil || scheduler.now < deadline else {
                                return emit(engine, element)
                            }
                            let old = kept.value
                            if latest { kept.value = element }
                            _ = old
                        },
                        done: { engine, completion in
                            engine.stopTimer()
                            if case .finished = completion, let last = kept.value { engine.emit(last) }
                            kept.value = nil
                            engine.complete(completion)
                        },
                        timer: { engine, _ in
                            end.value = nil
                            guard let last = kept.value else { return }
                            kept.value = nil
                            emit(engine, last)
                        })))
        }
    }
}
