import Testing

@testable import Weir

private final class Member: Sweepable, @unchecked Sendable {
    private let isOver: Bool
    init(isOver: Bool) { self.isOver = isOver }
    override var isSpent: Bool { isOver }
}

@Suite struct SweptListTests {
    @Test(arguments: [0, 1, 10, 500]) func thoseThatAreOverAreNeverMoreThanTheLivingAndAFew(living: Int) {
        let list = SweptList<Member>()
        for _ in 0..<living { list.add(Member(isOver: false)) }
        var most = 0
        for _ in 0..<5_000 {
            list.add(Member(isOver: true))
            most = max(most, list.listed - living)
        }
        #expect(most <= living + 32)
        #expect(list.swept().count == living && list.listed == living)
    }

    @Test func whatIsTakenOutIsInNoList() {
        let list = SweptList<Member>()
        let members = (0..<3).map { _ in Member(isOver: false) }
        for member in members { list.add(member) }
        list.remove(members[0])
        list.remove(members[0])
        #expect(list.swept().map(\.number) == [2, 3])
    }
}
