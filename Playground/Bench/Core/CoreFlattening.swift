// Streams of streams.

import Weir

let coreFlattening = [
    Row("flatMap, 1,000 × 100", per: "element", units: hundredThousand, bar: .flatMap, expected: 1_000 * 4_950) {
        let inner = range(100)
        let chain = opaque(range(1_000).flatMap { _ in inner })
        return { sum(chain) }
    },
    Row(
        "flatMap, 100,000 × just", per: "inner", units: hundredThousand, bar: .flatMapJust,
        expected: sumOfHundredThousand
    ) {
        let chain = opaque(range(hundredThousand).flatMap { .just($0) })
        return { sum(chain) }
    },
    Row(
        "flatMap(maxConcurrent: 1), 100,000 × just", per: "inner", units: hundredThousand, bar: .concatMapJust,
        expected: sumOfHundredThousand
    ) {
        let chain = opaque(range(hundredThousand).flatMap(maxConcurrent: 1) { .just($0) })
        return { sum(chain) }
    },
    Row(
        "flatMapLatest, 100,000 × just", per: "inner", units: hundredThousand, bar: .flatMapLatestJust,
        expected: sumOfHundredThousand
    ) {
        let chain = opaque(range(hundredThousand).flatMapLatest { .just($0) })
        return { sum(chain) }
    },
    Row("switch to latest, hot inner", per: "send", units: million, bar: .switchToLatest, expected: million) {
        let outer = PublishSubject<Observable<Int, Never>, Never>()
        let inner = PublishSubject<Int, Never>()
        let token = outer.flatMapLatest { $0 }.subscribe { _ in Total.value &+= 1 }
        outer.send(inner.observable)
        return {
            Total.value = 0
            for value in 0..<million { inner.send(value) }
            return withExtendedLifetime((token, outer)) { Total.value }
        }
    },
    Row("merge of 4, hot", per: "element", units: million, bar: .mergeHot, expected: million) {
        let sources = (0..<4).map { _ in PublishSubject<Int, Never>() }
        let token = Observable.merge(sources.map(\.observable)).subscribe { _ in Total.value &+= 1 }
        return {
            Total.value = 0
            for value in 0..<million / 4 { for source in sources { source.send(value) } }
            return withExtendedLifetime(token) { Total.value }
        }
    },
    Row("merge of 4, cold", per: "element", units: million, bar: .mergeCold, expected: mergedSum) {
        let chain = opaque(Observable.merge((0..<4).map { _ in range(million / 4) }))
        return { sum(chain) }
    },
    Row("concat of 100,000 × just", per: "round", units: hundredThousand, bar: .rounds, expected: hundredThousand) {
        let chain = opaque(Observable.concat((0..<hundredThousand).map { _ in opaque(Observable<Int, Never>.just(1)) }))
        return { sum(chain) }
    },
    Row("repeat of just", per: "round", units: hundredThousand, bar: .rounds, expected: hundredThousand) {
        let chain = opaque(opaque(Observable<Int, Never>.just(1)).repeat(hundredThousand))
        return { sum(chain) }
    },
    Row("retry of a failure", per: "round", units: hundredThousand, bar: .rounds, expected: 1) {
        let broken = opaque(Observable<Int, Refusal>.fail(Refusal()))
        let chain = opaque(broken.retry(hundredThousand).replaceError(with: 1))
        return { sum(chain) }
    },
]

private struct Refusal: Error {}

private let sumOfHundredThousand = hundredThousand * (hundredThousand - 1) / 2
private let mergedSum = 4 * (million / 4 * (million / 4 - 1) / 2)
