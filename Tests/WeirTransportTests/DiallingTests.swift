import Foundation
import Testing

@testable import WeirTransport

@Suite struct DiallingTests {
    @Test func nobodyThereIsUnreachableAtOnce() async throws {
        let port = try OddPort(.refuses)
        let scheduler = HeldScheduler()
        await #expect(throws: TransportError.unreachable(port.endpoint, "Connection refused")) {
            _ = try await dial(port.endpoint, on: scheduler)
        }
        #expect(scheduler.waiting == 0)
    }

    @Test(arguments: ["", "a\u{0}b"])
    func aHostThatIsNoneIsUnknown(host: String) async throws {
        await #expect(throws: TransportError.unknownHost(host, "not a host name")) {
            _ = try await dial(Endpoint(host: host, port: 1))
        }
    }

    @Test func silenceEndsAtTheTimeOut() async throws {
        let silent = try OddPort(.staysSilent)
        let scheduler = HeldScheduler()
        let answers = Mailbox<Result<TCPConnection, TransportError>>()
        let dialling = TCPDialling.dial(silent.endpoint, timeout: .seconds(3), time: Timekeeper(scheduler)) {
            answers.put($0)
        }
        #expect(scheduler.waiting == 1)
        scheduler.fire()
        let error = TransportError.timedOut(silent.endpoint, .seconds(3))
        await #expect(throws: error) { _ = try await answers.next().get() }
        #expect(error.description == "\(silent.endpoint) did not answer within 3.0 seconds")
        dialling.cancel()
    }

    @Test func aCancelledAttemptStaysSilent() async throws {
        let silent = try OddPort(.staysSilent)
        let scheduler = HeldScheduler()
        let answers = Mailbox<Int>()
        let dialling = TCPDialling.dial(silent.endpoint, timeout: .seconds(3), time: Timekeeper(scheduler)) { _ in
            answers.put(1)
        }
        dialling.cancel()
        #expect(scheduler.waiting == 0)
        scheduler.fire()
        answers.put(2)
        #expect(try await answers.next() == 2)
    }
}
