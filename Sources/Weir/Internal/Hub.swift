// The engine under subjects and share: one list of subscribers, one order for all.

/// Everything that touches the list of entries is a signal, run one at a time by the serialiser: no other lock, no copy
/// of the list, no lock on delivery. Entries, tokens and observables refer to the hub alone, never to the subject that
/// owns it; when that goes, `stop` frees the subscribers.
@usableFromInline final class Hub<Element: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline enum Signal {
        case next(Element)
        case done(Completion<Failure>)
        case add(Entry)
        case remove(Entry)
        /// An entry has asked for more.
        case pull(Entry)
        /// An element, and what to do where nobody hears it.
        case offer(Offer)
        /// Nobody holds the hub any more: free everything, signal nothing.
        case stop
    }

    /// One word in a signal, whatever the element.
    @usableFromInline final class Offer {
        @usableFromInline let element: Element
        @usableFromInline let unheard: (Element) -> Void
        @inlinable init(_ element: Element, _ unheard: @escaping (Element) -> Void) {
            self.element = element
            self.unheard = unheard
        }
    }

    @usableFromInline let serial = Serial<Signal>()
    // The emitter's own: only whoever holds `serial` touches what follows.
    @exclusivity(unchecked) @usableFromInline var entries: ContiguousArray<Entry> = []
    /// Entries in the list that are over.
    @exclusivity(unchecked) @usableFromInline var dead = 0
    @exclusivity(unchecked) @usableFromInline var over = false
    @exclusivity(unchecked) @usableFromInline var end: Completion<Failure>?
    /// The last elements, handed to each newcomer: as many as `replay`.
    @exclusivity(unchecked) @usableFromInline var kept = Ring<Element>()
    @exclusivity(unchecked) @usableFromInline var delivering = false
    @exclusivity(unchecked) @usableFromInline var asking = false
    /// The demand of the entries may have changed.
    @exclusivity(unchecked) @usableFromInline var stale = false
    @usableFromInline let replay: Int
    @usableFromInline let feed: Feed?

    /// - Parameters:
    ///   - replay: how many elements a newcomer gets.
    ///   - feed: an upstream that is asked on demand; nil for a subject, which is sent to.
    @inlinable init(replay: Int = 0, feed: Feed? = nil) {
        self.replay = replay
        self.feed = feed
    }

    /// A subject's observable.
    @inlinable func observable(_ stage: Stage) -> Observable<Element, Failure> {
        Observable(depth: 0) { down in stage.attach(down) { Subscription(Entry($0, self)) } }
    }

    @inlinable @inline(__always) func send(_ element: Element) { signal(.next(element)) }

    @inlinable func signal(_ signal: Signal) {
        if serial.enter() {
            run(signal)
            if stale { ask() }
            if !serial.leave() { drain() }
        } else if serial.post(signal) {
            drain()
        }
    }
    @inlinable @inline(never) func drain() { serial.drain({ run($0) }, settle: { if stale { ask() } }) }

    @inlinable @inline(__always) func run(_ signal: Signal) {
        if case .next(let element) = signal { take(element) } else { other(signal) }
    }
    @inlinable @inline(__always) func take(_ element: Element) {
        if replay > 0 || feed != nil { remember(element) }
        each(element)
    }
    @inlinable @inline(__always) func each(_ element: Element) {
        entries.withUnsafeBufferPointer { entries in
            for index in 0..<entries.count {
                Unmanaged.passUnretained(entries[index])._withUnsafeGuaranteedRef { $0.deliver(element) }
            }
        }
    }
    @inlinable func remember(_ element: Element) {
        if over { return }
        if replay > 0 {
            // What falls out may run a foreign deinit, so it goes last.
            let oldest = kept.count == replay ? kept.popFirst() : nil
            kept.append(element)
            _ = oldest
        }
        if let feed, feed.outstanding != .max {
            feed.outstanding &-= 1
            if feed.outstanding == 0 { stale = true }
        }
    }

    @inlinable @inline(never) func other(_ signal: Signal) {
        let outer = delivering
        delivering = true
        defer { delivering = outer }
        switch signal {
        case .next: break
        case .add(let entry): add(entry)
        case .remove(let entry): remove(entry)
        case .pull(let entry):
            entry.flush()
            freed(entry)
        case .done(let completion): finish(completion)
        case .offer(let offer):
            delivering = outer
            if over { return }
            if entries.count == dead { offer.unheard(offer.element) } else { take(offer.element) }
        case .stop: stop()
        }
    }
    @inlinable func add(_ entry: Entry) {
        if entry.isOver { return entry.drop() }
        if over && end == nil { return entry.vanish() }
        for index in 0..<kept.count { if let element = kept[index] { entry.deliver(element) } }
        if let end { return entry.finish(end) }
        entries.append(entry)
        joined(entry)
    }
    @inlinable func remove(_ entry: Entry) {
        // One that was gone before it could join is in no list: it must not count as dead there.
        if entry.box != nil { dead += 1 }
        entry.drop()
        freed(entry)
        // Swept when the dead are the greater part: leaving is O(1), amortised.
        if dead > 8 && dead * 2 > entries.count {
            entries.removeAll { $0.box == nil }
            dead = 0
        }
    }
    @inlinable func finish(_ completion: Completion<Failure>) {
        if over { return }
        over = true
        end = completion
        let all = entries
        let remembered = kept
        entries = []
        // Who joins a shared connection just as it ends still gets what it replays; after a failure, the failure alone.
        if feed == nil || completion.failure != nil { kept = Ring() }
        feed?.up = nil
        for entry in all { entry.finish(completion) }
        _ = remembered
    }
    @inlinable func stop() {
        if !over {
            over = true
            let up = feed?.up
            feed?.up = nil
            up?.cancel()
        }
        let all = entries
        let remembered = kept
        entries = []
        kept = Ring()
        for entry in all { entry.lose() }
        _ = remembered
    }
}
