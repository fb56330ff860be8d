/// A presenter without a UI framework: it holds the tree of stacks and modals, and says each change of it.
///
///     let screens = NavigationStack<Page>()
///     screens.setRoot(Page("Home"))
///     router.map("app://photo/:id", screen: .provided { Page($0.route) }, style: .push(animated: true), presenter: screens)
///     screens.tree.observable.subscribe { print($0) }
///
/// A terminal draws it, and a test compares it. Its transitions take no time.
@MainActor
public final class NavigationStack<Screen: AnyObject & Sendable>: Presenter, CustomStringConvertible {
    /// What is shown now, and each later state of it.
    public nonisolated var tree: Observable<NavigationTree<Screen>, Never> { state.observable }
    private let state: BehaviorSubject<NavigationTree<Screen>, Never>
    private let named: @MainActor (_ name: String, _ bundle: String?) -> Screen?

    /// A presenter without a root.
    ///
    /// - Parameter named: makes the screens of `ScreenSource.named`; nil for a name that it does not know.
    public init(named: @escaping @MainActor (_ name: String, _ bundle: String?) -> Screen? = { _, _ in nil }) {
        self.named = named
        state = BehaviorSubject(NavigationTree(layers: []))
    }

    /// The tree as it stands.
    public var current: NavigationTree<Screen> { state.value }

    /// Puts a screen in place of everything else.
    ///
    /// - Parameter isStack: others can be pushed onto it.
    public func setRoot(_ screen: Screen, isStack: Bool = true) {
        state.send(NavigationTree(layers: [.init(screens: [screen], isStack: isStack)]))
    }

    /// The tree in words, a line for each layer.
    public nonisolated var description: String { "\(state.value)" }

    // MARK: Presenter

    /// The last screen of the top layer.
    public var topmost: Screen? { current.layers.last?.screens.last }

    /// The screen that `init` makes of this name.
    public func screen(named name: String, bundle: String?) throws -> Screen {
        guard let screen = named(name, bundle) else { throw PresentationError.unknownScreen(name, bundle: bundle) }
        return screen
    }

    /// Puts a layer on top. It fails without a root, and where the screen stands somewhere already.
    public func present(_ screen: Screen, in frame: ScreenFrame, animated: Bool) async throws {
        try change { layers in
            try Self.check(screen, isNewIn: layers)
            layers.append(.init(screens: [screen], isStack: frame == .navigation))
        }
    }

    /// Puts a screen on top of the top layer. It fails where that is no stack.
    public func push(_ screen: Screen, animated: Bool) async throws {
        try change { layers in
            try Self.check(screen, isNewIn: layers)
            try Self.onStack(&layers) { $0.append(screen) }
        }
    }

    /// Pushes onto the top layer where that is a stack, else puts a layer on top.
    public func show(_ screen: Screen, in frame: ScreenFrame) async throws {
        if frame == .none, current.layers.last?.isStack == true { return try await push(screen, animated: true) }
        try await present(screen, in: frame, animated: true)
    }

    /// Puts a layer on top: there is no place beside.
    public func showDetail(_ screen: Screen, in frame: ScreenFrame) async throws {
        try await present(screen, in: frame, animated: true)
    }

    /// The tree takes the screen in as a modal when the transition says that it is over.
    public func custom(
        _ screen: Screen, in frame: ScreenFrame, _ transition: PresentationStyle<Screen>.Transition
    ) async throws {
        guard let topmost else { throw PresentationError.noRoot }
        try await finished { transition(topmost, screen, $0) }
        try await present(screen, in: frame, animated: false)
    }

    /// Takes the top layer away. It fails where that is the root's.
    public func dismiss(animated: Bool) async throws {
        try change { layers in
            guard layers.count > 1 else { throw PresentationError.nothingToDismiss }
            layers.removeLast()
        }
    }

    /// Takes the last screen off the top layer.
    public func pop(animated: Bool) async throws {
        try change { layers in
            try Self.onStack(&layers) { screens in
                guard screens.count > 1 else { throw PresentationError.nothingToPop }
                screens.removeLast()
            }
        }
    }

    /// Takes all screens above this one off the top layer.
    public func pop(to screen: Screen, animated: Bool) async throws {
        try change { layers in
            try Self.onStack(&layers) { screens in
                guard let index = screens.firstIndex(where: { $0 === screen }) else {
                    throw PresentationError.notInStack("\(screen)")
                }
                screens.removeSubrange((index + 1)...)
            }
        }
    }

    /// Takes all screens but the first off the top layer.
    public func popToRoot(animated: Bool) async throws {
        try change { layers in try Self.onStack(&layers) { $0.removeSubrange(1...) } }
    }

    // MARK: The tree

    private typealias Layer = NavigationTree<Screen>.Layer

    /// Changes the tree as a whole, or not at all.
    private func change(_ body: (inout [Layer]) throws -> Void) throws {
        var layers = current.layers
        guard !layers.isEmpty else { throw PresentationError.noRoot }
        try body(&layers)
        state.send(NavigationTree(layers: layers))
    }

    private static func onStack(_ layers: inout [Layer], _ body: (inout [Screen]) throws -> Void) throws {
        let top = layers.count - 1
        guard layers[top].isStack else { throw PresentationError.noStack }
        try body(&layers[top].screens)
    }

    private static func check(_ screen: Screen, isNewIn layers: [Layer]) throws {
        if layers.contains(where: { $0.screens.contains { $0 === screen } }) {
            throw PresentationError.alreadyPresented("\(screen)")
        }
    }
}

/// What a presenter shows: the root's layer, and a layer for each modal above it.
public struct NavigationTree<Screen: AnyObject & Sendable>: Sendable {
    /// The root, or a modal.
    public struct Layer: Sendable {
        /// From the first to the one that is seen; never empty.
        public fileprivate(set) var screens: [Screen]
        /// Others can be pushed onto it.
        public let isStack: Bool
    }

    /// From the root up; empty without a root.
    public fileprivate(set) var layers: [Layer]
}

extension NavigationTree: CustomStringConvertible {
    /// A line for each layer, as in `Home > Album > Photo`; modals are further to the right.
    public var description: String {
        layers.enumerated().map { index, layer in
            String(repeating: "  ", count: index) + layer.screens.map { "\($0)" }.joined(separator: " > ")
        }.joined(separator: "\n")
    }
}

extension NavigationTree: Equatable {
    /// The same screens in the same places.
    public static func == (left: NavigationTree, right: NavigationTree) -> Bool {
        left.layers.elementsEqual(right.layers) { first, second in
            first.isStack == second.isStack && first.screens.elementsEqual(second.screens) { $0 === $1 }
        }
    }
}
