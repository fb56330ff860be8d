import Dispatch
import Testing
import WeirDispatch
import WeirTestSupport
import WeirTesting

/// What holds of every scheduler holds of queues: order is kept, and the end comes last.
@Suite(.ownThread) struct EveryQueueTests {
    private static var all: [Hops] {
        [
            Hops(DispatchScheduler(DispatchQueue(label: "weir.tests.serial")), "a serial queue"),
            Hops(
                DispatchScheduler(DispatchQueue(label: "weir.tests.concurrent", attributes: .concurrent)),
                "a concurrent queue"),
            Hops(DispatchScheduler(.global()), "the global queue"), Hops(.main, "the main queue"),
        ]
    }

    @Test(arguments: all) func orderIsKeptAndTheEndComesLast(hops: Hops) async {
        await hops.expectOrderOfAColdSource()
        await hops.expectOrderOfARetry()
    }

    @Test(arguments: all) func orderOfTwoThreadsIsKept(hops: Hops) async { await hops.expectOrderOfTwoThreads() }

    @Test(arguments: all) func emptyAndCancelledStreams(hops: Hops) async {
        await hops.expectAnEmptyAndACancelledStream()
    }
}
