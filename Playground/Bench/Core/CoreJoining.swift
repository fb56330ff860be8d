// Rows of several streams.

import Weir

let coreJoining = [
    Row("combineLatest of 2 subjects", per: "send", units: million, bar: .combineLatest, expected: million) {
        joined { combineLatest($0, $1) }
    },
    Row("zip of 2 subjects", per: "send", units: million, bar: .zipHot, expected: million / 2) {
        joined { zip($0, $1) }
    },
    Row("zip of 2 cold, 100,000", per: "pair", units: hundredThousand, bar: .zipCold, expected: hundredThousand) {
        zipped(hundredThousand)
    },
    Row("zip of 2 cold, 1,000,000", per: "pair", units: million, bar: .zipCold, expected: million) { zipped(million) },
]

private typealias Pairs = Observable<(Int, Int), Never>

/// Two subjects, sent to in turn. Both have an element from before: the first repetition is like the others.
private func joined(
    _ join: (Observable<Int, Never>, Observable<Int, Never>) -> Pairs
) -> () -> Int {
    let left = PublishSubject<Int, Never>()
    let right = PublishSubject<Int, Never>()
    let token = opaque(join(left.observable, right.observable)).subscribe { _ in Total.value &+= 1 }
    left.send(1)
    right.send(1)
    return {
        Total.value = 0
        for value in 0..<million / 2 {
            left.send(value)
            right.send(value)
        }
        return withExtendedLifetime(token) { Total.value }
    }
}

private func zipped(_ count: Int) -> () -> Int {
    let pairs: Pairs = opaque(zip(range(count), range(count)))
    return {
        Total.value = 0
        let token = pairs.subscribe { Total.value &+= $0 == $1 ? 1 : 0 }
        return withExtendedLifetime(token) { Total.value }
    }
}
