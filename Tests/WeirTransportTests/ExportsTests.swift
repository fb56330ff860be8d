import Testing
import WeirTransport

@Test func importingTransportNamesTheCore() {
    #expect(Completion<Never>.finished.description == "finished")
    #expect("\(Observable<Int, Never>.self)".hasPrefix("Observable<"))
}
