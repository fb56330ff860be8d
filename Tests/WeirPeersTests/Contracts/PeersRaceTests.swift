import Foundation
import Testing
import WeirTesting

@testable import WeirPeers

@Suite(.timeLimit(.minutes(5))) struct PeersRaceTests {
    @Test func stepsOfManyThreadsRunOneAtATimeAndInEachThreadsOrder() {
        let threads = 4
        let each = 20_000
        let sequencer = Sequencer([[Int]](repeating: [], count: threads))
        let inside = Guarded((now: 0, most: 0, foreign: 0))
        // The first step waits until another thread has left a step behind, so the threads do meet.
        let met = DispatchSemaphore(value: 0)
        sequencer.run { _ in
            for thread in 0..<threads {
                let worker = Thread {
                    for number in 0..<each {
                        let caller = ObjectIdentifier(Thread.current)
                        sequencer.run { lists in
                            inside.withLock { inside in
                                inside.now += 1
                                inside.most = max(inside.most, inside.now)
                                if ObjectIdentifier(Thread.current) != caller { inside.foreign += 1 }
                            }
                            lists[thread].append(number)
                            inside.withLock { $0.now -= 1 }
                        }
                        if number == 0 || number == each - 1 { met.signal() }
                    }
                }
                worker.start()
            }
            met.wait()
        }
        for _ in 1..<threads * 2 { met.wait() }
        let lists = Guarded<[[Int]]>([])
        sequencer.run { all in lists.withLock { $0 = all } }
        let result = inside.withLock { $0 }
        print("steps that another thread ran: \(result.foreign) of \(threads * each)")
        #expect(result.foreign > 0)
        #expect(result.most == 1)
        #expect(lists.withLock { $0 } == [[Int]](repeating: Array(0..<each), count: threads))
    }

    @Test func aStepMayAddStepsAndSettlesOnceForAll() {
        let sequencer = Sequencer([String]())
        let settled = Guarded(0)
        sequencer.run { log in
            log.append("first")
            sequencer.run { $0.append("third") }
            log.append("second")
        } settle: { _ in
            settled.withLock { $0 += 1 }
        }
        let log = Guarded<[String]>([])
        sequencer.run { steps in log.withLock { $0 = steps } }
        #expect(log.withLock { $0 } == ["first", "second", "third"])
        #expect(settled.withLock { $0 } == 1)
    }

    @Test func manyTasksSendOverOneConnectionWhileOthersComeAndGo() async throws {
        let world = World(.tcp)
        let (desk, phone) = try await world.pair()
        let (senders, each) = (4, 250)
        let received = Recorder(phone.receive([Int].self))
        let inside = Guarded((now: 0, overlaps: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<senders {
                group.addTask {
                    for number in 0..<each {
                        inside.withLock { inside in
                            if inside.now > 0 { inside.overlaps += 1 }
                            inside.now += 1
                        }
                        try await desk.send([sender, number], to: phone.peer)
                        inside.withLock { $0.now -= 1 }
                    }
                }
            }
            group.addTask {
                for round in 0..<20 {
                    let guest = world.peer("Guest \(round)")
                    _ = await Recorder(guest.nearbyPeers).wait { $0.elements.last?.count == 2 }
                    try await guest.connect(to: phone.peer)
                    try await guest.connect(to: desk.peer)
                    guest.disconnect()
                }
            }
            try await group.waitForAll()
        }
        let overlaps = inside.withLock { $0.overlaps }
        print("sends that overlapped: \(overlaps) of \(senders * each)")
        #expect(overlaps > 0)
        for sender in 0..<senders {
            let numbers = received.elements.map(\.value).filter { $0[0] == sender }.map { $0[1] }
            #expect(numbers == Array(0..<each))
        }
        let left = await Recorder(phone.connections).wait { $0.elements.last?.count == 1 }
        #expect(left.elements.last?.map(\.peer) == [desk.peer])
    }
}
