import Foundation
import Testing
import WeirPages
import WeirTestSupport

@testable import Playground

@Suite(.ownThread) struct ProgramTests {
    @Test func aPageIsFoundByAPartOfItsPath() {
        let page = Page(path: "Docs/Operators/Timing/Debounce.md", outputs: [], run: {})
        #expect(page.name == "Operators/Timing/Debounce")
        #expect(page.isCalled("debounce") && page.isCalled("Timing/D") && !page.isCalled("Throttle"))
    }

    @Test func commandsHaveWordsOfTheirOwn() {
        #expect(Set(Program.commands.map(\.word)).count == Program.commands.count)
    }
}
