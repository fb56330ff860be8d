import Testing
import Weir
import WeirTestSupport
import WeirTesting

/// Every operator of the registry over itself, again and again: however deep a chain is, it needs little stack, says what
/// its levels say one by one, and lets everything go.
@Suite(.serialized, .ownThread) struct DeepOperatorsTests {
    static let towers = OperatorRegistry.entries.flatMap { entry in
        // A stage does not know how deep the stream is that its handler makes.
        entry.forms.filter { $0.isTransformer && !OperatorRegistry.holdsUpstream($0) }
            .map { Tower($0, folder: entry.file.prefix { $0 != "/" }) }
    }

    @Test(arguments: towers) func aChainOfThousandsEndsLikeItsLevels(tower: Tower) {
        onThread(stack: 512) {
            for end in [Completion<TestFailure>.finished, .failed(TestFailure("at the source"))] {
                // Which elements come of a demand that grows one by one is not always the same.
                let demand: Demand = tower.isExact && end.failure == nil ? 1 : .unbounded
                let said = tower.levelByLevel(Said(elements: [2, 8, 4], end: end))
                let stream = tower.build(TestSource([2, 8, 4], end: end).observable)
                let probe = Probe(stream, demand, onNext: { probe, _ in if demand == 1 { probe.request(1) } })
                tower.wait { probe.isDone && probe.isReleased }
                #expect(Said(probe) == said, "\(tower.form), asked for \(demand)")
                #expect(probe.faults == ProbeFaults() && probe.isReleased, "\(tower.form)")
            }
            tower.wait { tower.leaks.alive == 0 }
            #expect(tower.leaks.alive == 0, "\(tower.leaks)")
        }
    }

    @Test(arguments: towers) func aChainOfThousandsIsCancelledAndReleased(tower: Tower) {
        onThread(stack: 512) {
            do {
                let said = tower.levelByLevel([2, 8, 4])
                let hot = PublishSubject<Int, TestFailure>()
                let probe = Probe(tower.build(hot.observable), .unbounded)
                tower.settle()
                for element in [2, 8, 4] { hot.send(element) }
                tower.wait { Said(probe) == said }
                #expect(Said(probe) == said, "\(tower.form)")
                #expect(probe.faults == ProbeFaults())
                probe.release()
                tower.wait { probe.isReleased }
                #expect(probe.isReleased)
                let unasked = Probe(tower.build(hot.observable))
                unasked.release()
                #expect(unasked.isReleased)
                _ = tower.build(hot.observable)
            }
            tower.wait { tower.leaks.alive == 0 }
            #expect(tower.leaks.alive == 0, "\(tower.leaks)")
        }
    }
}

/// What a stream has said.
struct Said: Equatable, CustomStringConvertible {
    var elements: [Int]
    var end: Completion<TestFailure>?
    init(elements: [Int], end: Completion<TestFailure>? = nil) {
        self.elements = elements
        self.end = end
    }
    var description: String { "\(elements) \(end.map { "\($0)" } ?? "open")" }
    init(_ probe: Probe<Int, TestFailure>) { self.init(elements: probe.elements, end: probe.end) }
}

/// One operator, many times over itself. Each level holds a canary.
struct Tower: Sendable, CustomTestStringConvertible {
    let form: OperatorUnderTest
    let levels: Int
    let grows: Bool
    let clock = VirtualClock()
    let leaks = Leaks()

    init(_ form: OperatorUnderTest, folder: Substring) {
        self.form = form
        let joins = ["Combining", "Flattening"].contains(folder)
        let most = joins ? 500 : 10_000
        // A sanitizer takes its time, and more stack is given for it.
        levels = form.name == "300 maps" ? 40 : isSanitized ? most / 5 : most
        grows = joins || form.traits.contains(.attachesOften)
    }
    var testDescription: String { "\(levels) × \(form)" }
    var isExact: Bool { form.traits.isDisjoint(with: [.dependsOnDemand, .dependsOnTime]) }

    func build(_ source: Observable<Int, TestFailure>) -> Observable<Int, TestFailure> {
        (0..<levels).reduce(source) { stream, _ in level(over: stream) }
    }
    /// The operator, its elements as small numbers again; four at most where it makes more of them.
    func level(over up: Observable<Int, TestFailure>) -> Observable<Int, TestFailure> {
        let canary = leaks.canary()
        let under = form.traits.contains(.attachesOften) ? Self.once(up) : up
        let numbers = form.make(over: under, on: clock).stream.map { text in
            _ = canary
            return (Int(text) ?? text.utf8.reduce(0) { ($0 * 31 + Int($1)) % 1_000 }) % 1_000
        }
        return grows ? numbers.prefix(4) : numbers
    }
    /// `up`, the first time; then a short stream. Else an operator that attaches its upstream twice would start it 2 to the
    /// power of 500 times.
    private static func once(_ up: Observable<Int, TestFailure>) -> Observable<Int, TestFailure> {
        let attached = Tally()
        return Observable(after: up.depth) { down in
            attached.add() == 1 ? up.attach(down) : Observable([60, 64]).attach(down)
        }
    }
    /// What the levels say one after the other, each over what the one before has said, `start` to begin with.
    func levelByLevel(_ start: Said) -> Said {
        fold(start) { said in
            Probe(level(over: TestSource(said.elements, end: said.end).observable), .unbounded)
        }
    }
    /// The same of elements that come later, and no end.
    func levelByLevel(_ elements: [Int]) -> Said {
        fold(Said(elements: elements)) { said in
            let hot = PublishSubject<Int, TestFailure>()
            let probe = Probe(level(over: hot.observable), .unbounded)
            settle()
            for element in said.elements { hot.send(element) }
            if let end = said.end { hot.send(completion: end) }
            settle()
            return withExtendedLifetime(hot) { probe }
        }
    }
    private func fold(_ start: Said, _ run: (Said) -> Probe<Int, TestFailure>) -> Said {
        var said = start
        for _ in 0..<levels {
            let probe = run(said)
            if said.end != nil { wait { probe.isDone } } else { settle() }
            let next = Said(probe)
            probe.release()
            settle()
            if next == said { break }
            said = next
        }
        return said
    }
    /// Lets virtual time pass until nothing waits.
    func settle() { try? clock.run(limit: 1_000_000) }
    func wait(_ isTrue: () -> Bool) {
        settle()
        spin(atMost: form.traits.contains(.runsOnPool) ? .seconds(60) : .zero, until: isTrue)
    }
}
