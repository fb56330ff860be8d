import Testing
import WeirTesting

@Test func importingTestingNamesTheCore() {
    #expect(Completion<Never>.finished.description == "finished")
    #expect("\(Observable<Int, Never>.self)".hasPrefix("Observable<"))
}
