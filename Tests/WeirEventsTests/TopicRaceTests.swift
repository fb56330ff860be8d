import Testing
import WeirEvents
import WeirTestSupport
import WeirTesting

// Topics and threads: one handler at a time, one order for all, nothing lost.

@Suite(.ownThread) struct TopicRaceTests {
    private struct Event: Equatable, Sendable {
        let thread: Int
        let number: Int
    }

    /// How many calls are inside one handler.
    private final class Inside: Sendable { let count = Tally() }

    @Test func contract4ThreadsPublishAndNothingIsLostNorEnteredTwice() async {
        let (threads, events) = (4, 5_000)
        let topic = Topic<Event>("Test.threads")
        let meet = Meetings()
        let inside = (0..<3).map { _ in Inside() }
        let twice = Inside()
        let seen = Guarded([[Event]](repeating: [], count: 3))
        let tokens = inside.indices.map { index in
            topic.listen { @Sendable event in
                if inside[index].count.add() != 1 { twice.count.add() }
                meet.handler { seen.withLock { $0[index].append(event) } }
                inside[index].count.add(-1)
            }
        }
        await onThreads(threads) { thread in
            for number in 0..<events {
                meet.look(number)
                topic.publish(Event(thread: thread, number: number))
            }
        }
        print("race: publishing to a topic, met a running handler \(meet.count) times of \(threads * events)")
        #expect(meet.count > 0, "the threads never met a running handler")
        #expect(twice.count.value == 0, "a handler was entered twice at once")
        let all = seen.withLock { $0 }
        #expect(all[0].count == threads * events && all[0] == all[1] && all[0] == all[2])
        for thread in 0..<threads {
            #expect(all[0].filter { $0.thread == thread }.map(\.number) == Array(0..<events))
        }
        for token in tokens { token.cancel() }
    }

    @Test func contract4OwnersComeAndGoWhileThreadsPublish() async {
        final class Owner: Sendable {
            let heard = Tally()
            func hear(_: Int) { heard.add() }
        }
        let topic = Topic<Int>()
        let steady = Owner()
        topic.events.subscribe(steady, with: Owner.hear)
        await race("owners of a topic that come and go", threads: 4, rounds: 2_000) { _, round in
            let owner = Owner()
            let subscription = topic.events.subscribe(owner, with: Owner.hear)
            topic.publish(round)
            if round.isMultiple(of: 2) { subscription.cancel() }
        }
        #expect(steady.heard.value == 8_000)
    }
}
