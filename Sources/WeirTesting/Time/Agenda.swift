/// Work that waits for its instant: earliest first, and first in, first out at one instant.
///
/// A binary heap of tickets beside a table of what they stand for. `insert` and `popFirst` are O(log n); `remove` only
/// empties the table's place, O(1), and the heap is rebuilt once the greater part of it is empty.
struct Agenda<Work> {
    typealias Instant = VirtualClock.Instant

    private struct Ticket {
        let due: Instant
        let number: Int

        func isBefore(_ other: Ticket) -> Bool { due == other.due ? number < other.number : due < other.due }
    }
    private var heap: [Ticket] = []
    private var table: [Int: Work] = [:]
    private var numbers = 0

    var count: Int { table.count }

    /// Adds work and answers its number, by which it can be removed.
    mutating func insert(_ work: Work, at due: Instant) -> Int {
        numbers += 1
        table[numbers] = work
        heap.append(Ticket(due: due, number: numbers))
        rise(heap.count - 1)
        return numbers
    }

    /// Takes work out before its instant; nil where it has run or was removed already.
    mutating func remove(_ number: Int) -> Work? {
        let work = table.removeValue(forKey: number)
        if work != nil && heap.count > 64 && heap.count > table.count * 2 { rebuild() }
        return work
    }

    /// When the earliest work is due.
    mutating func nextDue() -> Instant? {
        while let first = heap.first, table[first.number] == nil { dropFirst() }
        return heap.first?.due
    }

    /// Takes the earliest work, unless that is due after `limit`.
    mutating func popFirst(upTo limit: Instant?) -> (due: Instant, work: Work)? {
        guard let due = nextDue(), due <= limit ?? due, let first = heap.first else { return nil }
        dropFirst()
        return table.removeValue(forKey: first.number).map { (due, $0) }
    }

    private mutating func rebuild() {
        // Sorted is a heap.
        heap = heap.filter { table[$0.number] != nil }.sorted { $0.isBefore($1) }
    }
    private mutating func dropFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(0)
    }
    private mutating func rise(_ start: Int) {
        var child = start
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }
    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [parent * 2 + 1, parent * 2 + 2] where child < heap.count && heap[child].isBefore(heap[least])
            {
                least = child
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
