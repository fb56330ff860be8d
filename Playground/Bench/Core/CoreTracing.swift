// What the hook of the trace costs while it is off: the same three stages with it and without it. It stands in attach alone,
// so an element cannot meet it: what is measured is a subscription.

import Weir

let coreTracing = [
    Row("just, three maps, trace off", per: "time", units: hundredThousand, bar: .traceOff, expected: traced) {
        let chain = opaque(
            opaque(Observable<Int, Never>.just(1)).map { Fold.first($0) }.map { Fold.second($0) }.map { Fold.first($0) }
        )
        return { repeated(chain) }
    },
    Row("just, three maps, trace on", per: "time", units: hundredThousand, expected: traced) {
        let chain = opaque(
            opaque(Observable<Int, Never>.just(1)).map { Fold.first($0) }.map { Fold.second($0) }.map { Fold.first($0) }
        )
        return {
            Trace.start(Forgetful())
            defer { Trace.stop() }
            return repeated(chain)
        }
    },
]

/// The same stages by hand, as a user writes an operator, without the hook.
let hooklessRows = [
    Row("just, three maps without a hook", per: "time", units: hundredThousand, expected: traced) {
        let chain = opaque(
            opaque(Observable<Int, Never>.just(1)).hookless { Fold.first($0) }.hookless { Fold.second($0) }
                .hookless { Fold.first($0) })
        return { repeated(chain) }
    }
]

private let traced = Fold.first(Fold.second(Fold.first(1)))

private func repeated(_ chain: Observable<Int, Never>) -> Int {
    var last = 0
    for _ in 0..<hundredThousand { last = sum(chain) }
    return last
}

extension Observable {
    /// `map` as it is where the stream cannot fail, but for the stage.
    @inline(__always)
    fileprivate func hookless<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws(Failure) -> Output
    ) -> Observable<Output, Failure> {
        let up = self
        return Observable<Output, Failure> { down in
            let next = down.next
            return up.attach(
                Observer(
                    next: { x in
                        do throws(Failure) { return next(try transform(x)) } catch { return false }
                    }, done: down.done))
        }
    }
}

private struct Forgetful: TraceRecorder {
    func attached(_ root: TraceNode) {}
}
