// Streams pulled with `for await`.

import Weir

let coreValues = [
    Row("values, cold", per: "element", units: pulled, time: .process, bar: .valuesCold, expected: pulled) {
        let source = range(pulled)
        return { wait { await count(source.values) } }
    },
    Row("values, cold, prefetch 1", per: "element", units: pulled, time: .process, expected: pulled) {
        let source = range(pulled)
        return { wait { await count(source.values(prefetch: 1)) } }
    },
    Row("values, hot producer", per: "element", units: pulled, time: .wall, bar: .valuesHot, expected: pulled) {
        {
            wait {
                let subject = PublishSubject<Int, Never>()
                var iterator = subject.observable.values.makeAsyncIterator()
                let producer = Task {
                    for value in 0..<pulled { subject.send(value) }
                    subject.send(completion: .finished)
                }
                var count = 0
                while await iterator.next() != nil { count += 1 }
                await producer.value
                return count
            }
        }
    },
]

private let pulled = 200_000

private func count(_ values: Values<Int, Never>) async -> Int {
    var count = 0
    for await _ in values { count += 1 }
    return count
}
