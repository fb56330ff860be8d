import Testing
import WeirEvents
import WeirTestSupport
import WeirTesting

// Redirections: into another topic, never in a circle that nobody meant.

@Suite struct RedirectTests {
    @Test func eventsGoOnAndKeepTheirSignature() {
        let (source, target) = (SignedTopic<Int>("Test.source"), SignedTopic<Int>("Test.target"))
        let signer = Topic<Int>("signer")
        let log = Notes()
        source.events.redirect(to: target)
        let token = target.events.listenSigned { value, signature in
            log.add("\(value) \(signature?.belongs(to: signer) == true)")
        }
        source.publish(1, signedBy: signer)
        source.publish(2)
        #expect("\(log)" == "1 true, 2 false")
        token.cancel()
    }

    @Test func theTargetIsHeldWeakly() {
        let source = Topic<Int>("Test.source")
        var target: Topic<Int>? = Topic("Test.target")
        weak let watched = target
        let redirection = target.map { source.events.redirect(to: $0) }
        #expect(source.subscriberCount == 1)
        target = nil
        #expect(watched == nil && source.subscriberCount == 0 && redirection?.isFinished == true)
    }

    @Test func contract10ACircleIsRefusedWithAllItsLabels() {
        let (a, b, c) = (Topic<Int>("Circle.a"), Topic<Int>("Circle.b"), Topic<Int>("Circle.c"))
        let log = Notes()
        let token = c.listen { log.add("\($0)") }
        a.events.redirect(to: b)
        b.events.map { $0 + 1 }.merge(with: .never()).redirect(to: c)
        let refused = c.events.filter { $0 < 100 }.redirect(to: a)
        let own = a.events.map { $0 }.redirect(to: a)
        let lazily = Observable.just(0).flatMap { _ in c.events }.redirect(to: b)
        #expect(refused.isFinished && own.isFinished && lazily.isFinished)
        #expect(a.subscriberCount == 1 && b.subscriberCount == 1 && c.subscriberCount == 1)
        a.publish(1)
        #expect("\(log)" == "2")
        token.cancel()
    }

    @Test func contract10ARefusalNamesTheCircle() {
        let (a, b) = (Topic<Int>("Named.a"), Topic<Int>("Named.b"))
        let reports = Notes()
        let old = Unhandled.hook
        Unhandled.hook = { if "\($0.file)".hasSuffix("RedirectTests.swift") { reports.add($0.message) } }
        defer { Unhandled.hook = old }
        a.events.redirect(to: b)
        b.events.redirect(to: a)
        #expect(reports.all.filter { $0.contains("Named.b -> Named.a -> Named.b") }.count == 1, "\(reports)")
    }

    @Test func contract10FeedbackThatIsMeantRunsThroughTheSerialiserAndNeverGetsDeep() {
        let (a, b) = (Topic<Int>("Feedback.a"), Topic<Int>("Feedback.b"))
        let last = Guarded(0)
        a.events.redirect(to: b)
        let back = b.events.map { $0 + 1 }.filter { $0 <= 100_000 }.redirect(to: a, allowsFeedback: true)
        let token = a.listen { event in last.withLock { $0 = event } }
        a.publish(1)
        #expect(last.withLock { $0 } == 100_000 && !back.isFinished)
        back.cancel()
        token.cancel()
    }

    @Test func aCircleThatIsCancelledMayBeClosedTheOtherWay() {
        let (a, b) = (Topic<Int>("Turn.a"), Topic<Int>("Turn.b"))
        let there = a.events.redirect(to: b)
        there.cancel()
        #expect(there.isFinished && !b.events.redirect(to: a).isFinished)
    }
}
