import Testing
import WeirEvents

@Test func importingEventsNamesTheCore() {
    #expect(Completion<Never>.finished.description == "finished")
    #expect("\(Observable<Int, Never>.self)".hasPrefix("Observable<"))
}
