import Observation
import Testing
import Weir
import WeirTestSupport
import WeirTesting

@MainActor private final class Album {
    @Observed var photos: [String] = []
    @Observed var count = 0
}

/// Not `Sendable`, and of no actor.
private final class Plain {
    @Observed var number: Int
    init(_ number: Int) { self.number = number }
}

private final class Shared: Sendable {
    let number = Observed(wrappedValue: 0)
}

@Observation.Observable @MainActor private final class Both {
    var title = "a"
    @ObservationIgnored @Observed var number = 1
}

@Suite(.ownThread) struct ObservedTests {
    @Test @MainActor func startsWithTheCurrentValueThenSaysEachOneThatIsSet() {
        let album = Album()
        album.photos = ["a"]
        let probe = Probe(album.$photos, .unbounded)
        album.photos.append("b")
        album.photos = []
        #expect(probe.elements == [["a"], ["a", "b"], []] && probe.end == nil && probe.faults == ProbeFaults())
        #expect(
            "\(album.$count)" == "Observed<Int>.Projection(0)" && "\(Observed(wrappedValue: 3))" == "Observed<Int>(3)")
    }

    @Test func publishesAfterTheSet() {
        let shared = Shared()
        let probe = Probe(
            shared.number.projectedValue, .unbounded,
            onNext: { [unowned shared] _, number in #expect(shared.number.wrappedValue == number) })
        for number in 1...3 { shared.number.wrappedValue = number }
        #expect(probe.text == "0 1 2 3")
    }

    @Test func aHandlerMaySetAndReadTheProperty() {
        let shared = Shared()
        let first = Probe(
            shared.number.projectedValue, .unbounded,
            onNext: { [unowned shared] _, number in
                if number.isMultiple(of: 2) && number > 0 { shared.number.wrappedValue += 1 }
            })
        let second = Probe(shared.number.projectedValue, .unbounded)
        shared.number.wrappedValue = 2
        shared.number.wrappedValue = 4
        #expect(first.text == "0 2 3 4 5" && second.text == "0 2 3 4 5" && shared.number.wrappedValue == 5)
    }

    @Test func whenTheObjectGoesItsStreamsEndWithoutACompletion() async {
        var plain: Plain? = Plain(7)
        let projection = plain!.$number
        let probe = Probe(projection, .unbounded)
        let bag = SubscriptionBag()
        projection.subscribe { _ in }.store(in: bag)
        var iterator = projection.observable.values.makeAsyncIterator()
        #expect(bag.count == 1)
        plain = nil
        #expect(probe.text == "7" && probe.isReleased && bag.count == 0)
        #expect(await iterator.next() == 7)
        #expect(await iterator.next() == nil)
        #expect("\(projection)" == "Observed<Int>.Projection(gone)")
        #expect(Probe(projection, .unbounded).text == "")
    }

    @Test @MainActor func swiftObservationSeesReadsAndChanges() {
        let album = Album()
        let log = Log()
        func track() {
            withObservationTracking {
                _ = album.count
            } onChange: {
                log.add("changed")
            }
        }
        track()
        album.photos = ["x"]
        #expect(log.all == [])
        album.count = 1
        #expect(log.all == ["changed"])
        album.count = 2
        #expect(log.all == ["changed"])
        track()
        album.count = 2
        #expect(log.all == ["changed", "changed"])
    }

    @Test @MainActor func standsBesideTheMacro() {
        let both = Both()
        let log = Log()
        withObservationTracking {
            _ = (both.title, both.number)
        } onChange: {
            log.add("changed")
        }
        both.number = 2
        #expect(log.all == ["changed"] && Probe(both.$number, .unbounded).text == "2")
        withObservationTracking {
            _ = (both.title, both.number)
        } onChange: {
            log.add("again")
        }
        both.title = "b"
        #expect(log.all == ["changed", "again"])
    }

    @Test func aDescriptionIsNoRead() {
        let observed = Observed(wrappedValue: 1)
        let log = Log()
        withObservationTracking {
            _ = ("\(observed)", "\(observed.projectedValue)")
        } onChange: {
            log.add("changed")
        }
        observed.wrappedValue = 2
        #expect(log.all == [])
    }

    @Test func everyValueOfTwoThreadsIsPublishedAndTheLastOneStays() {
        race("two threads set one property", rounds: 5) { meet in
            let shared = Shared()
            let probe = Probe(shared.number.projectedValue, .unbounded)
            let bodies = (0..<2).map { thread -> @Sendable () -> Void in
                { for step in 1...2_000 { meet { shared.number.wrappedValue = thread * 10_000 + step } } }
            }
            return (
                bodies,
                {
                    #expect(probe.elements.count == 4_001 && probe.faults == ProbeFaults())
                    #expect(probe.elements.last == shared.number.wrappedValue)
                }
            )
        }
    }
}
