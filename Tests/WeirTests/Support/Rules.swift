import Testing
import Weir
import WeirTestSupport
import WeirTesting

/// What every operator keeps, told by its answer to the elements 1, 2, 3.
///
/// - Parameters:
///   - answer: what it makes of them, as in `(1,0) (2,0) |`.
///   - endsEarly: it finishes before its upstream does.
///   - drawsAll: it asks upstream for everything, so what it keeps for demand depends on more than demand.
///   - settle: lets time pass, for an operator with a scheduler.
///   - make: the operator over an upstream.
func expectRules<Output: Sendable>(
    _ answer: String, endsEarly: Bool = false, drawsAll: Bool = false, settle: @escaping () -> Void = {},
    location: SourceLocation = #_sourceLocation,
    of make: (Observable<Int, Boom>) -> Observable<Output, Boom>
) {
    func expect(_ name: Comment, _ text: String, _ expected: String) {
        #expect(text.replacing(", ", with: ",") == expected, name, sourceLocation: location)
    }
    let words = answer.split(separator: " ").map(String.init)

    let all = TestSource<Int, Boom>([1, 2, 3], .finish)
    let one = Probe(make(all.observable))
    #expect(all.requests.isEmpty, "the law of attach", sourceLocation: location)
    one.request(.unbounded)
    settle()
    expect("everything is asked for", one.text, answer)
    #expect(one.isReleased, "freed after the end", sourceLocation: location)

    let counted = Probe(make(TestSource([1, 2, 3], .finish).observable))
    for count in 1...max(1, words.count - 1) where !drawsAll {
        counted.request(1)
        settle()
        let isLast = count >= words.count - 1
        expect("one at a time", counted.text, words.prefix(isLast ? words.count : count).joined(separator: " "))
    }

    let empty = Probe(make(TestSource([], .finish).observable), 1)
    settle()
    #expect(empty.end == .finished && empty.faults == ProbeFaults(), "empty", sourceLocation: location)

    let failing = Probe(make(TestSource([], .fail(Boom())).observable), 1)
    settle()
    expect("a failure without elements", failing.text, "#boom")

    let broken = Probe(make(TestSource([1, 2, 3], .fail(Boom())).observable), .unbounded)
    settle()
    #expect((broken.end?.failure == nil) == endsEarly, "a failure", sourceLocation: location)
    #expect(broken.end != nil && broken.faults == ProbeFaults(), "a failure", sourceLocation: location)
    #expect(broken.isReleased, "freed after a failure", sourceLocation: location)

    let silent = TestSource<Int, Boom>([], .silence)
    let never = Probe(make(silent.observable), .unbounded)
    settle()
    expect("never", never.text, "")
    never.release()
    settle()
    #expect(silent.cancels == silent.attaches, "cancel reaches upstream", sourceLocation: location)
    #expect(never.isReleased, "freed after cancel", sourceLocation: location)

    let early = TestSource<Int, Boom>([1, 2, 3], .finish)
    let unasked = Probe(make(early.observable))
    unasked.release()
    unasked.request(1)
    settle()
    expect("cancel before the first request", unasked.text, "")
    #expect(early.cancels == early.attaches && unasked.isReleased, "freed unasked", sourceLocation: location)

    let hasElements = words.count > 1
    let stopped = TestSource<Int, Boom>([1, 2, 3], .silence)
    let inside = Probe(make(stopped.observable), .unbounded, onNext: { probe, _ in probe.cancel() })
    settle()
    expect("cancel inside the handler", inside.text, hasElements ? words[0] : "")
    if hasElements {
        #expect(stopped.cancels == stopped.attaches, "cancel inside reaches upstream", sourceLocation: location)
        inside.release()
        #expect(inside.isReleased, "freed after cancel inside", sourceLocation: location)
    }

    let lost = Probe(make(TestSource([1], .loss).observable), .unbounded)
    settle()
    #expect(lost.end == nil && lost.faults == ProbeFaults(), "loss is no end", sourceLocation: location)
    #expect(lost.isReleased, "loss frees downstream", sourceLocation: location)
}
