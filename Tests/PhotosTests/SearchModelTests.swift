import Testing
import Weir
import WeirTesting

@testable import Photos

// The search lives on whatever happens, follows the newest query, and asks for nothing when there is nothing to ask.

private struct Broken: Error, CustomStringConvertible {
    var description: String { "broken" }
}

private final class Desk: Sendable {
    let clock = VirtualClock()
    let typed = PublishSubject<String, Never>()
    private let asked = Guarded<[String]>([])
    private let seen = Guarded<[String]>([])
    private let bag = SubscriptionBag()

    /// - Parameter answer: the delay of the answer to a query; nil fails.
    init(_ answer: @escaping @Sendable (String) -> Duration?) {
        let model = SearchModel { [asked, clock] query in
            asked.withLock { $0.append(query) }
            guard let delay = answer(query) else { return .fail(Broken()) }
            return Observable<SearchAnswer, any Error>.just(SearchAnswer(total: 0, results: [])).delay(
                for: delay, on: clock)
        }
        model.bind(query: typed.observable, on: clock).subscribe { [seen] outcome in
            let text =
                switch outcome {
                case .found(let query, _): "found \"\(query)\""
                case .failed(let query, let why): "failed \"\(query)\": \(why)"
                }
            seen.withLock { $0.append(text) }
        }.store(in: bag)
    }
    func type(_ text: String, then wait: Duration) {
        typed.send(text)
        clock.advance(by: wait)
    }
    var queries: [String] { asked.withLock { $0 } }
    var outcomes: [String] { seen.withLock { $0 } }
}

@Suite struct SearchModelTests {
    @Test func onlyAQuietTextIsAsked() {
        let desk = Desk { _ in .zero }
        desk.type("c", then: .milliseconds(100))
        desk.type("ca", then: .milliseconds(499))
        #expect(desk.queries.isEmpty)
        desk.type("cat", then: .milliseconds(500))
        #expect(desk.queries == ["cat"] && desk.outcomes == ["found \"cat\""])
    }

    @Test func aFailureDoesNotEndTheSearch() {
        let desk = Desk { $0 == "bad" ? nil : .zero }
        desk.type("bad", then: .seconds(1))
        desk.type("good", then: .seconds(1))
        #expect(desk.outcomes == ["failed \"bad\": broken", "found \"good\""])
    }

    @Test func aNewerQueryCancelsTheOneThatRuns() {
        let desk = Desk { $0 == "slow" ? .seconds(60) : .milliseconds(10) }
        desk.type("slow", then: .seconds(1))
        desk.type("quick", then: .seconds(100))
        #expect(desk.queries == ["slow", "quick"] && desk.outcomes == ["found \"quick\""])
    }

    @Test func anEmptyQueryGivesNothingWithoutARequest() {
        let desk = Desk { _ in .zero }
        desk.type("   ", then: .seconds(1))
        #expect(desk.queries.isEmpty && desk.outcomes == ["found \"\""])
    }

    @Test func theSameQueryIsNotAskedTwice() {
        let desk = Desk { _ in .zero }
        desk.type("cat", then: .seconds(1))
        desk.type(" cat ", then: .seconds(1))
        #expect(desk.queries == ["cat"])
    }
}
