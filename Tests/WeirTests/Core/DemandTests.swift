import Testing
import Weir

@Suite struct DemandTests {
    @Test(arguments: [
        (Demand(1), Demand(1), 2), (.unbounded, 1, .max), (1, .unbounded, .max), (.unbounded, .unbounded, .max),
        (Demand(.max - 1), 1, .max), (Demand(.max - 1), 2, .max),
    ])
    func addsAndSaturates(left: Demand, right: Demand, sum: Int) {
        #expect((left + right).count == sum)
    }

    @Test func describesItself() {
        #expect("\(Demand(3)) \(Demand.unbounded)" == "3 unbounded")
    }
}
