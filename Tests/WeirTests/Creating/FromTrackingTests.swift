import Observation
import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Observation.Observable @MainActor private final class Model {
    var x = 0
    var y = 0
}

private final class Safe: Sendable {
    let number = Observed(wrappedValue: 0)
}

@Suite(.ownThread) struct FromTrackingTests {
    @Test @MainActor func theCurrentValueThenOneForAllChangesOfAJob() async {
        let model = Model()
        let probe = Probe(Observable(tracking: { model.x }))
        model.x = 1
        probe.request(.unbounded)
        #expect(probe.text == "")
        await until { probe.elements.count == 1 }
        for x in 2...5 { model.x = x }
        await until { probe.elements.count == 2 }
        model.y = 1
        model.x = 6
        await until { probe.elements.count == 3 }
        #expect(probe.text == "1 5 6")
    }

    @Test @MainActor func theLastChangeIsNeverMissed() async {
        let model = Model()
        let probe = Probe(Observable(tracking: { (model.x, model.y) }).map { $0.0 + $0.1 }, .unbounded)
        for round in 1...200 {
            model.x = round
            if round.isMultiple(of: 3) { await Task.yield() }
            model.y = round
            if round.isMultiple(of: 5) { await Task.yield() }
        }
        await until { probe.elements.last == 400 }
        #expect(probe.faults == ProbeFaults() && probe.elements.count <= 401)
    }

    @Test @MainActor func withoutDemandChangesWait() async {
        let model = Model()
        let probe = Probe(Observable(tracking: { model.x }), 1)
        await until { probe.elements.count == 1 }
        for x in 1...3 {
            model.x = x
            await Task.yield()
        }
        #expect(probe.text == "0")
        probe.request(2)
        await until { probe.elements.count == 2 }
        model.x = 9
        await until { probe.elements.count == 3 }
        #expect(probe.text == "0 3 9")
    }

    @Test @MainActor func cancelFreesTheClosureAndTheHandlers() async {
        let model = Model()
        let canary = WeakCanary()
        func start() -> Probe<Int, Never> {
            let held = Canary()
            canary.set(held)
            return Probe(
                Observable(tracking: {
                    _ = held
                    return model.x
                }), .unbounded)
        }
        let probe = start()
        await until { probe.elements.count == 1 }
        #expect(canary.isAlive)
        probe.release()
        #expect(!canary.isAlive && probe.isReleased)
        model.x = 1
        await Task.yield()
        #expect(probe.text == "0")
    }

    @Test @MainActor func cancelInsideTheHandlerStops() async {
        let model = Model()
        let probe = Probe(Observable(tracking: { model.x }), .unbounded, onNext: { probe, _ in probe.cancel() })
        await until { probe.elements.count == 1 }
        model.x = 1
        await Task.yield()
        #expect(probe.text == "0" && probe.isReleased)
    }

    @Test @MainActor func aHandlerMayChangeWhatIsTracked() async {
        let model = Model()
        let probe = Probe(
            Observable(tracking: { model.x }), .unbounded,
            onNext: { _, x in MainActor.assumeIsolated { if x < 5 { model.x = x + 1 } } })
        await until { probe.elements.count == 6 }
        #expect(probe.text == "0 1 2 3 4 5")
    }

    @Test @MainActor func finishesAtOnceWhereNothingObservableIsRead() async {
        let probe = Probe(Observable(tracking: { 7 }), .unbounded)
        await until { probe.end != nil }
        #expect(probe.text == "7 |" && probe.isReleased)
    }

    @Test @MainActor func finishesWhenWhatItReadsWeaklyIsGone() async {
        var model: Model? = Model()
        let probe = Probe(Observable(tracking: { [weak model] in model?.x ?? -1 }), .unbounded)
        await until { probe.elements.count == 1 }
        model = nil
        await until { probe.end != nil }
        #expect(probe.text == "0 -1 |")
    }

    @Test @MainActor func feedsAProperty() async {
        let model = Model()
        let safe = Safe()
        Observable(tracking: { model.x * 2 }).bind(to: safe.number.projectedValue)
        model.x = 21
        await until { safe.number.wrappedValue == 42 }
        #expect(safe.number.wrappedValue == 42)
    }
}
