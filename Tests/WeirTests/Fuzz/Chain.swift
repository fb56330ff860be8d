/// A chain of operators as a value: what the fuzz builds, what its model interprets, and what it prints.
///
/// Elements are integers. Times are nanoseconds of virtual time from the moment of the subscription, drawn so finely that
/// two of them are never equal by chance.
struct Chain: Sendable {
    var source: ChainSource
    var stages: [ChainStage] = []
}

enum ChainSource: Sendable {
    case sequence([Int])
    /// By hand; it may end with a failure.
    case created([Int], fails: Bool)
    case just(Int)
    case empty
    case never
    case fail
    case publish(ChainFeed)
    case behavior(Int, ChainFeed)
    /// The stream of a `flatMap`: that many numbers from its element on.
    case element(Int)
}

/// What is sent into a subject, and when.
struct ChainFeed: Sendable {
    var sends: [ChainEvent] = []
    var end: ChainEnd?
}
struct ChainEvent: Sendable, Equatable {
    var time: Int
    var value: Int
}
struct ChainEnd: Sendable, Equatable {
    var time: Int
    /// nil: finished.
    var failure: String?
}

indirect enum ChainStage: Sendable {
    case map(Int)
    case mapThrowing(Int)
    case filter(Int)
    case filterThrowing(Int)
    case compactMap(Int)
    case scan
    case decode(Int)
    case removeDuplicates
    case prefix(Int)
    case prefixWhile(Int)
    case dropFirst(Int)
    case flatMap(Int?, Chain)
    case flatMapLatest(Chain)
    case merge(Chain)
    case concat(Chain)
    case combineLatest(Chain)
    case zip(Chain)
    /// One subscriber.
    case share(Int)
    /// Merged with itself: two subscribers.
    case shareInTwo(Int)
    case debounce(Int, flushes: Bool)
    case delay(Int)
    case throttle(Int, latest: Bool)
    case buffer
    case debug
    case named
    case `repeat`(Int)
    case receive(lag: Int, prefetch: Int)
    case `catch`(Chain)
    case replaceError(Int)
    case mapError
    case setFailureType
}

// What the closures of stages do; builder and model use the same.
enum ChainRule {
    /// What makes a closure throw.
    static func throwing(_ rest: Int, _ value: Int) -> Bool { value % 7 == rest }
    /// What ends a `prefix(while:)`.
    static func ending(_ rest: Int, _ value: Int) -> Bool { value % 11 == rest }
    static func accumulate(_ sum: Int, _ value: Int) -> Int { (sum &* 31 &+ value) % 1_000 }
    static func pair(_ a: Int, _ b: Int) -> Int { (a &* 17 &+ b) % 1_000 }
    static func areEqual(_ a: Int, _ b: Int) -> Bool { a / 2 == b / 2 }
    /// The second half of `shareInTwo`.
    static func other(_ value: Int) -> Int { value &+ 100 }
}

extension ChainSource {
    /// The file of the operator.
    var name: String {
        switch self {
        case .sequence: "Sequence"
        case .created: "Create"
        case .just: "Just"
        case .element(let count): count == 1 ? "Just" : "Sequence"
        case .empty: "Empty"
        case .never: "Never"
        case .fail: "Fail"
        case .publish: "PublishSubject"
        case .behavior: "BehaviorSubject"
        }
    }
    var canFail: Bool {
        switch self {
        case .fail: true
        case .created(_, let fails): fails
        case .publish(let feed), .behavior(_, let feed): feed.end?.failure != nil
        default: false
        }
    }
    var isHot: Bool {
        switch self {
        case .publish, .behavior: true
        default: false
        }
    }
}

extension ChainStage {
    /// The file of the operator.
    var name: String {
        switch self {
        case .map, .mapThrowing: "Map"
        case .filter, .filterThrowing: "Filter"
        case .compactMap: "CompactMap"
        case .scan: "Scan"
        case .decode: "Decode"
        case .removeDuplicates: "RemoveDuplicates"
        case .prefix: "Prefix"
        case .prefixWhile: "PrefixWhile"
        case .dropFirst: "DropFirst"
        case .flatMap: "FlatMap"
        case .flatMapLatest: "FlatMapLatest"
        case .merge: "Merge"
        case .concat: "Concat"
        case .combineLatest: "CombineLatest"
        case .zip: "Zip"
        case .share, .shareInTwo: "Share"
        case .debounce: "Debounce"
        case .delay: "Delay"
        case .throttle: "Throttle"
        case .buffer: "Buffer"
        case .debug: "Debug"
        case .named: "Named"
        case .repeat: "Repeat"
        case .receive: "ReceiveOn"
        case .catch: "Catch"
        case .replaceError: "ReplaceError"
        case .mapError: "MapError"
        case .setFailureType: "SetFailureType"
        }
    }
    /// The other chain of a stage that has one.
    var side: Chain? {
        get {
            switch self {
            case .flatMap(_, let chain), .flatMapLatest(let chain), .merge(let chain), .concat(let chain),
                .combineLatest(let chain), .zip(let chain), .catch(let chain):
                chain
            default: nil
            }
        }
        set {
            guard let chain = newValue else { return }
            switch self {
            case .flatMap(let count, _): self = .flatMap(count, chain)
            case .flatMapLatest: self = .flatMapLatest(chain)
            case .merge: self = .merge(chain)
            case .concat: self = .concat(chain)
            case .combineLatest: self = .combineLatest(chain)
            case .zip: self = .zip(chain)
            case .catch: self = .catch(chain)
            default: break
            }
        }
    }
    /// Whether a stream that could fail, or could not, can fail behind this stage.
    func canFail(_ before: Bool) -> Bool {
        switch self {
        case .mapThrowing, .filterThrowing, .decode, .mapError, .setFailureType: true
        case .replaceError: false
        case .catch(let chain): chain.canFail
        case .flatMap(_, let chain), .flatMapLatest(let chain), .merge(let chain), .concat(let chain),
            .combineLatest(let chain), .zip(let chain):
            before || chain.canFail
        default: before
        }
    }
    var takesTime: Bool {
        switch self {
        case .debounce, .delay, .throttle, .receive: true
        default: side?.takesTime ?? false
        }
    }
}

extension Chain {
    /// The type of its stream: a failure, or `Never`.
    var canFail: Bool { stages.reduce(source.canFail) { $1.canFail($0) } }
    /// Depends on when it is subscribed to.
    var isHot: Bool { source.isHot || stages.contains { $0.side?.isHot ?? false } }
    var takesTime: Bool { source.isHot || stages.contains { $0.takesTime } }
    /// The files of all its operators, each as often as it appears.
    var names: [String] { [source.name] + stages.flatMap { [$0.name] + ($0.side?.names ?? []) } }

    /// Chains with a little less in them, for finding the smallest that fails.
    var smaller: [Chain] {
        var all: [Chain] = []
        for index in stages.indices {
            var less = self
            less.stages.remove(at: index)
            all.append(less)
            guard let side = stages[index].side else { continue }
            for smallerSide in side.smaller {
                less = self
                less.stages[index].side = smallerSide
                all.append(less)
            }
        }
        return all + source.smaller.map { Chain(source: $0, stages: stages) }
    }
}

extension ChainSource {
    fileprivate var smaller: [ChainSource] {
        switch self {
        case .sequence(let values) where !values.isEmpty:
            [.sequence(Array(values.dropLast())), .sequence(Array(values.dropFirst()))]
        case .created(let values, false): [.sequence(values)]
        case .created(let values, true): [.fail, .created(Array(values.dropLast()), fails: true)]
        case .publish(let feed): feed.smaller.map(ChainSource.publish)
        case .behavior(let value, let feed): feed.smaller.map { .behavior(value, $0) } + [.publish(feed)]
        case .element(let count) where count > 1: [.element(count - 1)]
        default: []
        }
    }
}

extension ChainFeed {
    fileprivate var smaller: [ChainFeed] {
        var all = sends.indices.map { index in
            var less = self
            less.sends.remove(at: index)
            return less
        }
        if end != nil { all.append(ChainFeed(sends: sends)) }
        return all
    }
}
