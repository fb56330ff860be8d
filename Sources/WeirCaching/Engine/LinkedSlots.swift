// Queues of numbered slots: each slot knows its neighbours by number, so moving and removing one costs a few stores.
// The eviction rules of memory and the order of use of the disk both stand on it. It holds no content of its own.

/// Numbers for slots, and the links that put each number into at most one queue. All operations take constant time.
@usableFromInline struct LinkedSlots: Sendable {
    /// The end of a queue, or no neighbour.
    static let none: Int32 = -1

    /// The two ends of one queue.
    struct List: Sendable {
        fileprivate(set) var oldest = LinkedSlots.none
        fileprivate(set) var newest = LinkedSlots.none
        var isEmpty: Bool { oldest == LinkedSlots.none }
    }

    private struct Link {
        var older = LinkedSlots.none
        var newer = LinkedSlots.none
    }

    private var links = ContiguousArray<Link>()
    private var free = LinkedSlots.none

    /// How many numbers were ever given out at once: every number is below it.
    var count: Int { links.count }

    /// A number that is in use nowhere; it stands in no queue yet.
    mutating func take() -> Int32 {
        guard free != Self.none else {
            links.append(Link())
            return Int32(links.count - 1)
        }
        let slot = free
        free = links[Int(slot)].newer
        links[Int(slot)] = Link()
        return slot
    }

    /// Gives a number back; it must stand in no queue.
    mutating func give(_ slot: Int32) {
        links[Int(slot)] = Link(older: Self.none, newer: free)
        free = slot
    }

    /// Puts a slot at the newest end.
    mutating func append(_ slot: Int32, to list: inout List) {
        links[Int(slot)] = Link(older: list.newest, newer: Self.none)
        if list.newest == Self.none { list.oldest = slot } else { links[Int(list.newest)].newer = slot }
        list.newest = slot
    }

    /// Takes a slot out of the queue it stands in.
    mutating func remove(_ slot: Int32, from list: inout List) {
        let link = links[Int(slot)]
        if link.older == Self.none { list.oldest = link.newer } else { links[Int(link.older)].newer = link.newer }
        if link.newer == Self.none { list.newest = link.older } else { links[Int(link.newer)].older = link.older }
        links[Int(slot)] = Link()
    }

    /// The slot that was put in just after this one, if there is one.
    func newer(than slot: Int32) -> Int32? {
        let next = links[Int(slot)].newer
        return next == Self.none ? nil : next
    }
}
