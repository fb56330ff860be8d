// delay: shifts elements in time.
//
//     --a--b-|
//     delay(for: 3 frames)
//     -----a--b-|

extension ObservableConvertible {
    /// Emits each element `interval` later, and the completion too.
    ///
    /// Distances between elements are kept, by absolute deadlines. A failure passes at once and drops what is under way.
    /// Cancel withdraws the timer. Upstream is asked for everything; what is under way is kept in a queue, and so is what
    /// downstream has not asked for, the end behind it. O(1) for each element.
    ///
    /// - Parameters:
    ///   - interval: how much later; zero or less waits for the scheduler's next turn.
    ///   - scheduler: measures the interval and runs the delivery.
    @inlinable
    public func delay<S: Scheduler>(
        for interval: Duration, on scheduler: S = .continuous, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        let stage = Stage("delay", Element.self, Element.self, file, line)
        return Observable(stage, after: up.depth, weight: Segment.engine) { down in
            // nil stands for the completion.
            let underWay = Cell(Ring<(due: S.Instant, element: Element?)>())
            let enter: (TimedEngine<Element, Element, Failure>, Element?) -> Void = { engine, element in
                let due = scheduler.deadline(after: interval)
                underWay.value.append((due, element))
                if underWay.value.count == 1 { engine.wake(at: due, on: scheduler) }
            }
            return Subscription(
                TimedEngine(
                    down, up,
                    .init(
                        next: { enter($0, $1) },
                        done: { engine, completion in
                            guard case .failed = completion else { return enter(engine, nil) }
                            engine.stopTimer()
                            underWay.value.removeAll()
                            engine.complete(completion)
                        },
                        timer: { engine, _ in
                            // The first is due, also where the scheduler does not wait for deadlines.
                            let now = max(scheduler.now, underWay.value.first?.due ?? scheduler.now)
                            while let first = underWay.value.first, first.due <= now {
                                _ = underWay.value.popFirst()
                                if let element = first.element {
                                    engine.emit(element)
                                } else {
                                    engine.complete(.finished)
                                }
                            }
                            if let first = underWay.value.first { engine.wake(at: first.due, on: scheduler) }
                        })))
        }
    }
}
