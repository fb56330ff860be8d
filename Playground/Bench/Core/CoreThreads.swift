// More than one thread: hops, and two senders at once. Wall time.

import Dispatch
import Synchronization
import Weir
import WeirDispatch

let coreThreads = [
    Row("one thread hop, hot producer", per: "element", units: hopped, time: .wall, bar: .hop, expected: hopped) {
        { hop(on: ThreadScheduler()) }
    },
    Row("one hop to a dispatch queue, hot producer", per: "element", units: hopped, time: .wall, expected: hopped) {
        { hop(on: DispatchScheduler(DispatchQueue(label: "bench"))) }
    },
    Row("one thread hop, cold producer", per: "element", units: hopped, time: .wall, expected: hopped) {
        let source = range(hopped)
        return { arrivals(of: source.receive(on: ThreadScheduler())) {} }
    },
    Row(
        "two threads into one subject, 2 subscribers", per: "send", units: 2 * sends, time: .wall, bar: .twoThreads,
        expected: 4 * sends
    ) {
        {
            let subject = PublishSubject<Int, Never>()
            return crowd([subject, subject], [subject.observable, subject.observable])
        }
    },
    Row("two threads into a merge of 2", per: "send", units: 2 * sends, time: .wall, expected: 2 * sends) {
        {
            let subjects = [PublishSubject<Int, Never>(), PublishSubject<Int, Never>()]
            return crowd(subjects, [subjects[0].merge(with: subjects[1].observable)])
        }
    },
]

private let hopped = 200_000
private let sends = 300_000

private func hop(on scheduler: some Scheduler) -> Int {
    let subject = PublishSubject<Int, Never>()
    return arrivals(of: subject.receive(on: scheduler)) {
        for value in 0..<hopped { subject.send(value) }
        subject.send(completion: .finished)
    }
}

/// Subscribes, produces, waits for the end, and answers how many came.
private func arrivals(of stream: Observable<Int, Never>, produce: () -> Void) -> Int {
    let sum = Sum()
    let ended = Signal()
    let token = stream.subscribe({ _ in sum.value &+= 1 }, done: { _ in ended.raise() })
    produce()
    ended.wait()
    return withExtendedLifetime(token) { sum.value }
}

/// Two threads send at once; answers how many elements came out of all streams.
private func crowd(_ subjects: [PublishSubject<Int, Never>], _ streams: [Observable<Int, Never>]) -> Int {
    let sums = streams.map { _ in Sum() }
    let tokens = zip(streams, sums).map { stream, sum in stream.subscribe { _ in sum.value &+= 1 } }
    let isReady = Flag()
    let other = Worker {
        isReady.raise()
        for value in 0..<sends { subjects[1].send(value) }
    }
    isReady.wait()
    for value in 0..<sends { subjects[0].send(value) }
    other.join()
    return withExtendedLifetime(tokens) { sums.reduce(0) { $0 + $1.value } }
}

/// Another thread is on its way, so that both start within the same microsecond.
private final class Flag: Sendable {
    private let isUp = Atomic<Bool>(false)
    func raise() { isUp.store(true, ordering: .releasing) }
    func wait() { while !isUp.load(ordering: .acquiring) {} }
}
