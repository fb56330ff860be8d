/// How a screen comes in.
public indirect enum PresentationStyle<Screen: AnyObject & Sendable>: Sendable {
    /// A transition of one's own: takes the screen that presents, the screen to present, and what to call when it is over.
    /// Without that call the request ends at its time limit.
    public typealias Transition =
        @MainActor @Sendable (_ presenting: Screen, _ presented: Screen, _ completed: @escaping @Sendable () -> Void) ->
        Void

    /// As the place where it is shown has it: pushed onto the topmost stack, or modal where there is none.
    case show
    /// Beside the topmost screen, or modal where there is no such place.
    case showDetail
    /// Modal, above everything.
    case present(animated: Bool)
    /// Onto the topmost stack.
    case push(animated: Bool)
    /// By a transition of one's own.
    case custom(Transition)
    /// In a stack of its own, which comes in by the style inside.
    case inNavigationController(PresentationStyle)

    /// The style inside all `inNavigationController`, of which one is enough.
    var innermost: PresentationStyle {
        if case .inNavigationController(let inner) = self { inner.innermost } else { self }
    }
}

extension PresentationStyle: CustomStringConvertible {
    /// As in `.inNavigationController(.present(animated: true))`.
    public var description: String {
        switch self {
        case .show: ".show"
        case .showDetail: ".showDetail"
        case .present(let animated): ".present(animated: \(animated))"
        case .push(let animated): ".push(animated: \(animated))"
        case .custom: ".custom"
        case .inNavigationController(let inner): ".inNavigationController(\(inner))"
        }
    }
}

/// Where a route's screen comes from.
public enum ScreenSource<Screen: AnyObject & Sendable>: Sendable {
    /// Made for each request. What it throws becomes the outcome.
    case provided(@MainActor @Sendable (RouteRequest) throws -> Screen)
    /// Made by the presenter, which knows it by name; `bundle` nil means the application itself.
    case named(String, bundle: String? = nil)
}

extension ScreenSource: CustomStringConvertible {
    /// `.provided`, or the name.
    public var description: String {
        switch self {
        case .provided: ".provided"
        case .named(let name, nil): ".named(\"\(name)\")"
        case .named(let name, let bundle?): ".named(\"\(name)\", bundle: \"\(bundle)\")"
        }
    }
}

/// A screen that wants to know the request for which it is about to be shown.
@MainActor
public protocol PresentationSetup {
    /// Runs before the transition, and before the closure that was given to `map`.
    ///
    /// - Throws: what becomes the outcome; nothing is presented then.
    func setUp(for request: RouteRequest) throws
}
