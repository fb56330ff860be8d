// What a subscription costs, from its start to its end.

import Weir

let coreSubscribing = [
    Row("subscribe and cancel, stored, 3 operators", per: "time", units: hundredThousand, bar: .subscribeAndCancel) {
        let subject = PublishSubject<Int, Never>()
        let chain = Fold.stored(subject.observable)
        return {
            for _ in 0..<hundredThousand { chain.subscribe { Total.value &+= $0 }.cancel() }
            return withExtendedLifetime(subject) { 0 }
        }
    },
    Row("just, 3 operators, completion", per: "time", units: hundredThousand, bar: .justChain, expected: 0x57) {
        let chain = Fold.stored(.just(1))
        return {
            var last = 0
            for _ in 0..<hundredThousand { last = sum(chain) }
            return last
        }
    },
    subscribers(1_000, "1,000"), subscribers(hundredThousand, "100,000"),
]

/// Many subscribers come, get one element and go: linear in their number.
private func subscribers(_ count: Int, _ name: String) -> Row {
    Row("\(name) subscribe, get 1, cancel", per: "subscriber", units: count, expected: count) {
        {
            Total.value = 0
            let subject = PublishSubject<Int, Never>()
            let tokens = (0..<count).map { _ in subject.subscribe { Total.value &+= $0 } }
            subject.send(1)
            for token in tokens { token.cancel() }
            return Total.value
        }
    }
}
