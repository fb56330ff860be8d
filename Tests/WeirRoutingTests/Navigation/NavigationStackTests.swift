import Testing
import WeirRouting
import WeirTesting

@Suite @MainActor struct NavigationStackTests {
    enum Root: Sendable, CaseIterable { case none, plain, stack }
    typealias Style = PresentationStyle<Page>

    /// What each style makes of each root; an error leaves the tree as it was.
    @Test(arguments: [
        (Root.stack, Style.show, "Home > New"), (.plain, .show, "Home\n  New"), (.none, .show, "noRoot"),
        (.stack, .showDetail, "Home\n  New"), (.plain, .showDetail, "Home\n  New"), (.none, .showDetail, "noRoot"),
        (.stack, .present(animated: true), "Home\n  New"), (.plain, .present(animated: false), "Home\n  New"),
        (.none, .present(animated: true), "noRoot"), (.stack, .push(animated: true), "Home > New"),
        (.plain, .push(animated: true), "noStack"), (.none, .push(animated: true), "noRoot"),
        (.stack, .custom { _, _, completed in completed() }, "Home\n  New"),
        (.none, .custom { _, _, completed in completed() }, "noRoot"),
        (.stack, .inNavigationController(.push(animated: true)), "stackInStack"),
        (.stack, .inNavigationController(.show), "Home\n  New"),
        (.plain, .inNavigationController(.inNavigationController(.present(animated: true))), "Home\n  New"),
        (.plain, .inNavigationController(.custom { _, _, completed in completed() }), "Home\n  New"),
    ])
    func everyStyleOnEveryRoot(root: Root, style: Style, expected: String) async {
        let screens = NavigationStack<Page>()
        if root != .none { screens.setRoot(Page("Home"), isStack: root == .stack) }
        let before = screens.current
        do {
            try await screens.present(Page("New"), style)
            #expect("\(screens)" == expected, "\(style)")
            if case .inNavigationController = style { #expect(screens.current.layers.last?.isStack == true) }
        } catch {
            #expect("\(error)" == PresentationError.named(expected)?.description, "\(style)")
            #expect(screens.current == before)
        }
    }

    @Test func goesBack() async throws {
        let screens = NavigationStack<Page>()
        let pages = ["Home", "Album", "Photo", "Login"].map { Page($0) }
        screens.setRoot(pages[0])
        for page in pages[1...2] { try await screens.push(page, animated: true) }
        try await screens.present(pages[3], in: .none, animated: true)
        #expect("\(screens)" == "Home > Album > Photo\n  Login")
        #expect(screens.topmost === pages[3])
        await #expect(throws: PresentationError.noStack) { try await screens.pop(animated: true) }
        try await screens.dismiss(animated: true)
        await #expect(throws: PresentationError.nothingToDismiss) { try await screens.dismiss(animated: true) }
        await #expect(throws: PresentationError.notInStack("Login")) {
            try await screens.pop(to: pages[3], animated: true)
        }
        try await screens.pop(to: pages[1], animated: true)
        #expect("\(screens)" == "Home > Album")
        try await screens.push(pages[2], animated: true)
        try await screens.popToRoot(animated: true)
        #expect("\(screens)" == "Home")
        try await screens.push(pages[1], animated: true)
        try await screens.pop(animated: true)
        #expect("\(screens)" == "Home")
        await #expect(throws: PresentationError.nothingToPop) { try await screens.pop(animated: true) }
    }

    @Test func aScreenStandsInOnePlaceOnly() async throws {
        let screens = NavigationStack<Page>()
        let home = Page("Home")
        screens.setRoot(home)
        await #expect(throws: PresentationError.alreadyPresented("Home")) {
            try await screens.push(home, animated: true)
        }
        await #expect(throws: PresentationError.alreadyPresented("Home")) {
            try await screens.present(home, in: .navigation, animated: true)
        }
        #expect("\(screens)" == "Home")
    }

    @Test func saysEachChange() async throws {
        let screens = NavigationStack<Page>()
        let log = Log()
        let bag = SubscriptionBag()
        screens.tree.subscribe { log.add("\($0)") }.store(in: bag)
        screens.setRoot(Page("Home"))
        try await screens.push(Page("Album"), animated: true)
        await #expect(throws: PresentationError.nothingToDismiss) { try await screens.dismiss(animated: true) }
        try await screens.pop(animated: true)
        #expect(log.lines == ["", "Home", "Home > Album", "Home"])
    }

    @Test func whatIsDismissedIsReleased() async throws {
        let screens = NavigationStack<Page>()
        weak var page: Page?
        screens.setRoot(Page("Home"))
        do {
            let new = Page("New")
            page = new
            try await screens.push(new, animated: true)
        }
        #expect(page != nil)
        try await screens.pop(animated: true)
        #expect(page == nil)
    }

    @Test func everyErrorSaysWhatToDo() {
        for name in PresentationError.all.keys {
            #expect(PresentationError.named(name)?.description.contains(/[:;]/) == true, "\(name)")
        }
    }
}

extension PresentationError {
    fileprivate static let all: [String: PresentationError] = [
        "noRoot": .noRoot, "noStack": .noStack, "stackInStack": .stackInStack, "nothingToPop": .nothingToPop,
        "nothingToDismiss": .nothingToDismiss, "notInStack": .notInStack("x"), "notPresented": .notPresented("x"),
        "alreadyPresented": .alreadyPresented("x"),
    ]
    fileprivate static func named(_ name: String) -> PresentationError? { all[name] }
}
