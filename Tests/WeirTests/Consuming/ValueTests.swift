import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct ValueTests {
    @Test func exactlyOneElement() async throws {
        #expect(try await Observable<Int, Never>.just(7).value == 7)
        await #expect(throws: NotOneElement.none) { try await Observable<Int, Never>.empty().value }
        await #expect(throws: NotOneElement.several) { try await Observable<Int, Never>([1, 2, 3]).value }
        await #expect(throws: Boom()) { try await Observable<Int, Boom>.fail(Boom()).value }
        await #expect(throws: Boom()) { try await TestSource<Int, Boom>([1], .fail(Boom())).observable.value }
    }

    @Test func aSecondElementCancelsUpstream() async {
        let upstream = TestSource<Int, Never>([1, 2], .silence)
        await #expect(throws: NotOneElement.several) { try await upstream.observable.value }
        #expect(upstream.cancels == 1)
    }

    @Test func theErrorsSayWhatToDo() {
        #expect("\(NotOneElement.none)".contains("`first`") && "\(NotOneElement.several)".contains("`first`"))
    }

    @Test(arguments: [[], [1]]) func cancellingTheTaskThrowsAndCancelsUpstream(elements: [Int]) async {
        let upstream = TestSource<Int, Never>(elements, .silence)
        let started = Bell()
        let stream = upstream.observable
        let task = Task {
            let watched = Observable<Int, Never> { observer in
                started.ring()
                return stream.attach(observer)
            }
            return try await watched.value
        }
        await started.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(upstream.cancels == 1)
    }

    @Test func firstTakesOneAndCancels() async {
        let upstream = TestSource<Int, Never>([1, 2, 3], .finish)
        #expect(await upstream.observable.first == 1)
        #expect(upstream.calls == "attach, request 1, cancel")
        #expect(await Observable<Int, Never>.empty().first == nil)
        do throws(Boom) {
            let none = try await Observable<Int, Boom>.fail(Boom()).first
            Issue.record("\(none as Any) came of a stream that fails")
        } catch {
            #expect(error == Boom())
        }
    }
}
