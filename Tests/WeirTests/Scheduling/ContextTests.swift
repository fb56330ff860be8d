import Testing
import Weir
import WeirTestSupport
import WeirTesting

/// Where a handler finds itself: the task-local that it sees, and the priority of its task.
private struct Context: Hashable, Sendable, CustomStringConvertible {
    @TaskLocal static var place = "nowhere"
    var place = Self.place
    var priority = Task.currentPriority.rawValue
    var description: String { "\(place) at \(priority)" }
}

/// Operators and consumers that go on in another task.
private struct Hop: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let add: @Sendable (Observable<Int, Never>) -> Observable<Int, Never>

    init(_ name: String, _ add: @escaping @Sendable (Observable<Int, Never>) -> Observable<Int, Never>) {
        testDescription = name
        self.add = add
    }
    static let all: [Hop] = [
        Hop("no hop") { $0 },
        Hop("receive(on: continuous)") { $0.receive(on: .continuous, prefetch: 4) },
        Hop("receive(on: suspending)") { $0.receive(on: .suspending, prefetch: 4) },
        Hop("receive(on: main actor)") { $0.receive(on: .mainActor, prefetch: 4) },
        Hop("receive(on: actor)") { $0.receive(on: ActorScheduler(Room()), prefetch: 4) },
        Hop("three hops") {
            $0.receive(on: .continuous, prefetch: 4).receive(on: .mainActor, prefetch: 2).receive(on: .continuous)
        },
        Hop("delay") { $0.delay(for: .microseconds(100)) },
        Hop("delay, hop, delay") {
            $0.delay(for: .microseconds(10)).receive(on: .continuous, prefetch: 2).delay(for: .microseconds(10))
        },
        Hop("debounce") { stream in
            stream.receive(on: .continuous, prefetch: 1).concat(.never()).debounce(for: .microseconds(1)).prefix(1)
        },
        Hop("throttle") { stream in stream.concat(.never()).throttle(for: .microseconds(50)).prefix(2) },
        Hop("interval") { stream in
            stream.prefix(1).flatMap { _ in Observable.interval(.microseconds(50)).prefix(20) }
        },
        Hop("retry after a wait") { stream in
            let rounds = Tally()
            return stream.setFailureType(to: Boom.self).map { number throws(Boom) in
                if rounds.add() < 3 { throw Boom() }
                return number
            }.retry(5, backoff: .constant(.microseconds(10))).replaceError(with: -1)
        },
        Hop("flatMap of tasks") { stream in
            stream.flatMap(maxConcurrent: 2) { number in Observable<Int, Never> { number } }
        },
        Hop("an asyncSequence") { stream in Observable(stream.receive(on: .continuous, prefetch: 4).values) },
        Hop("share") { $0.receive(on: .continuous, prefetch: 4).share() },
        Hop("merge") { $0.merge(with: Observable<Int, Never>(100..<120).receive(on: .continuous, prefetch: 2)) },
    ]
}
private actor Room {
    var seen: [Context] = []
    func listen(to stream: Observable<Context, Never>, until done: Bell) {
        stream.observe(by: self) { me, context in
            me.seen += [context, Context()]
            done.ring()
        }
    }
}

/// What a subscription starts runs with the task-locals and the priority of the subscriber, over every hop.
@Suite(.timeLimit(.minutes(5))) struct ContextTests {
    private static let priorities: [TaskPriority] = [.high, .medium, .low]

    /// Runs `body` as a subscriber at a place and with a priority. Nobody awaits its task: that would raise its priority.
    private func subscriber(
        _ priority: TaskPriority, _ body: @escaping @Sendable () async -> [Context]
    ) async -> Set<Context> {
        let seen = Guarded<[Context]>([])
        let bell = Bell()
        Context.$place.withValue("here") {
            _ = Task(priority: priority) {
                let found = await body()
                seen.withLock { $0 = found }
                bell.ring()
            }
        }
        await bell.wait()
        return Set(seen.withLock { $0 })
    }
    private func here(_ priority: TaskPriority) -> Set<Context> {
        [Context(place: "here", priority: priority.rawValue)]
    }
    /// Looks around above the hop and below it.
    private func stream(_ hop: Hop, _ above: Guarded<[Context]>) -> Observable<Context, Never> {
        let source = Observable<Int, Never>(0..<20).map { number in
            above.withLock { $0.append(Context()) }
            return number
        }
        return hop.add(source).map { _ in Context() }
    }

    @Test(arguments: Hop.all, priorities) private func everyHopKeepsThem(hop: Hop, priority: TaskPriority) async {
        let found = await subscriber(priority) {
            let above = Guarded<[Context]>([])
            var below: [Context] = []
            for await context in stream(hop, above).values(prefetch: 3) { below += [context, Context()] }
            return below + above.withLock { $0 }
        }
        #expect(found == here(priority))
    }

    @Test(arguments: priorities) func observeKeepsThem(priority: TaskPriority) async {
        for hop in Hop.all where hop.testDescription.hasPrefix("receive") {
            let found = await subscriber(priority) {
                let above = Guarded<[Context]>([])
                let done = Bell()
                let seen = await observed(stream(hop, above), done)
                await done.wait()
                return seen.withLock { $0 } + above.withLock { $0 }
            }
            #expect(found == here(priority), "\(hop)")
        }
    }
    @MainActor private func observed(_ stream: Observable<Context, Never>, _ done: Bell) -> Guarded<[Context]> {
        let seen = Guarded<[Context]>([])
        let bag = SubscriptionBag()
        stream.observe(
            { context in seen.withLock { $0 += [context, Context()] } },
            done: { _ in
                done.ring()
                _ = bag
            }
        ).store(in: bag)
        return seen
    }

    @Test(arguments: priorities) func observeByAnActorKeepsThem(priority: TaskPriority) async {
        let found = await subscriber(priority) {
            let above = Guarded<[Context]>([])
            let room = Room()
            let done = Bell()
            await room.listen(to: stream(Hop("none") { $0 }, above), until: done)
            await done.wait(20)
            return await room.seen + above.withLock { $0 }
        }
        #expect(found == here(priority))
    }
}
