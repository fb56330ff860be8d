// Slot numbers by hash: open addressing with linear probing, deletion by shifting back. The hash is computed once by the
// caller and part of it stands in the cell, so that a look-up touches a slot only where it very likely is the right one.
//
// Source: D. Knuth, The Art of Computer Programming, volume 3, section 6.4, algorithms L and R.

/// A table from hashes to slot numbers. It knows no keys: the caller compares them.
@usableFromInline struct SlotIndex: Sendable {
    @usableFromInline struct Cell: Sendable {
        @usableFromInline var tag: UInt32
        @usableFromInline var slot: Int32
        @inlinable init(tag: UInt32, slot: Int32) {
            self.tag = tag
            self.slot = slot
        }
    }

    @usableFromInline var cells: ContiguousArray<Cell>
    @usableFromInline var count = 0

    /// An empty table.
    @inlinable init() { cells = ContiguousArray(repeating: Cell(tag: 0, slot: -1), count: 8) }

    /// The part of a hash that tells slots apart. Shards are picked by the lowest bits, so those say nothing here.
    @inlinable static func tag(_ hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 16) }

    /// The slot with this tag that matches, in O(1) on average.
    @inlinable func find(_ tag: UInt32, where matches: (Int32) -> Bool) -> Int32? {
        let mask = cells.count &- 1
        var place = Int(truncatingIfNeeded: tag) & mask
        while true {
            let cell = cells[place]
            if cell.slot < 0 { return nil }
            if cell.tag == tag && matches(cell.slot) { return cell.slot }
            place = (place &+ 1) & mask
        }
    }

    /// Puts in a slot that is not in yet.
    @inlinable mutating func insert(_ slot: Int32, _ tag: UInt32) {
        if count &* 8 >= cells.count &* 5 { grow() }
        put(Cell(tag: tag, slot: slot))
        count &+= 1
    }

    /// Takes a slot out; it must be in.
    @inlinable mutating func remove(_ slot: Int32, _ tag: UInt32) {
        let mask = cells.count &- 1
        var hole = Int(truncatingIfNeeded: tag) & mask
        while cells[hole].slot != slot { hole = (hole &+ 1) & mask }
        var place = hole
        while true {
            place = (place &+ 1) & mask
            let cell = cells[place]
            if cell.slot < 0 { break }
            let home = Int(truncatingIfNeeded: cell.tag) & mask
            // It may move to the hole only where its own home does not lie between the two.
            if (place &- home) & mask >= (place &- hole) & mask {
                cells[hole] = cell
                hole = place
            }
        }
        cells[hole] = Cell(tag: 0, slot: -1)
        count &-= 1
    }

    @inlinable mutating func put(_ cell: Cell) {
        let mask = cells.count &- 1
        var place = Int(truncatingIfNeeded: cell.tag) & mask
        while cells[place].slot >= 0 { place = (place &+ 1) & mask }
        cells[place] = cell
    }

    @inlinable mutating func grow() {
        let old = cells
        cells = ContiguousArray(repeating: Cell(tag: 0, slot: -1), count: old.count * 2)
        for cell in old where cell.slot >= 0 { put(cell) }
    }
}
