import Testing
import WeirTesting

@Suite struct MarbleTests {
    @Test(arguments: [
        "", "-", "a", "a-b|", "-a-b|", "---b-(c|)", "(abc)-(d#)", "#", "|", "'ten'-'-'|", "('10''20'|)", "'it\\'s'",
        "'\\\\'",
        "----", "a---", "''",
    ])
    func readsAndPrintsTheSame(text: String) throws {
        #expect(try Marble(text).description == text)
    }

    @Test func knowsTheFrames() throws {
        let marble = try Marble(" a-(bc) -| ")
        #expect(
            marble.marks == [
                .init(0, .next("a")), .init(2, .next("b")), .init(2, .next("c")), .init(4, .finished),
            ])
        #expect(marble.length == 5 && "\(marble)" == "a-(bc)-|")
        #expect(Marble([.init(3, .failed), .init(1, .next("x")), .init(1, .next("y"))]).description == "-(xy)-#")
        #expect(Marble([.init(1, .next("x"))], length: 4).description == "-x--")
        #expect(Marble([.init(1, .finished)], length: 4).description == "-|")
    }

    @Test(arguments: [
        ("a(b", "( without )", 1), ("a)b", ") without (", 1), ("a()", "an empty group", 1),
        ("(a(b))", "a group inside a group", 2), ("(a-b)", "a group is one instant and holds no -", 2),
        ("a|b", "nothing can follow the end", 2), ("a|#", "nothing can follow the end", 2),
        ("'ab", "' without its second", 0), ("a^b", "^ belongs into the diagram of a subscription", 1),
        ("!", "! belongs into the diagram of a subscription", 0),
    ])
    func saysWhatIsWrongAndWhere(text: String, problem: String, position: Int) throws {
        let error = try #require(throws: MarbleError.self) { try Marble(text) }
        #expect(error.problem == problem && error.position == position && error.text == text)
    }

    @Test func errorsPointAtThePlace() throws {
        let error = try #require(throws: MarbleError.self) { try Marble("--a(b") }
        #expect("\(error)" == "marble diagram: ( without ), at character 3\n    --a(b\n       ^")
    }

    @Test(arguments: ["^", "^---!", "--^!", "-(^!)"]) func readsSubscriptions(text: String) throws {
        #expect(try SubscriptionMarble(text).description == text)
    }

    @Test(arguments: [
        ("", "no ^ where it subscribes", 0), ("^-^", "a second ^", 2), ("!^", "! needs one ^ before it", 0),
        ("^a", "the diagram of a subscription knows - ^ ! alone", 1),
        ("^!!", "! needs one ^ before it", 2),
    ])
    func refusesOtherSubscriptions(text: String, problem: String, position: Int) throws {
        let error = try #require(throws: MarbleError.self) { try SubscriptionMarble(text) }
        #expect(error.problem == problem && error.position == position)
    }
}
