// Hot sources: what a send costs.

import Weir

let coreSubjects = [
    fanOut(1, .fanOut1), fanOut(10, .fanOut10), fanOut(100, .fanOut100),
    Row("subject, map, filter, sink", per: "send", units: million, bar: .subjectChain, expected: chainSum) {
        let subject = PublishSubject<Int, Never>()
        let token = opaque(opaque(subject.map { Fold.first($0) }).filter { Fold.keeps($0) })
            .subscribe { Total.value &+= $0 }
        return {
            Total.value = 0
            for value in 0..<million { subject.send(value) }
            return withExtendedLifetime(token) { Total.value }
        }
    },
    Row("share, 10 subscribers", per: "delivery", units: million, bar: .share, expected: million) {
        let subject = PublishSubject<Int, Never>()
        let shared = opaque(subject.share())
        let tokens = (0..<10).map { _ in shared.subscribe { _ in Total.value &+= 1 } }
        return {
            Total.value = 0
            for value in 0..<million / 10 { subject.send(value) }
            return withExtendedLifetime(tokens) { Total.value }
        }
    },
]

private let chainSum = (0..<million).reduce(0) { Fold.keeps(Fold.first($1)) ? $0 &+ Fold.first($1) : $0 }

private func fanOut(_ count: Int, _ bar: Bar) -> Row {
    Row("subject delivers to \(count)", per: "delivery", units: million, bar: bar, expected: million) {
        let subject = PublishSubject<Int, Never>()
        let tokens = (0..<count).map { _ in subject.subscribe { _ in Total.value &+= 1 } }
        return {
            Total.value = 0
            for value in 0..<million / count { subject.send(value) }
            return withExtendedLifetime(tokens) { Total.value }
        }
    }
}
