import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct DropFirstTests {
    @Test func rules() { expectRules("2 3 |") { $0.dropFirst() } }

    @Test(arguments: [(-1, "1 2 3 |"), (0, "1 2 3 |"), (2, "3 |"), (3, "|"), (.max, "|")])
    func dropsThatMany(count: Int, text: String) {
        #expect(Probe(Observable<Int, Never>([1, 2, 3]).dropFirst(count), .unbounded).text == text)
    }

    @Test func whatIsDroppedCostsNoDemand() {
        let upstream = TestSource<Int, Never>(Array(0..<100_000), .finish)
        let probe = Probe(upstream.observable.dropFirst(99_999), 1)
        #expect(probe.text == "99999 |" && upstream.calls == "attach, request 1")
    }

    @Test func eachSubscriptionCountsAnew() {
        let subject = PublishSubject<Int, Never>()
        let first = Probe(subject.dropFirst(1), .unbounded)
        subject.send(1)
        let second = Probe(subject.dropFirst(1), .unbounded)
        subject.send(2)
        subject.send(3)
        #expect(first.text == "2 3" && second.text == "3")
    }
}
