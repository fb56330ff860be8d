import Testing
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct PlayTests {
    @Test func debounceFlushesAtCompletion() {
        #expect(play("ab--c|") { $0.debounce(for: .frames(2), on: $1) } == "---b-(c|)")
        #expect(
            play("ab--c|") { $0.debounce(for: .frames(2), on: $1, flushAtCompletion: false) } == "---b-|")
        #expect(play("ab--c#") { $0.debounce(for: .frames(2), on: $1) } == "---b-#")
    }

    @Test func aFailedExpectationShowsBothDiagrams() {
        let output = play("a-b|") { up, _ in up }
        #expect("\(output) and \("a-b-|")" == "a-b| and a-b-|")
    }

    @Test(arguments: ["a-b|", "a-(bc)-#", "--", "a---", "(ab|)", "|", ""]) func passesThrough(text: String) {
        #expect(play(.cold(text)) { up, _ in up } == text)
        #expect(play(.hot(text)) { up, _ in up } == text)
    }

    @Test func openStreamsAreAsLongAsTheLongestInput() {
        #expect(play("ab|") { _, _ in Observable<Int, Never>.never() } == "---")
        #expect(play("a|", "b-----") { first, second, _ in first.merge(with: second) } == "(ab)-----")
    }

    @Test func elementsOfOtherTypes() {
        #expect(play("1-2|", as: { Int($0) }) { up, _ in up.map { $0 * 10 } } == "'10'-'20'|")
        #expect(play("1-2|", as: { ["1": true, "2": false][$0] }) { up, _ in up.filter { $0 } } == "'true'--|")
        let error = play("1-x|", as: { Int($0) }) { up, _ in up }
        #expect(error.hasPrefix("marble diagram: no value is given for the element x"))
    }

    @Test func parseErrorsAreTheOutput() {
        #expect(play("a(b") { up, _ in up } == "marble diagram: ( without ), at character 1\n    a(b\n     ^")
        #expect(play("a", subscription: "-") { up, _ in up }.hasPrefix("marble diagram: no ^"))
    }

    @Test func twoInputs() {
        #expect(play("a--b-|", "-xy|") { first, second, _ in first.merge(with: second) } == "axyb-|")
        #expect(
            play("a--b--|", "-xy|") { first, second, _ in first.zip(with: second).map { $0.0 + $0.1 } }
                == "-'ax'-('by'|)")
        #expect(play("a|", "b-c|") { first, second, _ in first.concat(second) } == "ab-c|")
    }

    @Test func coldInputsStartAnewAndHotOnesDoNot() {
        #expect(play("a-|") { up, _ in up.concat(up) } == "a-a-|")
        #expect(play("--a|", .hot("x---y-z|")) { first, second, _ in first.concat(second) } == "--a-y-z|")
        #expect(play(.hot("ab|"), subscription: "----^") { up, _ in up } == "----|")
    }

    @Test func subscriptionsHaveTheirTime() {
        #expect(play("ab-c|", subscription: "--^") { up, _ in up } == "--ab-c|")
        #expect(play(.hot("ab-c|"), subscription: "-^-!") { up, _ in up } == "-b-c-")
        #expect(play(.hot("abcd|"), subscription: "-^!") { up, _ in up } == "-bc--")
        // The inputs of a frame come before the cancel, what is scheduled later after it.
        #expect(play("a-----", subscription: "^-!") { $0.delay(for: .frames(2), on: $1) } == "------")
        #expect(play("a-----", subscription: "^--!") { $0.delay(for: .frames(2), on: $1) } == "--a---")
    }

    @Test func subscriptionsAreDrawn() {
        let prefixed = played("a-b-c|", as: { $0 }) { up, _ in up.prefix(2) }
        #expect(prefixed == Played(output: "a-(b|)", subscriptions: [["^-!"]]))
        let twice = played("a|", "b-|", as: { $0 }) { first, second, _ in first.concat(second) }
        #expect("\(twice)" == "ab-|\n^!\n-^-!")
        let open = played("a", as: { $0 }, subscription: "--^") { up, _ in up }
        #expect(open.subscriptions == [["--^"]])
    }

    @Test func whatNeverRestsIsAnError() {
        let output = play("a|") { up, clock in
            up.flatMap { _ in Observable<Int, TestFailure>(0...).map { _ in 1 }.prefix(2) }
                .concat(
                    .init { down in
                        @Sendable func again() { clock.schedule(after: .frames(1), again) }
                        return Subscription(request: { _ in again() }, cancel: {})
                    })
        }
        #expect(output.hasPrefix("VirtualClock.run() stopped after 100000 pieces of work"))
    }
}
