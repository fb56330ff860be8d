/// What a `SweptList` holds: something that is over one day, and says so when it is looked at.
@usableFromInline package class Sweepable: @unchecked Sendable {
    /// Its place; the list's own, under the list's lock. Negative: in no list.
    @exclusivity(unchecked) final var slot = -1
    /// Its place in the order of joining, from 1.
    @exclusivity(unchecked) package fileprivate(set) final var number = 0

    @usableFromInline package init() {}
    /// Is it over? Called outside the lock: it may release the last reference to something foreign.
    package var isSpent: Bool { false }
}

/// A list from which what is over goes bit by bit: each newcomer looks at two that are there, in turn.
///
/// So where members come and go, those that are over and still listed are never more than those that are alive, and a few.
/// Adding and removing are O(1).
@usableFromInline package final class SweptList<Member: Sweepable>: Sendable {
    private struct State {
        var members: ContiguousArray<Member> = []
        /// Whom the next newcomer looks at.
        var cursor = 0
        var joined = 0

        mutating func add(_ member: Member) -> (Member?, Member?) {
            let looked = members.isEmpty ? (nil, nil) : (next(), next())
            joined += 1
            member.number = joined
            member.slot = members.count
            members.append(member)
            return looked
        }
        private mutating func next() -> Member {
            if cursor >= members.count { cursor = 0 }
            cursor += 1
            return members[cursor - 1]
        }
        mutating func remove(_ member: Member) {
            let slot = member.slot
            guard slot >= 0, let last = members.popLast() else { return }
            member.slot = -1
            guard last !== member else { return }
            last.slot = slot
            members[slot] = last
            // Who has taken the place is looked at next, or a newcomer could hide behind the cursor for a whole turn.
            if slot == cursor - 1 { cursor = slot }
        }
    }
    private let state = Lock(State())

    package init() {}

    /// Adds a member, and drops up to two others that are over.
    package func add(_ member: Member) {
        let (one, other) = state.withLock { $0.add(member) }
        if let one, one.isSpent { remove(one) }
        if let other, other !== one, other.isSpent { remove(other) }
    }
    /// Takes a member out; where it is not in, nothing happens.
    package func remove(_ member: Member) { state.withLock { $0.remove(member) } }

    /// Those that are not over, in the order in which they joined; the others are dropped. O(n log n).
    package func swept() -> [Member] {
        let all = state.withLock { $0.members }
        return all.filter { member in
            guard member.isSpent else { return true }
            remove(member)
            return false
        }.sorted { $0.number < $1.number }
    }
    /// How many are listed, those that are over among them.
    package var listed: Int { state.withLock { $0.members.count } }
}
