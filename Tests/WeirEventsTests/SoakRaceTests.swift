import Foundation
import Testing
import WeirEvents
import WeirTestSupport
import WeirTesting

// A soak: owners come and go while four threads publish. `Bench soak` runs ten times as long in release.

@Suite(.ownThread) struct SoakRaceTests {
    /// Hears every event as long as it lives: the topic calls it one event at a time, and shows it no gap.
    private final class Owner: Sendable {
        private let last = Guarded(0)
        private let canary: Leaks.Canary
        init(_ leaks: Leaks) { canary = leaks.canary() }
        /// `now`: how many events the first subscriber has heard. Answers whether this one follows on the last.
        func hear(_ now: Int) -> Bool {
            last.withLock { last in
                defer { last = now }
                return last == 0 || now == last + 1
            }
        }
    }
    private final class Counts: Sendable {
        let published = Tally()
        let heard = Tally()
        let delivered = Tally()
        let faults = Tally()
        let met = Tally()
    }

    @Test func aMillionDeliveriesToAThousandOwnersLoseNothingAndLeaveNothing() async {
        let (deliveries, owners) = (1_000_000, 1_000)
        let topic = Topic<Int>("Soak.topic")
        let counts = Counts()
        let leaks = Leaks()
        let first = topic.listen { @Sendable _ in counts.heard.add() }
        @Sendable func newOwner() -> Owner {
            let owner = Owner(leaks)
            topic.events.subscribe(owner) { owner, _ in
                if !owner.hear(counts.heard.value) { counts.faults.add() }
                counts.delivered.add()
            }
            return owner
        }
        await onThreads(4) { thread in
            var own = (0..<4).map { _ in newOwner() }
            var left = owners / 4 - 4
            let step = deliveries / (owners / 4)
            var next = step
            while counts.delivered.value < deliveries || left > 0 {
                if counts.delivered.value >= next && left > 0 {
                    own.removeFirst()
                    own.append(newOwner())
                    left -= 1
                    next += step
                }
                // Who publishes faster than the topic delivers waits, or the queue would be what grows.
                if counts.published.value - counts.heard.value > 1_000 {
                    counts.met.add()
                    Self.rest(counts)
                    continue
                }
                counts.published.add()
                topic.publish(thread)
            }
            withExtendedLifetime(own) {}
        }
        first.cancel()
        print(
            "race: soak, \(counts.delivered.value) deliveries to \(leaks.made) owners, threads waited for another one's "
                + "delivery \(counts.met.value) times")
        #expect(counts.met.value > 0, "the threads never met")
        #expect(counts.faults.value == 0 && counts.heard.value == counts.published.value)
        #expect(counts.delivered.value >= deliveries && leaks.made == owners)
        #expect(topic.subscriberCount == 0 && leaks.alive == 0)
    }

    /// Lets the thread that delivers go on.
    private static func rest(_ counts: Counts) {
        let goal = counts.published.value - 500
        spin(atMost: .seconds(20)) { counts.heard.value >= goal }
    }
}
