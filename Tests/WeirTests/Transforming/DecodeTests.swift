import Testing
import Weir
import WeirTestSupport
import WeirTesting

/// Reads a number out of a text, through the decoding machinery only as far as it needs.
private struct NumberDecoder: ElementDecoder {
    struct NoNumber: Error, Equatable { let text: String }

    func decode<Value: Decodable & Sendable>(_ type: Value.Type, from input: String) throws -> Value {
        guard let number = Int(input), let value = number as? Value else { throw NoNumber(text: input) }
        return value
    }
}

@Suite struct DecodeTests {
    @Test func decodesEach() {
        let probe = Probe(
            Observable<String, Never>(["1", "22"]).decode(Int.self, using: NumberDecoder()), .unbounded)
        #expect(probe.text == "1 22 |")
    }

    @Test func aDecoderThatThrowsCancelsUpstreamThenFails() {
        let upstream = TestSource<String, Never>(["1", "x", "3"], .silence)
        let probe = Probe(
            upstream.observable.decode(Int.self, using: NumberDecoder()), .unbounded,
            onDone: { _ in #expect(upstream.cancels == 1) })
        #expect(probe.elements == [1] && probe.faults == ProbeFaults())
        #expect(probe.end?.failure as? NumberDecoder.NoNumber == .init(text: "x"))
    }

    @Test func upstreamsOwnFailurePasses() {
        let upstream = TestSource<String, Boom>(["1"], .fail(Boom()))
        let probe = Probe(upstream.observable.decode(Int.self, using: NumberDecoder()), .unbounded)
        #expect(probe.elements == [1] && probe.end?.failure as? Boom == Boom())
    }

    @Test func demandPasses() {
        let upstream = TestSource<String, Never>(["1", "2"], .finish)
        let probe = Probe(upstream.observable.decode(Int.self, using: NumberDecoder()), 1)
        #expect(probe.text == "1" && upstream.calls == "attach, request 1")
    }
}
