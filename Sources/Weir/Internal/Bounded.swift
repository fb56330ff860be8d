extension ObservableConvertible {
    /// Passes elements for as long as an object lives, which is held weakly. The first one after its death cancels
    /// upstream and finishes the stream. Where the death is noticed without one, upstream is let go without an end.
    @inlinable package func bounded(
        by owner: AnyObject & Sendable, _ stage: Stage
    ) -> Observable<Element, Failure> {
        let up = observable
        let life = WeakOwner(owner)
        return Observable(after: up.depth, weight: Segment.engine) { down in
            // Whoever is dead already has no card.
            guard let owner = life.object else { return Observable.empty().attach(down) }
            return stage.attach(down) { down in
                let link = OwnerLink<Element, Failure>(owner, stage, nil)
                link.up = up.attach(
                    Observer(
                        next: { element in
                            if life.isAlive { return down.next(element) }
                            if link.over.isUp { return false }
                            link.cancel()
                            down.done(.finished)
                            return false
                        }, done: { completion in if link.over.raise() { down.done(completion) } }))
                return Subscription(BoundedSubscription(link))
            }
        }
    }
}

/// Lists its owner at the first request.
@usableFromInline final class BoundedSubscription<Element: Sendable, Failure: Error>: Engine {
    @usableFromInline let link: OwnerLink<Element, Failure>
    @inlinable init(_ link: OwnerLink<Element, Failure>) { self.link = link }
    @inlinable func request(_ demand: Demand) {
        link.card.arm(link)
        link.request(demand)
    }
    @inlinable func cancel() { link.cancel() }
}
