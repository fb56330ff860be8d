/// What shows screens: a window of a UI framework, a terminal, or a `NavigationStack` in a test.
///
/// It knows one root, stacks of screens, and modal screens above them. Each call returns when its transition is over, and
/// throws a `PresentationError` where there is nothing to present on; nothing ends silently.
@MainActor
public protocol Presenter<Screen>: AnyObject, Sendable {
    /// What it shows, such as a view controller.
    associatedtype Screen: AnyObject & Sendable

    /// The screen that is seen: the last one of the stack or modal on top. Nil without a root.
    var topmost: Screen? { get }

    /// Makes the screen of `ScreenSource.named`.
    ///
    /// - Parameters:
    ///   - name: as in a storyboard's name.
    ///   - bundle: where it is to be found; nil for the application itself.
    /// - Throws: `PresentationError.unknownScreen`.
    func screen(named name: String, bundle: String?) throws -> Screen

    /// Presents a screen above everything else.
    func present(_ screen: Screen, in frame: ScreenFrame, animated: Bool) async throws
    /// Pushes a screen onto the topmost stack.
    func push(_ screen: Screen, animated: Bool) async throws
    /// Pushes a screen onto the topmost stack, or presents it where there is none.
    func show(_ screen: Screen, in frame: ScreenFrame) async throws
    /// Shows a screen beside the topmost one, or presents it where there is no such place.
    func showDetail(_ screen: Screen, in frame: ScreenFrame) async throws
    /// Lets `transition` present a screen on the topmost one.
    func custom(
        _ screen: Screen, in frame: ScreenFrame, _ transition: PresentationStyle<Screen>.Transition
    ) async throws

    /// Takes the topmost modal away.
    func dismiss(animated: Bool) async throws
    /// Takes the last screen off the topmost stack.
    func pop(animated: Bool) async throws
    /// Takes all screens above this one off the topmost stack.
    func pop(to screen: Screen, animated: Bool) async throws
    /// Takes all screens but the first off the topmost stack.
    func popToRoot(animated: Bool) async throws
}

/// What a screen is put into before it is presented.
public enum ScreenFrame: Hashable, Sendable, CustomStringConvertible {
    /// Nothing.
    case none
    /// A stack of its own, whose first screen it is.
    case navigation

    /// `none` or `navigation`.
    public var description: String {
        switch self {
        case .none: "none"
        case .navigation: "navigation"
        }
    }
}

extension Presenter {
    /// Presents a screen in a style, and returns when the transition is over.
    ///
    /// - Throws: `PresentationError`, for example where there is no root, or no stack to push onto.
    public func present(_ screen: Screen, _ style: PresentationStyle<Screen>) async throws {
        switch style {
        case .inNavigationController(let inner): try await present(screen, inner.innermost, in: .navigation)
        default: try await present(screen, style, in: .none)
        }
    }

    private func present(_ screen: Screen, _ style: PresentationStyle<Screen>, in frame: ScreenFrame) async throws {
        switch style {
        case .show: try await show(screen, in: frame)
        case .showDetail: try await showDetail(screen, in: frame)
        case .present(let animated): try await present(screen, in: frame, animated: animated)
        case .push(let animated):
            guard frame == .none else { throw PresentationError.stackInStack }
            try await push(screen, animated: animated)
        case .custom(let transition): try await custom(screen, in: frame, transition)
        case .inNavigationController(let inner): try await present(screen, inner, in: .navigation)
        }
    }
}

/// Why a screen was not presented.
public enum PresentationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The presenter has no root screen yet.
    case noRoot
    /// The topmost screen is in no stack.
    case noStack
    /// A stack cannot be pushed onto a stack.
    case stackInStack
    /// The first screen of a stack is not popped.
    case nothingToPop
    /// No modal is on top.
    case nothingToDismiss
    /// The screen is not in the topmost stack.
    case notInStack(String)
    /// The screen stands somewhere already.
    case alreadyPresented(String)
    /// The UI framework was asked to present the screen, and did not.
    case notPresented(String)
    /// No screen has this name, or it is of another type than the source says.
    case unknownScreen(String, bundle: String?)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .noRoot: "nothing to present on: the presenter has no root screen; set one before a route is opened"
        case .noStack: "nothing to push onto: the topmost screen is in no stack; use .show, or .inNavigationController"
        case .stackInStack: "a stack cannot be pushed onto a stack; use .present, or leave .inNavigationController out"
        case .nothingToPop: "nothing to pop: the topmost stack has its first screen only"
        case .nothingToDismiss: "nothing to dismiss: no modal is on top"
        case .notInStack(let screen): "\(screen) is not in the topmost stack; dismiss the modals above it first"
        case .alreadyPresented(let screen): "\(screen) is presented already; give a new screen to each request"
        case .notPresented(let screen): "\(screen) was not presented: is the screen below it in a window?"
        case .unknownScreen(let name, let bundle):
            "no screen of the expected type is named \"\(name)\" in \(bundle.map { "the bundle \($0)" } ?? "the application")"
        }
    }
}
