// play: runs diagrams through an operator in virtual time, and answers with a diagram.
//
//     #expect(play("ab--c|") { $0.debounce(for: .frames(2), on: $1) } == "---b-(c|)")
//
// Both sides are text, so a failed expectation prints both diagrams. A diagram that cannot be read gives its error as
// text, too. What is open at the end is drawn as long as the longest input. At one frame the inputs come first, then `!`
// of the subscription, then what the operator has scheduled. A stream that never rests, such as an interval, needs a
// subscription with a `!`.

/// What `played` answers with.
public struct Played: Sendable, Hashable, CustomStringConvertible {
    /// The diagram of the output; the text of an error where an input cannot be read or the output never rests.
    public let output: String
    /// For each input its subscriptions, each as its diagram, as in `^---!`.
    public let subscriptions: [[String]]

    /// From what is expected.
    public init(output: String, subscriptions: [[String]]) {
        self.output = output
        self.subscriptions = subscriptions
    }

    /// The output, and the subscriptions below it.
    public var description: String { ([output] + subscriptions.flatMap { $0 }).joined(separator: "\n") }
}

/// Plays one input through an operator and draws what comes out. Its elements are the texts of the diagram.
///
/// - Parameters:
///   - input: a diagram; a literal is cold, `.hot("…")` is hot.
///   - subscription: when the output is subscribed and cancelled; at the start and never by default.
///   - make: the operator, from the input and the clock.
public func play<Output: Sendable, Failure: Error>(
    _ input: Timeline, subscription: String = "^",
    _ make: (Observable<String, TestFailure>, VirtualClock) -> Observable<Output, Failure>
) -> String {
    played(input, as: { $0 }, subscription: subscription, make).output
}

/// Plays one input of any type through an operator and draws what comes out.
///
/// - Parameters:
///   - input: a diagram; a literal is cold, `.hot("…")` is hot.
///   - value: the element that a text of the diagram stands for, as in `Int.init`; nil is reported as an error.
///   - subscription: when the output is subscribed and cancelled; at the start and never by default.
///   - make: the operator, from the input and the clock.
public func play<Input: Sendable, Output: Sendable, Failure: Error>(
    _ input: Timeline, as value: (String) -> Input?, subscription: String = "^",
    _ make: (Observable<Input, TestFailure>, VirtualClock) -> Observable<Output, Failure>
) -> String {
    played(input, as: value, subscription: subscription, make).output
}

/// Plays two inputs through an operator and draws what comes out.
///
/// - Parameters:
///   - first: a diagram; a literal is cold, `.hot("…")` is hot.
///   - second: the same.
///   - subscription: when the output is subscribed and cancelled; at the start and never by default.
///   - make: the operator, from both inputs and the clock.
public func play<Output: Sendable, Failure: Error>(
    _ first: Timeline, _ second: Timeline, subscription: String = "^",
    _ make: (Observable<String, TestFailure>, Observable<String, TestFailure>, VirtualClock)
        -> Observable<Output, Failure>
) -> String {
    played(first, second, as: { $0 }, subscription: subscription, make).output
}

/// Plays one input, and answers with the subscriptions beside the output. See `play`.
public func played<Input: Sendable, Output: Sendable, Failure: Error>(
    _ input: Timeline, as value: (String) -> Input?, subscription: String = "^",
    _ make: (Observable<Input, TestFailure>, VirtualClock) -> Observable<Output, Failure>
) -> Played {
    let clock = VirtualClock()
    do throws(MarbleError) {
        let input = try PlayedInput(input, clock, value)
        let span = try SubscriptionMarble(subscription)
        return perform([input], span, clock, make(input.observable, clock))
    } catch {
        return Played(output: "\(error)", subscriptions: [])
    }
}

/// Plays two inputs of one type, and answers with the subscriptions beside the output. See `play`.
public func played<Input: Sendable, Output: Sendable, Failure: Error>(
    _ first: Timeline, _ second: Timeline, as value: (String) -> Input?, subscription: String = "^",
    _ make: (Observable<Input, TestFailure>, Observable<Input, TestFailure>, VirtualClock)
        -> Observable<Output, Failure>
) -> Played {
    let clock = VirtualClock()
    do throws(MarbleError) {
        let inputs = [try PlayedInput(first, clock, value), try PlayedInput(second, clock, value)]
        let span = try SubscriptionMarble(subscription)
        return perform(inputs, span, clock, make(inputs[0].observable, inputs[1].observable, clock))
    } catch {
        return Played(output: "\(error)", subscriptions: [])
    }
}

private func perform<Input: Sendable, Output: Sendable, Failure: Error>(
    _ inputs: [PlayedInput<Input>], _ span: SubscriptionMarble, _ clock: VirtualClock,
    _ stream: Observable<Output, Failure>
) -> Played {
    let probe = Probe<Output, Failure>(clock: clock)
    clock.schedule(at: .frame(span.subscribed)) {
        probe.attach(to: stream)
        probe.request(.unbounded)
        if let over = span.over { clock.schedule(at: .frame(over)) { probe.cancel() } }
    }
    for input in inputs { input.start() }
    var problem: String?
    do throws(EndlessWork) { try clock.run(limit: 100_000) } catch { problem = "\(error)" }
    let marks = probe.records.compactMap { record in record.time.map { Marble.Mark($0.frame, event(record.signal)) } }
    let output = problem ?? Marble(marks, length: inputs.map(\.length).max() ?? 0).description
    let subscriptions = inputs.map(\.subscriptions)
    probe.cancel()
    probe.drop()
    return Played(output: output, subscriptions: subscriptions)
}

private func event<Output, Failure>(_ signal: Probe<Output, Failure>.Signal) -> Marble.Event {
    switch signal {
    case .next(let element): .next("\(element)")
    case .done(.finished): .finished
    case .done(.failed): .failed
    }
}
