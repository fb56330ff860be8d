import Foundation
import Testing
import WeirEvents
import WeirTestSupport
import WeirTesting

// The bureau: who subscribes to what, and what is published, as values, text and graph. It sees the whole process, so each
// test looks at its own labels and files.

private final class Slider: Sendable {
    func move(_ value: Int) {}
}

/// Keeps what is reported of this file.
private final class Reader: Sendable {
    private let texts = Guarded<[String]>([])
    private let token = Guarded<SubscriptionToken?>(nil)
    init() {
        let token = InformBureau.shared.informs.subscribe { @Sendable [texts] inform in
            if inform.text.contains("InformBureauTests.swift") { texts.withLock { $0.append(inform.text) } }
        }
        self.token.withLock { $0 = token }
    }
    /// Waits until all that was reported before is here: another test's thread may be handing it out.
    private func settle() {
        let mark = Topic<String>("Marker")
        let text = "\(ObjectIdentifier(mark))"
        mark.publish(text)
        spin(atMost: .seconds(20)) { texts.withLock { $0.contains { $0.contains(text) } } }
        texts.withLock { $0.removeAll { $0.contains("Marker") } }
    }
    /// The places of calls are left out, and so are numbers and addresses.
    var lines: [String] {
        settle()
        return texts.withLock { $0 }.map { text in
            text.replacing(/\s\([A-Za-z]+\/[A-Za-z]+\.swift:\d+\)/, with: "").replacing(/\s#\d+/, with: "")
                .replacing(/0x[0-9a-f]+/, with: "0x")
        }
    }
    func stop() { token.withLock { $0 }?.cancel() }
}

@Suite(.serialized, .ownThread) struct InformBureauTests {
    let bureau = InformBureau.shared

    private func watching(_ body: (Reader) throws -> Void) rethrows {
        bureau.enable()
        let reader = Reader()
        defer {
            reader.stop()
            bureau.disable()
        }
        try body(reader)
    }

    @Test func subscriptionsPublicationsAndCancelsAreReported() {
        watching { reader in
            let topic = Topic<Int>("Thermostat.reading")
            let slider = Slider()
            let subscription = topic.events.map { Double($0) }.filter { $0 > 0 }.map { Int($0) }.named("Slider.move")
                .subscribe(slider, with: Slider.move)
            topic.publish(21)
            subscription.cancel()
            #expect(
                reader.lines == [
                    """
                    (S) Thermostat.reading: Topic<Int>
                        --> map Int -> Double
                        --> filter Double -> Double
                        --> map Double -> Int
                        --> handled by Slider.move
                        !-> Slider 0x
                    """,
                    "(P) Thermostat.reading: Int = 21",
                    "(C) Thermostat.reading !-> Slider 0x",
                ])
        }
    }

    @Test func mergedBranchesAreIndented() {
        watching { reader in
            let (one, two) = (Topic<Int>("Branch.one"), Topic<Int>("Branch.two"))
            let inner = one.events.map { $0 }.merge(with: two.events)
            let token = inner.merge(with: Observable.just(1).filter { $0 > 5 }).listen { _ in }
            #expect(
                reader.lines == [
                    """
                    (S)       Branch.one: Topic<Int>
                              --> map Int -> Int
                              Branch.two: Topic<Int>
                           --> merge Int -> Int (2 branches)
                           just: Int
                           --> filter Int -> Int
                        --> merge Int -> Int (2 branches)
                        !-> listener (subscribe)
                    """
                ])
            token.cancel()
        }
    }

    @Test func everyReportIsAValueWithThePlaceOfTheCall() throws {
        let (subscribed, published) = (Guarded<[Inform.Subscribed]>([]), Guarded<[Inform.Published]>([]))
        let cancelled = Guarded<[Inform.Cancelled]>([])
        bureau.enable()
        defer { bureau.disable() }
        let bag = SubscriptionBag()
        bureau.subscriptions.subscribe { @Sendable value in subscribed.withLock { $0.append(value) } }.store(in: bag)
        bureau.publications.subscribe { @Sendable value in published.withLock { $0.append(value) } }.store(in: bag)
        bureau.cancellations.subscribe { @Sendable value in cancelled.withLock { $0.append(value) } }.store(in: bag)
        let topic = Topic<Int>("Places.here")
        let line: UInt = #line + 1
        let token = topic.events.map { "\($0)" }.subscribe { _ in }
        topic.publish(7)
        token.cancel()
        spin(atMost: .seconds(20)) { cancelled.withLock { $0 }.contains { $0.line == line } }
        bag.cancel()
        let own = try #require(subscribed.withLock { $0 }.first { "\($0.file)".hasSuffix("BureauTests.swift") })
        #expect(own.line == line && own.subscriber == .listener("subscribe") && own.chain.name == "map")
        #expect(own.chain.upstreams.map(\.label) == ["Places.here"] && own.chain.output == "String")
        let event = try #require(published.withLock { $0 }.first { $0.label == "Places.here" })
        #expect(event.line == line + 1 && event.event as? Int == 7 && event.type == "Int")
        let end = try #require(cancelled.withLock { $0 }.first { $0.number == own.number })
        #expect(end.labels == ["Places.here"] && end.line == line)
    }

    @Test func warnings() {
        watching { reader in
            let topic = Topic<Int>()
            let token = topic.listen { _ in }
            let empty = Observable<Int, Never>.empty().subscribe { _ in }
            let named = Topic<Int>("Warned.topic")
            named.events.subscribe(Slider(), with: Slider.move)
            named.publish(1)
            let other = Topic<Int>("Warned.other")
            named.events.redirect(to: other)
            other.events.redirect(to: named)
            let warnings = reader.lines.filter { $0.hasPrefix("(W)") }
            #expect(
                warnings == [
                    "(W) a topic without a label has a subscriber",
                    "(W) a subscription to a stream that is empty",
                    "(W) Slider 0x died before its first event",
                    "(W) a redirection that closes the circle Warned.other -> Warned.topic -> Warned.other was refused",
                ])
            token.cancel()
            #expect(empty.isFinished)
        }
    }

    @Test func contract9TwiceEnabledIsOneLineEachAndDisabledIsSilent() {
        let lines = Notes()
        let sink = InformSink { text in if text.contains("Once.label") { lines.add(text) } }
        let topic = Topic<Int>("Once.label")
        for _ in 0..<2 { bureau.enable(sink) }
        bureau.enable()
        topic.publish(1)
        spin(atMost: .seconds(20)) { !lines.all.isEmpty }
        #expect(lines.all.count == 1 && bureau.isEnabled)
        bureau.disable()
        bureau.disable()
        topic.publish(2)
        #expect(lines.all.count == 1 && !bureau.isEnabled)
        bureau.enable()
        topic.publish(3)
        spin(atMost: .seconds(20)) { lines.all.count > 1 }
        #expect(lines.all.count == 2, "a sink stays for the next time")
        bureau.disable(sink)
        topic.publish(4)
        bureau.disable()
        #expect(lines.all.count == 2)
    }

    @Test func contract9EightThreadsGiveEightThousandWholeRecords() async throws {
        let folder = try Folder()
        let path = folder.url.appending(path: "bureau.log").path
        let sink = try InformSink.file(path)
        bureau.enable(sink)
        let topics = (0..<8).map { Topic<String>("Threads.\($0)") }
        let text = String(repeating: "x", count: 100)
        await onThreads(8) { thread in for event in 0..<1_000 { topics[thread].publish("\(event) \(text)") } }
        bureau.disable(sink)
        bureau.disable()
        func written() throws -> [Substring] {
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter { $0.contains("Threads.") }
        }
        // Another test's thread may be writing the last of them.
        spin(atMost: .seconds(20)) { (try? written().count) == 8_000 }
        let lines = try written()
        #expect(lines.count == 8_000)
        for thread in 0..<8 {
            let own = lines.filter { $0.hasPrefix("(P) Threads.\(thread): String = ") }
            let events = own.compactMap { Int($0.split(separator: " ")[4]) }
            #expect(events == Array(0..<1_000))
            #expect(own.allSatisfy { $0.contains(" \(text) (WeirEventsTests/InformBureauTests.swift:") })
        }
    }

    @Test func aFileThatCannotBeOpenedIsAnErrorThatSaysWhatToDo() {
        #expect(throws: InformSinkError.self) { try InformSink.file("/nowhere/at/all.log") }
        do { _ = try InformSink.file("/nowhere/at/all.log") } catch {
            #expect("\(error)".contains("/nowhere/at/all.log") && "\(error)".contains("name a file"))
        }
    }

    @Test func whatAHandlerOfARecordDoesIsDeliveredAndNotReported() {
        watching { reader in
            let topic = Topic<Int>("Echo.topic")
            let heard = Notes()
            let token = topic.listen { heard.add("\($0)") }
            let echo = bureau.publications.subscribe { record in
                if record.label == "Echo.topic" { topic.publish(0) }
            }
            topic.publish(1)
            spin(atMost: .seconds(20)) { heard.all.count == 2 }
            echo.cancel()
            token.cancel()
            #expect(reader.lines.filter { $0.hasPrefix("(P)") } == ["(P) Echo.topic: Int = 1"])
            #expect(heard.all.sorted() == ["0", "1"])
            #expect(!reader.lines.contains { $0.contains("compactMap") }, "the bureau's own streams stay unreported")
        }
    }

    @Test func turnedOnLateItKnowsLabelsOwnersAndCounts() throws {
        let topic = Topic<Int>("Late.topic")
        let target = Topic<Int>("Late.target")
        let slider = Slider()
        topic.events.map { $0 }.subscribe(slider, with: Slider.move)
        topic.events.redirect(to: target)
        let tokens = (0..<2).map { _ in topic.listen { _ in } }
        bureau.enable()
        defer { bureau.disable() }
        topic.publish(1)
        let graph = bureau.graph
        let node = try #require(graph.topics.first { $0.name == "Late.topic" })
        #expect(node.kind == .topic(subscribers: 4) && node.events == 1 && node.types == "Int")
        let next = graph.edges.filter { $0.from == node.id }.map { graph.nodes[$0.to - 1].name }
        #expect(next.contains { $0.hasPrefix("Slider 0x") } && next.contains("2 listeners"))
        #expect(next.contains("Late.target") && graph.edges.contains { $0.from == node.id && $0.isRedirection })
        for token in tokens { token.cancel() }
    }

    @Test func theGraphForgetsWhatIsOver() throws {
        bureau.enable()
        defer { bureau.disable() }
        let topic = Topic<Int>("Over.topic")
        var owner: Slider? = Slider()
        if let owner { topic.events.map { $0 }.subscribe(owner, with: Slider.move) }
        var other: Topic<Int>? = Topic("Over.other")
        let token = other?.events.named("over").listen { _ in }
        let ended = Observable<Int, Never>([1]).named("over").subscribe { _ in }
        func names() -> [String] { bureau.graph.nodes.map(\.name).filter { $0.contains("ver") } }
        #expect(names().sorted() == ["Over.other", "Over.topic", "named \"over\""] && ended.isFinished)
        let found = try #require(bureau.graph.topics.first { $0.name == "Over.topic" })
        #expect(found.kind == .topic(subscribers: 1))
        owner = nil
        other = nil
        #expect(names() == ["Over.topic"])
        #expect(bureau.graph.topics.first { $0.name == "Over.topic" }?.kind == .topic(subscribers: 0))
        #expect(token?.isFinished == true)
    }

    @Test func anOperatorOfOnesOwnStandsInTheChain() {
        watching { reader in
            let topic = Topic<Int>("Own.topic")
            let source = topic.events
            let scaled = Observable<Double, Never> { down in
                source.attach(Observer(next: { down.next(Double($0) / 10) }, done: down.done))
            }.stage("scale", from: Int.self, to: Double.self)
            let token = scaled.listen { _ in }
            #expect(
                reader.lines.first == """
                    (S) Own.topic: Topic<Int>
                        --> scale Int -> Double
                        !-> listener (subscribe)
                    """)
            token.cancel()
        }
    }
}
