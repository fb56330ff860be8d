import Synchronization

/// The hook through which a running chain shows itself: which operators, where they were written, what they carried.
///
/// Off, it costs one relaxed load for each stage and subscription, and nothing for an element. On, each stage that is
/// attached from then on reports itself and counts its elements. A chain that was attached earlier stays unseen.
public enum Trace {
    @usableFromInline static let on = Atomic<Bool>(false)
    static let recorder = Lock<(any TraceRecorder)?>(nil)

    /// Is a recorder listening?
    @inlinable public static var isOn: Bool { on.load(ordering: .relaxed) }

    /// Reports every chain attached from now on to `recorder`, in place of the one before.
    public static func start(_ new: any TraceRecorder) {
        let old = recorder.withLock { current in
            let old = current
            current = new
            return old
        }
        on.store(true, ordering: .relaxed)
        _ = old
    }

    /// Stops reporting. Stages that are attached already go on counting.
    public static func stop() {
        on.store(false, ordering: .relaxed)
        let old = recorder.withLock { current in
            let old = current
            current = nil
            return old
        }
        _ = old
    }

    /// Attaches one stage under the scope of whoever is being attached below it.
    @usableFromInline @inline(never)
    static func attach<Element: Sendable, Failure: Error>(
        _ stage: Stage, named label: String? = nil, _ down: Observer<Element, Failure>,
        _ attach: (Observer<Element, Failure>) -> Subscription
    ) -> Subscription {
        let scope = Scope.current
        guard let parent = scope.node else { return attach(down) }
        let node = TraceNode(stage, label)
        parent.add(node)
        return Scope(node: node, nesting: scope.nesting).run {
            attach(
                Observer(
                    next: { element in
                        node.tally.add()
                        return down.next(element)
                    }, done: down.done))
        }
    }

    /// Attaches a whole chain: the subscriber is the root of what is reported.
    @usableFromInline @inline(never)
    static func subscribe(_ stage: Stage, _ attach: () -> Subscription) -> Subscription {
        let root = TraceNode(stage)
        let subscription = Scope(node: root, nesting: 0).run(attach)
        recorder.withLock { $0 }?.attached(root)
        return subscription
    }

    /// Whose upstreams are being attached on this thread, and how deep in streams that were made while their chain ran. An
    /// operator that attaches later keeps the scope of its own attach and runs the later one in it.
    @usableFromInline struct Scope: Sendable {
        @usableFromInline let node: TraceNode?
        /// Stages since the last segment, over all the streams around this one (`Segment.swift`).
        @usableFromInline let nesting: Int

        private final class Holder {
            @exclusivity(unchecked) var node: TraceNode?
            @exclusivity(unchecked) var nesting = 0
        }
        private static let slot = ThreadSlot { Holder() }

        @inlinable init(node: TraceNode?, nesting: Int) {
            self.node = node
            self.nesting = nesting
        }
        @usableFromInline static var current: Scope {
            let holder = slot.current
            return Scope(node: holder.node, nesting: holder.nesting)
        }

        @inlinable func run<Answer>(_ body: () -> Answer) -> Answer {
            node == nil && nesting == 0 ? body() : enter(body)
        }

        @usableFromInline func enter<Answer>(_ body: () -> Answer) -> Answer {
            let holder = Self.slot.current
            let outer = (holder.node, holder.nesting)
            holder.node = node
            holder.nesting = nesting
            defer { (holder.node, holder.nesting) = outer }
            return body()
        }
    }
}

/// What a stage says of itself: its operator, what goes in and comes out, and where it was written.
public struct Stage: Sendable, CustomStringConvertible {
    /// The operator's name, as in `debounce`.
    public let name: StaticString
    /// What comes in; nil for a source.
    public let input: Any.Type?
    /// What goes out.
    public let output: Any.Type
    /// Module and file of the call; empty for a property such as `values`, which cannot know who reads it.
    public let file: StaticString
    /// The line of the call; 0 where there is no file.
    public let line: UInt

    @inlinable init(
        _ name: StaticString, _ input: Any.Type? = nil, _ output: Any.Type, _ file: StaticString, _ line: UInt
    ) {
        self.name = name
        self.input = input
        self.output = output
        self.file = file
        self.line = line
    }
    /// A property has no default arguments, so it says no place: one in this library would mislead.
    @inlinable init(property name: StaticString, _ element: Any.Type) { self.init(name, element, element, "", 0) }

    /// As in `map Int -> String (App/Main.swift:12)`.
    public var description: String { text(nil) }

    /// With a name that the user gave, as in `named "temperature" Double -> Double (App/Main.swift:12)`.
    func text(_ label: String?) -> String {
        let types = input.map { "\($0) -> \(output)" } ?? "\(output)"
        let place = line == 0 ? "" : " (\(file):\(line))"
        return "\(name)\(label.map { " \"\($0)\"" } ?? "") \(types)\(place)"
    }
}

/// One stage of a chain that was attached while a recorder listened. Its count goes on as elements pass.
public final class TraceNode: Sendable, CustomStringConvertible {
    /// What the stage says of itself.
    public let stage: Stage
    /// The name that `named` gave this place in the chain; nil at every other stage.
    public let label: String?
    let tally = Tally()
    private let above = Lock<[TraceNode]>([])

    init(_ stage: Stage, _ label: String? = nil) {
        self.stage = stage
        self.label = label
    }

    /// Elements that have left the stage so far.
    public var elements: Int { tally.value }
    /// The stages it draws from, in the order in which they were attached; a joining operator attaches late.
    public var upstreams: [TraceNode] { above.withLock { $0 } }

    func add(_ node: TraceNode) { above.withLock { $0.append(node) } }

    /// The chain from this stage up, a line a stage, indented.
    public var description: String { lines(0).joined(separator: "\n") }

    private func lines(_ level: Int) -> [String] {
        let own = String(repeating: "   ", count: level) + "\(stage.text(label)): \(elements)"
        return [own] + upstreams.flatMap { $0.lines(level + 1) }
    }
}

/// Receives each chain that is attached while it listens.
public protocol TraceRecorder: Sendable {
    /// A subscriber was attached. `root` is the subscriber; its upstreams are the chain. Called on the thread that
    /// subscribes, before the first request, so counts are still zero.
    func attached(_ root: TraceNode)
}
