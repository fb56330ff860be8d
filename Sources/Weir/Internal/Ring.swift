/// A queue in a ring that grows. It has one owner at a time. `append` and `popFirst` are O(1), amortised.
@usableFromInline struct Ring<Element> {
    @usableFromInline var slots: ContiguousArray<Element?> = []
    @usableFromInline var head = 0
    @usableFromInline var count = 0

    @inlinable init() {}
    @inlinable var isEmpty: Bool { count == 0 }
    @inlinable var mask: Int { slots.count &- 1 }

    /// The element at that place from the head; `index` is below `count`.
    @inlinable subscript(index: Int) -> Element? { slots[(head &+ index) & mask] }

    @inlinable var first: Element? { count == 0 ? nil : slots[head] }

    @inlinable mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        slots[(head &+ count) & mask] = element
        count &+= 1
    }

    @inlinable @inline(never) mutating func grow() {
        let size = max(4, slots.count * 2)
        var wider = ContiguousArray<Element?>()
        wider.reserveCapacity(size)
        for index in 0..<count { wider.append(self[index]) }
        while wider.count < size { wider.append(nil) }
        slots = wider
        head = 0
    }

    @inlinable mutating func popFirst() -> Element? {
        if count == 0 { return nil }
        let element = slots[head]
        slots[head] = nil
        head = (head &+ 1) & mask
        count &-= 1
        return element
    }

    @inlinable mutating func removeAll() { self = Ring() }
}
