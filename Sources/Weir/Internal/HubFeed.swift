extension Hub {
    /// An upstream that is asked on demand: started with the first entry, asked for what the slowest entry wants.
    @usableFromInline final class Feed {
        @usableFromInline let attach: (Observer<Element, Failure>) -> Subscription
        @usableFromInline let ended: () -> Void
        @exclusivity(unchecked) @usableFromInline var up: Subscription?
        /// Asked for and not yet come.
        @exclusivity(unchecked) @usableFromInline var outstanding = 0
        /// Entries that want no more than is outstanding. Only when none is left is it worth looking at them all, so that
        /// costs O(entries) for each ask, and nothing for each request of an entry.
        @exclusivity(unchecked) @usableFromInline var blocking = 0

        /// - Parameters:
        ///   - attach: links the upstream.
        ///   - ended: called when the upstream is over, before its end is passed on.
        @inlinable init(
            attach: @escaping (Observer<Element, Failure>) -> Subscription, ended: @escaping () -> Void
        ) {
            self.attach = attach
            self.ended = ended
        }
    }

    /// An entry that has joined: it counts where it wants no more than is outstanding.
    @inlinable func joined(_ entry: Entry) {
        guard let feed else { return }
        if feed.outstanding != .max && entry.room <= feed.outstanding {
            entry.blocks = true
            feed.blocking += 1
        }
        if feed.blocking == 0 { stale = true }
    }
    /// An entry that wants more, or has gone.
    @inlinable func freed(_ entry: Entry) {
        guard let feed else { return }
        if entry.blocks && (entry.box == nil || entry.room > feed.outstanding) {
            entry.blocks = false
            feed.blocking -= 1
        }
        if feed.blocking == 0 { stale = true }
    }

    /// Asks upstream for what the slowest entry wants. An upstream that signals at once finds `asking` set: no recursion.
    @inlinable @inline(never) func ask() {
        guard let feed, !asking, !over else { return stale = false }
        // Everything was asked for already: no need to look at the entries, which would make subscribing quadratic.
        if feed.outstanding == .max { return stale = false }
        asking = true
        defer { asking = false }
        while stale && !over {
            stale = false
            var least = Int.max
            var isWanted = false
            for entry in entries where entry.box != nil && !entry.isOver {
                isWanted = true
                least = min(least, entry.room)
            }
            guard isWanted else { continue }
            let reach = max(least, feed.outstanding)
            feed.blocking = 0
            for entry in entries {
                entry.blocks = entry.box != nil && !entry.isOver && entry.room <= reach
                if entry.blocks { feed.blocking += 1 }
            }
            // All of them have asked for more meanwhile, or gone.
            if feed.blocking == 0 { stale = true }
            guard least > feed.outstanding else { continue }
            let missing = least == .max ? .max : least - feed.outstanding
            feed.outstanding = least
            if feed.up == nil { feed.up = link(feed) }
            let up = feed.up
            serial.pulling { up?.request(Demand(missing)) }
        }
    }
    @inlinable func link(_ feed: Feed) -> Subscription {
        let tether = Tether<Failure>(
            end: { completion in
                feed.ended()
                self.fed(.done(completion))
            },
            lost: {
                feed.ended()
                self.fed(.stop)
            })
        return feed.attach(
            Observer(
                next: { element in
                    self.fed(.next(element))
                    return true
                }, done: { tether.done($0) }))
    }
    /// A signal from upstream.
    @inlinable func fed(_ signal: Signal) {
        guard serial.isPulling() else { return self.signal(signal) }
        if !delivering && serial.isCalm() { inPlace(signal) } else { _ = serial.post(signal) }
        if !delivering && !serial.isCalm() { serial.drainNested { inPlace($0) } }
    }
    @inlinable func inPlace(_ signal: Signal) {
        delivering = true
        run(signal)
        delivering = false
    }
}
