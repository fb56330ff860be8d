import Testing
import Weir
import WeirTestSupport
import WeirTesting

/// Sends each letter of a diagram at its frame into an operator with a clock, and answers what came out at which. Letters in
/// brackets share a frame.
func timed(
    _ diagram: String, on clock: VirtualClock, location: SourceLocation = #_sourceLocation,
    by make: (PublishSubject<String, Boom>) -> Observable<String, Boom>
) -> String {
    let subject = PublishSubject<String, Boom>()
    let came = Log()
    let probe = Probe(
        make(subject), .unbounded,
        onNext: { _, letter in came.add("\(letter)@\(clock.now.frame)") },
        onDone: { probe in came.add("\(probe.end?.failure == nil ? "|" : "#")@\(clock.now.frame)") })
    var isGroup = false
    for sign in diagram {
        switch sign {
        case "-": break
        case "(", ")": isGroup = sign == "("
        case "|": subject.send(completion: .finished)
        case "#": subject.send(completion: .failed(Boom()))
        default: subject.send("\(sign)")
        }
        if !isGroup { clock.advance(by: .frames(1)) }
    }
    clock.advance(by: .seconds(1))
    #expect(probe.faults == ProbeFaults(), sourceLocation: location)
    return "\(came)"
}

/// What an operator that says each element 2 frames later has not been asked for comes before a failure.
func expectAFailureBehindWhatWaits(
    on clock: VirtualClock, location: SourceLocation = #_sourceLocation,
    by make: (PublishSubject<String, Boom>) -> Observable<String, Boom>
) {
    let subject = PublishSubject<String, Boom>()
    let probe = Probe(make(subject), 1)
    for letter in ["a", "b", "c"] {
        subject.send(letter)
        clock.advance(by: .frames(2))
    }
    subject.send("d")
    subject.send(completion: .failed(Boom()))
    #expect(probe.text == "a" && clock.scheduledCount == 0, sourceLocation: location)
    probe.request(1)
    #expect(probe.text == "a b", sourceLocation: location)
    probe.request(1)
    #expect(probe.text == "a b c #boom" && probe.isReleased, sourceLocation: location)
}
