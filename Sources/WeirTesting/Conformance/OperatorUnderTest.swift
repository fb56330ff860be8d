/// What the conformance suite runs: an operator, a source or a subject, with what is true of it.
///
///     OperatorUnderTest("map", [.passesDemand]) { upstream, _ in upstream.map { $0 * 10 } }
///
/// The suite makes it anew for each check. Elements are looked at as text.
public struct OperatorUnderTest: Sendable, CustomStringConvertible {
    /// What is true of an operator beyond the rules for all; each trait turns on, off or softens a check.
    public struct Traits: OptionSet, Sendable {
        /// The bits.
        public let rawValue: Int
        /// A set of bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Upstream is asked for exactly what downstream asks for, call by call.
        public static let passesDemand = Traits(rawValue: 1 << 0)
        /// Which elements come out depends on how demand arrives, as in `combineLatest`.
        public static let dependsOnDemand = Traits(rawValue: 1 << 1)
        /// Which elements come out depends on when they come in, as in `debounce`.
        public static let dependsOnTime = Traits(rawValue: 1 << 2)
        /// Its signals come later, by virtual time; which ones does not depend on it, as in `delay`.
        public static let takesTime = Traits(rawValue: 1 << 9)
        /// However demand and time go, all elements come, in one order or another, as in `merge`.
        public static let keepsAll = Traits(rawValue: 1 << 10)
        /// However demand and time go, the last element is the same, as in `combineLatest` and `debounce`.
        public static let keepsLast = Traits(rawValue: 1 << 11)
        /// However demand and time go, the first element is the same.
        public static let keepsFirst = Traits(rawValue: 1 << 12)
        /// Its elements are some of upstream's, in upstream's order, as in `throttle`.
        public static let selects = Traits(rawValue: 1 << 13)
        /// It asks upstream for everything, whatever it is asked for, as in `buffer`.
        public static let fetchesAll = Traits(rawValue: 1 << 14)
        /// It never ends, whatever upstream does.
        public static let isEndless = Traits(rawValue: 1 << 3)
        /// A failure of upstream does not fail it, as in `catch`.
        public static let handlesFailure = Traits(rawValue: 1 << 4)
        /// A newcomer joins what is running, as in `share` and all subjects.
        public static let isShared = Traits(rawValue: 1 << 5)
        /// It attaches upstream more than once, or later anew.
        public static let attachesOften = Traits(rawValue: 1 << 6)
        /// Its signals come from tasks of the concurrency pool: the suite waits for them.
        public static let runsOnPool = Traits(rawValue: 1 << 7)
        /// It tells the suite of its teardown through `Setting.tornDown`.
        public static let hasTeardown = Traits(rawValue: 1 << 8)
    }

    /// What a factory may use.
    public struct Setting: Sendable {
        /// Virtual time, for operators with `on:`. The suite moves it.
        public let clock: VirtualClock
        /// To be called by an operator's or source's own teardown, once for each subscription.
        public let tornDown: @Sendable () -> Void
    }

    /// What feeds a hot source by hand.
    public struct Feed: Sendable {
        let send: @Sendable (Int) -> Void
        let end: @Sendable (Completion<TestFailure>) -> Void

        /// From the source's own two calls.
        public init(
            send: @escaping @Sendable (Int) -> Void, end: @escaping @Sendable (Completion<TestFailure>) -> Void
        ) {
            self.send = send
            self.end = end
        }
    }
    enum Factory: Sendable {
        case transformer(@Sendable (Observable<Int, TestFailure>, Setting) -> Observable<String, TestFailure>)
        case source(@Sendable (Setting) -> Observable<String, TestFailure>)
        case hot(@Sendable (Setting) -> (Observable<String, TestFailure>, Feed))
    }

    /// Its name in reports.
    public let name: String
    /// What is true of it.
    public let traits: Traits
    let factory: Factory

    /// An operator.
    ///
    /// - Parameter make: from the upstream that the suite controls. An upstream may be used several times; each use is a
    ///   subscription of its own.
    public init<Output: Sendable, Failure: Error>(
        _ name: String, _ traits: Traits = [],
        make: @escaping @Sendable (Observable<Int, TestFailure>, Setting) -> Observable<Output, Failure>
    ) {
        self.name = name
        self.traits = traits
        factory = .transformer { upstream, setting in asText(make(upstream, setting)) }
    }

    /// A source that starts by itself, as in `Observable.just(7)`.
    public static func source<Output: Sendable, Failure: Error>(
        _ name: String, _ traits: Traits = [], make: @escaping @Sendable (Setting) -> Observable<Output, Failure>
    ) -> OperatorUnderTest {
        OperatorUnderTest(name, traits, .source { asText(make($0)) })
    }

    /// A source that is fed by hand, as a subject is. Each call of `make` makes a new one.
    public static func hot<Output: Sendable, Failure: Error>(
        _ name: String, _ traits: Traits = [.isShared],
        make: @escaping @Sendable (Setting) -> (Observable<Output, Failure>, Feed)
    ) -> OperatorUnderTest {
        OperatorUnderTest(
            name, traits,
            .hot { setting in
                let (stream, feed) = make(setting)
                return (asText(stream), feed)
            })
    }

    private init(_ name: String, _ traits: Traits, _ factory: Factory) {
        self.name = name
        self.traits = traits
        self.factory = factory
    }

    package var isTransformer: Bool { if case .transformer = factory { true } else { false } }
    var isHot: Bool { if case .hot = factory { true } else { false } }
    /// Can the suite feed it by hand?
    var isFed: Bool { if case .source = factory { false } else { true } }
    /// Two runs with the same input give the same elements, however demand and time go.
    var isExact: Bool { traits.isDisjoint(with: [.dependsOnDemand, .dependsOnTime]) }

    /// Two runs with the same input give as many elements, however demand and time go.
    var isComplete: Bool { isExact || traits.contains(.keepsAll) }
    /// Two runs with the same input have something in common, however demand and time go.
    var isComparable: Bool { isExact || !traits.isDisjoint(with: [.keepsAll, .keepsLast, .keepsFirst]) }
    /// Do the elements of two runs with the same input have in common what they must?
    func agree(_ one: [String], _ other: [String]) -> Bool {
        if isExact { return one == other }
        if traits.contains(.keepsAll) && one.sorted() != other.sorted() { return false }
        if traits.contains(.keepsLast) && one.last != other.last { return false }
        return !traits.contains(.keepsFirst) || one.first == other.first
    }

    /// The ends of upstream that end it at once.
    var ends: [Completion<TestFailure>] {
        traits.contains(.handlesFailure) ? [.finished] : [.finished, .failed(TestFailure())]
    }

    /// The name.
    public var description: String { name }
}

/// The stream with its elements as text, without a stage that could hide a fault: nothing is held but by upstream.
private func asText<Output, Failure>(_ stream: Observable<Output, Failure>) -> Observable<String, TestFailure> {
    Observable(after: stream.depth) { down in
        stream.attach(
            Observer(
                next: { down.next("\($0)") },
                done: { completion in
                    switch completion {
                    case .finished: down.done(.finished)
                    case .failed(let error): down.done(.failed(error as? TestFailure ?? TestFailure("\(error)")))
                    }
                }))
    }
}
