// A soak of topics: owners come and go while four threads publish.

import Foundation
import WeirEvents

let eventsSoak = [
    Row(
        "soak, 4 threads, 1,000 owners, at most 16 at once", per: "delivery", units: 10_000_000, time: .wall,
        bar: .soak, expected: 0
    ) {
        { Soak(deliveries: 10_000_000, owners: 1_000).run() }
    }
]

/// Runs until so many deliveries were made, and answers what went wrong: elements that an owner missed or heard twice, and
/// pages by which the memory grew in the second half beyond what is noise.
private final class Soak: Sendable {
    /// Hears every event as long as it lives; the topic calls it one event at a time.
    private final class Owner: @unchecked Sendable {
        let soak: Soak
        var last = 0
        init(_ soak: Soak) { self.soak = soak }
        func hear(_: Int) {
            let now = soak.heard.value
            if last != 0 && now != last + 1 { soak.faults.add() }
            last = now
            soak.delivered.add()
        }
    }
    private let topic = Topic<Int>("Soak.topic")
    private let deliveries: Int
    private let owners: Int
    /// Events that have reached the first subscriber, and those published.
    private let heard = Tally()
    private let published = Tally()
    private let delivered = Tally()
    private let faults = Tally()

    init(deliveries: Int, owners: Int) {
        self.deliveries = deliveries
        self.owners = owners
    }

    func run() -> Int {
        let first = topic.listen { @Sendable [self] _ in heard.add() }
        let workers = (0..<4).map { thread in Worker { self.work(thread) } }
        let middle = grown(since: 0, at: deliveries / 2)
        let more = grown(since: middle, at: deliveries)
        for worker in workers { worker.join() }
        first.cancel()
        if heard.value != published.value { faults.add() }
        if topic.subscriberCount != 0 { faults.add() }
        return faults.value + (more > 2_000 ? more : 0)
    }
    /// Each thread has four owners, and changes one of them after its part of the deliveries.
    private func work(_ thread: Int) {
        var own = (0..<4).map { _ in newOwner() }
        var left = owners / 4 - 4
        let step = deliveries / (owners / 4 - 4)
        var next = step
        while delivered.value < deliveries {
            if delivered.value >= next && left > 0 {
                own.removeFirst()
                own.append(newOwner())
                left -= 1
                next += step
            }
            // Who publishes faster than the topic delivers waits, or the queue would be what grows.
            if published.value - heard.value > 1_000 {
                Thread.sleep(forTimeInterval: 0.000_05)
                continue
            }
            published.add()
            topic.publish(thread)
        }
        withExtendedLifetime(own) {}
    }
    private func newOwner() -> Owner {
        let owner = Owner(self)
        topic.events.subscribe(owner) { owner, event in owner.hear(event) }
        return owner
    }
    /// Waits for so many deliveries, and answers by how many pages the program has grown.
    private func grown(since pages: Int, at count: Int) -> Int {
        while delivered.value < count { Thread.sleep(forTimeInterval: 0.01) }
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) - pages
    }
}
