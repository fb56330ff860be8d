import Testing
import Weir

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

    let all = Upstream<Int, Boom>([1, 2, 3])
    let one = Listener(make(all.observable))
    #expect(!all.log.all.contains { $0.hasPrefix("request") }, "the law of attach", sourceLocation: location)
    one.request(.unbounded)
    settle()
    expect("everything is asked for", one.text, answer)
    #expect(!one.canary.isAlive, "freed after the end", sourceLocation: location)

    let counted = Listener(make(Upstream([1, 2, 3]).observable))
    for count in 1...max(1, words.count - 1) where !drawsAll {
        counted.request(1)
        settle()
        let isLast = count >= words.count - 1
        expect("one at a time", counted.text, words.prefix(isLast ? words.count : count).joined(separator: " "))
    }

    let empty = Listener(make(Upstream([]).observable), 1)
    settle()
    #expect(empty.end == .finished && empty.faults == [], "empty", sourceLocation: location)

    let failing = Listener(make(Upstream([], .fail(Boom())).observable), 1)
    settle()
    expect("a failure without elements", failing.text, "#boom")

    let broken = Listener(make(Upstream([1, 2, 3], .fail(Boom())).observable), .unbounded)
    settle()
    #expect((broken.end?.failure == nil) == endsEarly, "a failure", sourceLocation: location)
    #expect(broken.end != nil && broken.faults == [], "a failure", sourceLocation: location)
    #expect(!broken.canary.isAlive, "freed after a failure", sourceLocation: location)

    let silent = Upstream<Int, Boom>([], .silence)
    let never = Listener(make(silent.observable), .unbounded)
    settle()
    expect("never", never.text, "")
    never.release()
    settle()
    #expect(silent.cancels == silent.attaches, "cancel reaches upstream", sourceLocation: location)
    #expect(!never.canary.isAlive, "freed after cancel", sourceLocation: location)

    let early = Upstream<Int, Boom>([1, 2, 3])
    let unasked = Listener(make(early.observable))
    unasked.release()
    unasked.request(1)
    settle()
    expect("cancel before the first request", unasked.text, "")
    #expect(early.cancels == early.attaches && !unasked.canary.isAlive, "freed unasked", sourceLocation: location)

    let hasElements = words.count > 1
    let stopped = Upstream<Int, Boom>([1, 2, 3], .silence)
    let inside = Listener(make(stopped.observable), .unbounded, onNext: { probe, _ in probe.cancel() })
    settle()
    expect("cancel inside the handler", inside.text, hasElements ? words[0] : "")
    if hasElements {
        #expect(stopped.cancels == stopped.attaches, "cancel inside reaches upstream", sourceLocation: location)
        inside.release()
        #expect(!inside.canary.isAlive, "freed after cancel inside", sourceLocation: location)
    }

    let lost = Listener(make(Upstream([1], .loss).observable), .unbounded)
    settle()
    #expect(lost.end == nil && lost.faults == [], "loss is no end", sourceLocation: location)
    #expect(!lost.canary.isAlive, "loss frees downstream", sourceLocation: location)
}
