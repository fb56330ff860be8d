// Cold chains: a range, three operators and a sum, in the three forms a program has them in.

import Weir

let coreChains = [
    Row(
        "range, map, filter, map, sum: one expression", per: "element", units: million, bar: .oneExpression,
        expected: Fold.sum(million)
    ) {
        let count = opaque(million)
        return {
            Total.value = 0
            let token = Observable<Int, Never>(0..<count)
                .map { Fold.first($0) }.filter { Fold.keeps($0) }.map { Fold.second($0) }
                .subscribe { Total.value &+= $0 }
            return withExtendedLifetime(token) { Total.value }
        }
    },
    Row(
        "range, map, filter, map, sum: the handler captures", per: "element", units: million,
        bar: .capturingExpression, expected: Fold.sum(million)
    ) {
        let count = opaque(million)
        return {
            let sum = opaque(Sum())
            let token = Observable<Int, Never>(0..<count)
                .map { Fold.first($0) }.filter { Fold.keeps($0) }.map { Fold.second($0) }
                .subscribe { sum.value &+= $0 }
            return withExtendedLifetime(token) { sum.value }
        }
    },
    Row(
        "range, map, filter, map, sum: stored", per: "element", units: million, bar: .storedChain, debug: .debugChain,
        expected: Fold.sum(million)
    ) {
        let chain = Fold.stored(range(million))
        return { sum(chain) }
    },
    Row("range, request(64) from next", per: "element", units: million, bar: .request64, expected: million) {
        let source = range(million)
        return { count(source, step: 64) }
    },
    Row("range, request(1) from next", per: "element", units: million, bar: .request1, expected: million) {
        let source = range(million)
        return { count(source, step: 1) }
    },
    Row(
        "scan, removeDuplicates, prefix(while:), prefix", per: "element", units: million, bar: .prefixes,
        expected: (million - 1) * million * (million + 1) / 6
    ) {
        let chain = opaque(
            range(million).scan(0) { $0 &+ $1 }.removeDuplicates().prefix { $0 >= 0 }.prefix(million))
        return { sum(chain) }
    },
    Row(
        "chain of 1,000 maps, hot", per: "map", units: 1_000_000, bar: .deepChain, expected: 999 * 1_000 / 2 + 1_000_000
    ) {
        let subject = PublishSubject<Int, Never>()
        let token = deepChain(subject.observable).subscribe { Total.value &+= $0 }
        return {
            Total.value = 0
            for value in 0..<1_000 { subject.send(value) }
            return withExtendedLifetime(token) { Total.value }
        }
    },
    Row(
        "chain of 1,000 maps, cold", per: "map", units: 1_000_000, bar: .deepChain,
        expected: 999 * 1_000 / 2 + 1_000_000
    ) {
        let chain = deepChain(range(1_000))
        return { sum(chain) }
    },
]

private func deepChain(_ source: Observable<Int, Never>) -> Observable<Int, Never> {
    var chain = source
    for _ in 0..<1_000 { chain = opaque(chain.map { $0 &+ 1 }) }
    return chain
}
