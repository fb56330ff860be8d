import Weir
import WeirRouting

/// Pages that only who is logged in may see: whoever is not gets the log-in, and then the page.
@MainActor final class PrivateAlbum {
    /// A screen of a program that has none: its title.
    final class Screen: Sendable, CustomStringConvertible {
        let title: String
        init(_ title: String) { self.title = title }
        var description: String { title }
    }

    let screens = NavigationStack<Screen>()
    private var isLoggedIn = false
    private let router: Router
    private let bag = SubscriptionBag()

    init(_ router: Router) {
        self.router = router
        screens.setRoot(Screen("Gallery"))
        screens.tree.subscribe { say("screen", "\($0)".replacing("\n", with: " /")) }.store(in: bag)
        router.map(
            "photos://private/:album", screen: .provided { Screen("Private: \($0.parameters["album"] ?? "")") },
            style: .push(animated: true), presenter: screens)
        router.map("photos://login") { @MainActor [weak self] request in
            guard let self else { return }
            try await logIn()
            let page = await request.open(try request.parameters.require("callback"), passing: request.passed)
            if case .failed(let error) = page { throw error }
        }
        router.proxy("photos://private/**") { @MainActor [weak self] request in
            self?.isLoggedIn == true ? .proceed : .rewrite(to: "photos://login", ["callback": request.url])
        }
    }

    private func logIn() async throws {
        try await screens.present(Screen("Log in"), .present(animated: true))
        isLoggedIn = true
        try await screens.dismiss(animated: true)
    }

    /// Opens two private albums, the first one before anybody is logged in. Answers how many were not opened.
    func visit() async -> Int {
        var failures = 0
        for album in ["Summer", "Winter"] {
            let outcome: RouteOutcome = await router.open("photos://private/\(album)")
            if outcome.isHandled {
                say("route", "\(outcome)")
            } else {
                failures += 1
                complain(.search("photos://private/\(album) was not opened: \(outcome)"))
            }
        }
        return failures
    }
}
