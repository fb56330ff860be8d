// Screens of UIKit: the one file of this module that knows it. A test checks its types on Linux, against stubs.

#if canImport(UIKit) && !os(watchOS)
import UIKit

/// Presents view controllers.
///
///     let presenter = UIKitPresenter(window: window)
///     router.map("app://photo/:id", screen: .nib(PhotoController.self), style: .push(animated: true), presenter: presenter)
///
/// A transition is over when UIKit says so: by the completion of a modal, or by the transition coordinator of a push or pop.
@MainActor
public final class UIKitPresenter: Presenter {
    private let root: @MainActor () -> UIViewController?

    /// Presents on what stands on a root.
    ///
    /// - Parameter root: is asked at each request; nil makes the request fail.
    public init(root: @escaping @MainActor () -> UIViewController?) { self.root = root }

    /// Presents in a window, which it does not keep.
    public convenience init(window: UIWindow) { self.init { [weak window] in window?.rootViewController } }

    // MARK: Where to present

    /// The controller that is seen: through modals, stacks, tabs and splits.
    public var topmost: UIViewController? { root().map(Self.topmost) }

    private static func topmost(from controller: UIViewController) -> UIViewController {
        if let modal = controller.presentedViewController, !modal.isBeingDismissed { return topmost(from: modal) }
        let next: UIViewController? =
            switch controller {
            case let stack as UINavigationController: stack.topViewController
            case let tabs as UITabBarController: tabs.selectedViewController
            case let split as UISplitViewController: split.viewControllers.last
            default: nil
            }
        return next.map(topmost) ?? controller
    }

    private func top() throws -> UIViewController {
        guard let topmost else { throw PresentationError.noRoot }
        return topmost
    }

    private func stack() throws -> UINavigationController {
        let top = try top()
        guard let stack = top as? UINavigationController ?? top.navigationController else {
            throw PresentationError.noStack
        }
        return stack
    }

    /// Where to find a controller by name: the first one of the storyboard with that name.
    ///
    /// - Parameter bundle: the bundle's identifier; nil for the main bundle.
    public func screen(named name: String, bundle: String?) throws -> UIViewController {
        let home = bundle.map { Bundle(identifier: $0) } ?? Bundle.main
        guard let home, home.path(forResource: name, ofType: "storyboardc") != nil,
            let controller = UIStoryboard(name: name, bundle: home).instantiateInitialViewController()
        else { throw PresentationError.unknownScreen(name, bundle: bundle) }
        return controller
    }

    // MARK: Presenting

    /// Presents a modal on the topmost controller, and waits for UIKit's completion.
    public func present(_ screen: UIViewController, in frame: ScreenFrame, animated: Bool) async throws {
        let top = try top()
        let shown = try framed(screen, frame)
        try await finished { completed in
            top.present(shown, animated: animated, completion: completed)
            // UIKit only warns where it does not present, and never calls back.
            if shown.presentingViewController == nil { throw PresentationError.notPresented("\(screen)") }
        }
    }

    /// Pushes onto the stack in which the topmost controller is.
    public func push(_ screen: UIViewController, animated: Bool) async throws {
        let stack = try stack()
        if screen is UINavigationController { throw PresentationError.stackInStack }
        let shown = try framed(screen, .none)
        stack.pushViewController(shown, animated: animated)
        try await settled(stack, animated)
    }

    /// Calls `show` of the topmost controller, so that containers of one's own have their say; a stack comes as a modal.
    public func show(_ screen: UIViewController, in frame: ScreenFrame) async throws {
        let top = try top()
        if frame == .none, !(screen is UINavigationController), top is UINavigationController {
            return try await push(screen, animated: true)
        }
        // UIKit would push a stack onto a stack, which stops the program.
        if frame == .navigation || screen is UINavigationController {
            return try await present(screen, in: frame, animated: true)
        }
        let shown = try framed(screen, frame)
        top.show(shown, sender: nil)
        try await settled(shown, true)
    }

    /// Calls `showDetailViewController` of the topmost controller.
    public func showDetail(_ screen: UIViewController, in frame: ScreenFrame) async throws {
        let top = try top()
        let shown = try framed(screen, frame)
        top.showDetailViewController(shown, sender: nil)
        try await settled(shown, true)
    }

    /// Hands both controllers to `transition`.
    public func custom(
        _ screen: UIViewController, in frame: ScreenFrame, _ transition: PresentationStyle<UIViewController>.Transition
    ) async throws {
        let top = try top()
        let shown = try framed(screen, frame)
        try await finished { transition(top, shown, $0) }
    }

    // MARK: Going back

    /// Dismisses the topmost modal.
    public func dismiss(animated: Bool) async throws {
        guard let below = try top().presentingViewController else { throw PresentationError.nothingToDismiss }
        try await finished { below.dismiss(animated: animated, completion: $0) }
    }

    /// Pops the topmost controller off its stack.
    public func pop(animated: Bool) async throws {
        let stack = try stack()
        guard stack.viewControllers.count > 1 else { throw PresentationError.nothingToPop }
        _ = stack.popViewController(animated: animated)
        try await settled(stack, animated)
    }

    /// Pops all above this controller off the topmost stack.
    public func pop(to screen: UIViewController, animated: Bool) async throws {
        let stack = try stack()
        guard stack.viewControllers.contains(screen) else { throw PresentationError.notInStack("\(screen)") }
        _ = stack.popToViewController(screen, animated: animated)
        try await settled(stack, animated)
    }

    /// Pops all but the first off the topmost stack.
    public func popToRoot(animated: Bool) async throws {
        let stack = try stack()
        _ = stack.popToRootViewController(animated: animated)
        try await settled(stack, animated)
    }

    // MARK: UIKit

    /// The controller to present; UIKit stops the program where one that stands somewhere is presented again.
    private func framed(_ screen: UIViewController, _ frame: ScreenFrame) throws -> UIViewController {
        guard screen.parent == nil, screen.presentingViewController == nil else {
            throw PresentationError.alreadyPresented("\(screen)")
        }
        if frame == .none || screen is UINavigationController { return screen }
        return UINavigationController(rootViewController: screen)
    }

    /// Waits for the transition in which a controller takes part, if there is one.
    private func settled(_ controller: UIViewController, _ animated: Bool) async throws {
        guard animated, let coordinator = controller.transitionCoordinator else { return }
        try await finished { completed in
            let isQueued = coordinator.animate(alongsideTransition: nil) { _ in completed() }
            if !isQueued { completed() }
        }
    }
}

extension ScreenSource where Screen == UIViewController {
    /// A controller of a storyboard.
    ///
    /// UIKit stops the program where the storyboard has no controller of that identifier.
    ///
    /// - Parameters:
    ///   - name: the storyboard's.
    ///   - identifier: the controller's; nil for the initial one.
    ///   - bundle: nil for the main bundle.
    public static func storyboard(_ name: String, identifier: String? = nil, bundle: Bundle? = nil) -> ScreenSource {
        .provided { _ in
            guard (bundle ?? .main).path(forResource: name, ofType: "storyboardc") != nil else {
                throw PresentationError.unknownScreen(name, bundle: bundle?.bundleIdentifier)
            }
            let storyboard = UIStoryboard(name: name, bundle: bundle)
            if let identifier { return storyboard.instantiateViewController(withIdentifier: identifier) }
            guard let initial = storyboard.instantiateInitialViewController() else {
                throw PresentationError.unknownScreen(name, bundle: bundle?.bundleIdentifier)
            }
            return initial
        }
    }

    /// A controller of this type from a nib.
    ///
    /// - Parameters:
    ///   - name: the nib's; nil for the type's own name.
    ///   - bundle: nil for the main bundle.
    public static func nib<Controller: UIViewController>(
        _ type: Controller.Type, name: String? = nil, bundle: Bundle? = nil
    ) -> ScreenSource {
        .provided { _ in Controller(nibName: name ?? "\(Controller.self)", bundle: bundle) }
    }
}
#endif
