// Topics: what an event costs beside the same delivery by a bare subject, and what the bureau adds.

import WeirEvents

let eventsTopics =
    [1, 10, 100].flatMap { [listeners($0), closures($0), methods($0), signedClosures($0), signedMethods($0)] }
    + [
        bureau("on, nobody reads", sink: nil),
        bureau("on, a sink reads", sink: InformSink { Total.value &+= $0.utf8.count }),
    ]

private final class Owner: Sendable {
    func hear(_ event: Int) { Total.value &+= 1 }
    func hearSigned(_ event: Signed<Int>) { Total.value &+= 1 }
}

/// What the core's fan-out to as many costs at most.
private func fanOut(_ count: Int) -> Bar { count == 1 ? .fanOut1 : count == 10 ? .fanOut10 : .fanOut100 }

/// A row that publishes to `count` subscribers, with as many deliveries in all for each count.
private func publishing<Kept>(
    _ count: Int, _ what: String, bar: Bar?, _ prepare: @escaping @Sendable () -> (Kept, (Int) -> Void)
) -> Row {
    Row("topic to \(count), \(what)", per: "delivery", units: million, bar: bar, expected: million) {
        let (kept, publish) = prepare()
        return {
            Total.value = 0
            publish(million / count)
            return withExtendedLifetime(kept) { Total.value }
        }
    }
}

/// The bureau is off: a publication may not cost more than a subject's send.
private func listeners(_ count: Int) -> Row {
    publishing(count, "listeners", bar: fanOut(count)) {
        let topic = Topic<Int>("Bench.topic")
        let tokens = (0..<count).map { _ in topic.listen { _ in Total.value &+= 1 } }
        return (tokens, { for value in 0..<$0 { topic.publish(value) } })
    }
}
private func closures(_ count: Int) -> Row {
    publishing(count, "weak owners, closure", bar: fanOut(count).plus(25)) {
        let topic = Topic<Int>("Bench.topic")
        let owners = (0..<count).map { _ in Owner() }
        for owner in owners { topic.events.subscribe(owner) { owner, event in owner.hear(event) } }
        return (owners, { for value in 0..<$0 { topic.publish(value) } })
    }
}
private func methods(_ count: Int) -> Row {
    publishing(count, "weak owners, method", bar: fanOut(count).plus(60)) {
        let topic = Topic<Int>("Bench.topic")
        let owners = (0..<count).map { _ in Owner() }
        for owner in owners { topic.events.subscribe(owner, with: Owner.hear) }
        return (owners, { for value in 0..<$0 { topic.publish(value) } })
    }
}
private func signedClosures(_ count: Int) -> Row {
    publishing(count, "weak owners, closure, signed", bar: fanOut(count).plus(25)) {
        let topic = SignedTopic<Int>("Bench.topic")
        let owners = (0..<count).map { _ in Owner() }
        let signature = Signature()
        for owner in owners { topic.events.subscribe(owner) { owner, event in owner.hearSigned(event) } }
        return (owners, { for value in 0..<$0 { topic.publish(value, signedBy: signature) } })
    }
}
private func signedMethods(_ count: Int) -> Row {
    publishing(count, "weak owners, method, signed", bar: fanOut(count).plus(60)) {
        let topic = SignedTopic<Int>("Bench.topic")
        let owners = (0..<count).map { _ in Owner() }
        let signature = Signature()
        for owner in owners { topic.events.subscribe(owner, with: Owner.hearSigned) }
        return (owners, { for value in 0..<$0 { topic.publish(value, signedBy: signature) } })
    }
}

/// A publication to nobody while the bureau is on.
private func bureau(_ what: String, sink: InformSink?) -> Row {
    Row("publication, bureau \(what)", per: "publication", units: hundredThousand, bar: .bureauOn) {
        let topic = Topic<Int>("Bench.topic")
        return {
            if let sink { InformBureau.shared.enable(sink) } else { InformBureau.shared.enable() }
            for value in 0..<hundredThousand { topic.publish(value) }
            if let sink { InformBureau.shared.disable(sink) }
            InformBureau.shared.disable()
            return 0
        }
    }
}
