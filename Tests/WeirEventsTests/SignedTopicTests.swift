import Foundation
import Testing
import WeirEvents
import WeirTesting

// Signed events: who said what, and nobody hears an echo of their own.

private final class Slider: Sendable {
    private let moves = Guarded<[Int]>([])
    func move(_ position: Int) { moves.withLock { $0.append(position) } }
    var positions: [Int] { moves.withLock { $0 } }
}

private final class Named: Signing {
    let signature = Signature()
}

@Suite struct SignedTopicTests {
    @Test func droppingOnesOwnEventsLeavesThoseOfOthersAndOfNobody() {
        let volume = SignedTopic<Int>("Player.volume")
        let slider = Slider()
        let other = Slider()
        volume.events.dropping(signedBy: slider).unsigned.subscribe(slider, with: Slider.move)
        volume.publish(1, signedBy: slider)
        volume.publish(2, signedBy: other)
        volume.publish(3)
        volume.publish(4, signedBy: Signature(of: slider))
        #expect(slider.positions == [2, 3])
    }

    @Test func operatorsOnValuesKeepTheSignature() {
        let topic = SignedTopic<Int>()
        let signer = Slider()
        let seen = Guarded<[String]>([])
        let token = topic.events
            .filterValues { $0 > 1 }
            .mapValues { $0 * 10 }
            .compactMapValues { $0 == 30 ? nil : "v\($0)" }
            .subscribe { signed in
                seen.withLock { $0.append("\(signed.value) \(signed.signature?.belongs(to: signer) == true)") }
            }
        topic.publish(1, signedBy: signer)
        topic.publish(2, signedBy: signer)
        topic.publish(3, signedBy: signer)
        topic.publish(4)
        #expect(seen.withLock { $0 } == ["v20 true", "v40 false"])
        token.cancel()
    }

    @Test func aSignatureIsTheSameAsLongAsItsObjectLives() {
        let object = Slider()
        #expect(Signature(of: object) == Signature(of: object))
        #expect(Signature(of: object).belongs(to: object))
        #expect(!Signature(of: object).belongs(to: Slider()))
        #expect(!Signature(of: object).belongs(to: nil))
        let named = Named()
        #expect(Signature(of: named) == named.signature)
    }

    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil,
            "the address sanitizer uses no address twice so soon"))
    func aSignatureOfADeadObjectNeverMatchesANewOneAtItsAddress() {
        var known: [UInt: Signature] = [:]
        var repeats = 0
        for _ in 0..<10_000 where repeats < 100 {
            let object = Slider()
            let address = UInt(bitPattern: ObjectIdentifier(object).hashValue)
            let signature = Signature(of: object)
            if let old = known[address] {
                repeats += 1
                #expect(old != signature)
                #expect(!old.belongs(to: object))
            }
            known[address] = signature
        }
        #expect(repeats > 0, "no address was used twice, so nothing was shown")
    }

    @Test func aSignedValueMapsWithItsSignature() {
        let signature = Signature()
        let mapped = Signed(2, by: signature).map { "\($0)" }
        #expect(mapped == Signed("2", by: signature))
        #expect(Signed(2).description == "2")
    }
}
