import Testing
import WeirRouting

@Test func importingRoutingNamesTheCore() {
    #expect(Completion<Never>.finished.description == "finished")
    #expect("\(Observable<Int, Never>.self)".hasPrefix("Observable<"))
}
