/// The way from a stream to an owner's handlers.
@usableFromInline enum OwnerSink<Element: Sendable, Failure: Error> {
    /// `deliver` answers whether the owner still lives; when it does not, upstream is cancelled. `.lost` comes only where
    /// there is an inbox.
    @inlinable static func subscribe(
        _ source: Observable<Element, Failure>, _ owner: AnyObject, _ stage: Stage,
        _ inbox: Inbox<Element, Failure>? = nil, _ redirection: Redirection? = nil,
        _ deliver: @escaping (Inbox<Element, Failure>.Letter) -> Bool
    ) -> OwnerSubscription {
        subscribe(source, owner, stage, OwnerLink(owner, stage, inbox, redirection)) { link in
            Observer(
                next: { element in
                    if deliver(.next(element)) { return true }
                    link.cancel()
                    return false
                },
                end: { completion in link.end { deliver(.done(completion)) } },
                lost: { link.lost { deliver(.lost) } })
        }
    }

    /// `observe` makes what upstream holds: it cancels the link when the owner is dead.
    @inlinable static func subscribe(
        _ source: Observable<Element, Failure>, _ owner: AnyObject, _ stage: Stage,
        _ link: OwnerLink<Element, Failure>,
        _ observe: (OwnerLink<Element, Failure>) -> Observer<Element, Failure>
    ) -> OwnerSubscription {
        var observer = observe(link)
        if Trace.isOn { observer = link.card.counting(observer) }
        let outer = Trace.Scope.current
        link.up = Trace.Scope(node: outer.node, nesting: outer.nesting, card: link.card).run {
            [observer] in
            Trace.isOn ? Trace.subscribe(stage, link.card) { source.attach(observer) } : source.attach(observer)
        }
        link.card.arm(link)
        let subscription = Subscription(link)
        if link.card.redirection != nil && link.card.isRefused {
            link.cancel()
        } else {
            subscription.request(.unbounded)
        }
        let token = SubscriptionToken(subscription, link.life, isTied: false)
        (owner as? any SubscriptionOwner)?.subscriptions.insert(SubscriptionToken(subscription, link.life))
        return OwnerSubscription(token)
    }
}

/// The two ways to the handler of an owner that is held weakly.
extension OwnerSink where Failure == Never {
    /// Wherever the stream emits.
    @inlinable @inline(__always) static func directly<Owner: AnyObject & Sendable>(
        _ source: Observable<Element, Never>, _ owner: Owner, _ stage: Stage,
        _ next: @escaping (Owner, Element) -> Void
    ) -> OwnerSubscription {
        subscribe(source, owner, stage, OwnerLink(owner, stage, nil)) { link in
            Observer(
                next: { [weak owner] element in
                    guard let owner else {
                        link.cancel()
                        return false
                    }
                    next(owner, element)
                    return true
                }, end: { _ in link.end { true } }, lost: { link.lost { true } })
        }
    }
    /// Where a method belongs: on its actor, in order, through an inbox; without one wherever the stream emits.
    @inlinable @inline(__always) static func method<Owner: AnyObject & Sendable>(
        _ source: Observable<Element, Never>, _ owner: Owner, _ stage: Stage, on isolation: (any Actor)?,
        _ call: @escaping @Sendable (Owner, Element) -> Void,
        _ hop: @escaping @Sendable (isolated any Actor, Owner, Element) async -> Void
    ) -> OwnerSubscription {
        guard let actor = isolation else { return directly(source, owner, stage, call) }
        let inbox = Inbox<Element, Never>()
        return subscribe(source, owner, stage, inbox) { [weak owner] letter in
            guard owner != nil else { return false }
            if inbox.put(letter) {
                Task { [weak owner] in
                    while let letters = inbox.take() {
                        for letter in letters {
                            guard let owner, !inbox.isClosed else { return }
                            switch letter {
                            case .next(let element): await hop(actor, owner, element)
                            case .done, .lost: inbox.life.finished.raise()
                            }
                        }
                    }
                }
            }
            return true
        }
    }
    /// On an actor, through an inbox. An element that is on its way when the owner dies is dropped.
    @inlinable static func on<Owner: AnyObject>(
        _ isolation: any Actor, _ source: Observable<Element, Never>, _ owner: Owner, _ stage: Stage,
        _ next: @escaping (Owner, Element) -> Void
    ) -> OwnerSubscription {
        let handlers = ActorHandlers<Element, Never>(
            isolation,
            next: { [weak owner] element in
                if let owner { next(owner, element) }
            }, done: { _ in })
        let life = WeakOwner(owner)
        return subscribe(source, owner, stage, handlers.inbox) { letter in
            guard life.isAlive else { return false }
            handlers.deliver(letter)
            return true
        }
    }
}

extension ObservableConvertible where Failure == Never {
    /// For the methods of a module that are no `UnappliedMethod`: see `OwnerSink.method`.
    @discardableResult @inlinable package func subscribe<Owner: AnyObject & Sendable>(
        _ owner: Owner, on isolation: (any Actor)?, file: StaticString, line: UInt,
        call: @escaping @Sendable (Owner, Element) -> Void,
        hop: @escaping @Sendable (isolated any Actor, Owner, Element) async -> Void
    ) -> OwnerSubscription {
        let stage = Stage("subscribe", Owner.self, Element.self, file, line)
        return OwnerSink.method(observable, owner, stage, on: isolation, call, hop)
    }

    /// Sends each element on into a labelled source, which is held weakly. Where that closes a circle of such
    /// redirections it is refused: reported, and over at once.
    @inlinable package func redirect<Owner: AnyObject & Sendable>(
        to owner: Owner, _ redirection: Redirection, _ send: @escaping @Sendable (Owner, Element) -> Void,
        file: StaticString, line: UInt
    ) -> OwnerSubscription {
        let stage = Stage("redirect", Owner.self, Element.self, file, line)
        return OwnerSink.subscribe(observable, owner, stage, nil, redirection) { [weak owner] letter in
            guard let owner else { return false }
            if case .next(let element) = letter { send(owner, element) }
            return true
        }
    }
}
