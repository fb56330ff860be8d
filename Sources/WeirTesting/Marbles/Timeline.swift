/// An input of `play`: a diagram, and whether it is cold or hot. A literal is cold.
///
/// A cold input plays anew for each subscription, from the instant of that subscription. A hot one plays once, from the
/// start, to whoever has subscribed by then; after its end a newcomer gets the end.
public struct Timeline: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    let text: String
    let isHot: Bool

    /// A cold input.
    public init(stringLiteral text: String) {
        self.text = text
        isHot = false
    }
    private init(_ text: String, isHot: Bool) {
        self.text = text
        self.isHot = isHot
    }
    /// A cold input, as a literal is.
    public static func cold(_ text: String) -> Timeline { Timeline(text, isHot: false) }
    /// A hot input.
    public static func hot(_ text: String) -> Timeline { Timeline(text, isHot: true) }

    /// The diagram.
    public var description: String { isHot ? "hot \(text)" : text }
}

/// An input while it plays.
final class PlayedInput<Element: Sendable>: Sendable {
    private let clock: VirtualClock
    private let marks: [(frame: Int, signal: Signal)]
    private let source: TestSource<Element, TestFailure>
    private let isHot: Bool
    private let spans = Guarded<[(from: Int, to: Int?)]>([])
    let length: Int

    enum Signal: Sendable {
        case next(Element)
        case end(Completion<TestFailure>)
    }

    /// - Parameter value: the element that a text stands for; nil where it stands for none.
    init(
        _ timeline: Timeline, _ clock: VirtualClock, _ value: (String) -> Element?
    ) throws(MarbleError) {
        let marble = try Marble(timeline.text)
        var marks: [(frame: Int, signal: Signal)] = []
        for mark in marble.marks {
            switch mark.event {
            case .finished: marks.append((mark.frame, .end(.finished)))
            case .failed: marks.append((mark.frame, .end(.failed(TestFailure()))))
            case .next(let text):
                guard let element = value(text) else {
                    throw MarbleError(
                        text: timeline.text, problem: "no value is given for the element \(text)", position: mark.frame)
                }
                marks.append((mark.frame, .next(element)))
            }
        }
        self.marks = marks
        self.clock = clock
        isHot = timeline.isHot
        length = marble.length
        source = TestSource()
    }

    /// Starts a hot input.
    func start() {
        guard isHot else { return }
        for mark in marks {
            clock.schedule(at: .frame(mark.frame)) { [source] in
                switch mark.signal {
                case .next(let element): source.send(element)
                case .end(let completion): source.send(completion: completion)
                }
            }
        }
    }
    var observable: Observable<Element, TestFailure> {
        let stream = source.observable
        return Observable { [self] down in
            // The span that this subscription is drawn as; nil before the first request.
            let span = Guarded<Int?>(nil)
            let link = stream.attach(
                Observer(
                    next: down.next,
                    done: { completion in
                        self.close(span)
                        down.done(completion)
                    }))
            // The link just made, for a cold input.
            let own = source.links.last
            return Subscription(
                request: { demand in
                    if self.open(span), !self.isHot { self.playCold(own) }
                    link.request(demand)
                },
                cancel: {
                    self.close(span)
                    link.cancel()
                })
        }
    }
    private func playCold(_ link: TestLink<Element, TestFailure>?) {
        let start = clock.now
        for mark in marks {
            clock.schedule(at: start.advanced(by: .frames(mark.frame))) {
                switch mark.signal {
                case .next(let element): link?.send(element)
                case .end(let completion): link?.send(completion: completion)
                }
            }
        }
    }
    /// The first request begins the span. Answers whether this was it.
    private func open(_ span: Guarded<Int?>) -> Bool {
        span.withLock { span in
            if span != nil { return false }
            span = spans.withLock { spans in
                spans.append((clock.now.frame, nil))
                return spans.count - 1
            }
            return true
        }
    }
    private func close(_ span: Guarded<Int?>) {
        guard let index = span.withLock({ $0 }) else { return }
        spans.withLock { spans in
            if spans[index].to == nil { spans[index].to = clock.now.frame }
        }
    }
    /// The subscriptions, each as its diagram.
    var subscriptions: [String] {
        spans.withLock { $0 }.map { SubscriptionMarble(subscribed: $0.from, over: $0.to).description }
    }
}
