import Testing
import WeirCaching

@Test func importingCachingNamesTheCore() {
    #expect(Completion<Never>.finished.description == "finished")
    #expect("\(Observable<Int, Never>.self)".hasPrefix("Observable<"))
}
