import Testing
import WeirRouting
import WeirTesting

/// The numbered contracts of the module; 7 is `RouterRaceTests`, 9 `RouteFuzzTests`.
@Suite struct RoutingContractTests {
    @Test func contract1TheLiteralWinsInBothOrders() throws {
        for patterns in [["user/:id", "user/settings"], ["user/settings", "user/:id"]] {
            #expect(try table(patterns).winner("/user/settings") == "user/settings")
            #expect(try table(patterns).winner("/user/7") == "user/:id")
        }
        for patterns in [["b/*/c", "b/:a"], ["b/:a", "b/*/c"]] {
            #expect(try table(patterns).winner("b/c/c") == "b/*/c")
        }
    }

    @Test func contract2TheSearchGoesBack() throws {
        for patterns in [["v1/counter/:a/:b", "**"], ["**", "v1/counter/:a/:b"]] {
            #expect(try table(patterns).winner("/v1") == "**")
            #expect(try table(patterns).winner("/v1/counter/x") == "**")
        }
        let match = try table(["/path/foo/:arg", "/path/**rest"]).match("/path/foo/x/y")
        #expect(match?.pattern.text == "/path/**rest")
        #expect(match?.parameters["rest"] == "foo/x/y")
    }

    @Test func contract3TextIsLiteralAndAnchored() throws {
        #expect(try table(["app://route"]).winner("app://route/two") == nil)
        #expect(try table(["a.b"]).winner("aZb") == nil)
        #expect(try table(["/route/*"]).winner("/routexyz") == nil)
        #expect(try RoutePattern("h:8080/x").parameterNames == [])
        #expect(try table(["h:8080/x"]).winner("app://h:8080/x") == "h:8080/x")
    }

    @Test func contract4TextIsDecodedOnce() async throws {
        let router = Router()
        let log = Log()
        router.map("/:name") { request in
            log.add("\(request.parameters.all("name") + request.parameters.all("t")) \(request.fragment ?? "-")")
        }
        #expect(await router.open("app://Z%C3%BCrich%20K").isHandled)
        #expect(await router.open("/x?t=1&t=2&t=3").isHandled)
        #expect(await router.open("/42#top").isHandled)
        #expect(await router.open("/%252F?t=a+b&t=%2B").isHandled)
        guard case .invalidURL(let error) = await router.open("/%E8") else { return #expect(Bool(false)) }
        #expect(error.offset == 1)
        #expect(
            log.lines == [
                #"["Zürich K"] -"#, #"["x", "1", "2", "3"] -"#, #"["42"] top"#, #"["%2F", "a b", "+"] -"#,
            ])
    }

    @Test func contract5TheLogInStory() async throws {
        let router = Router()
        let log = Log()
        let isLoggedIn = Guarded(false)
        router.map("app://private/:page") { request in
            log.add("private \(try request.parameters.require("page")) with \(request.passed as? Int ?? 0)")
        }
        router.map("app://login") { [unowned router] request in
            isLoggedIn.withLock { $0 = true }
            let callback = try request.parameters.require("callback")
            log.add("log-in, then \(callback)")
            log.add("\(await router.open(callback, passing: request.passed))")
        }
        router.proxy("app://private/**") { request in
            if isLoggedIn.withLock({ $0 }) { return .proceed }
            return .rewrite(to: "app://login?callback=app%3A%2F%2Fprivate%2F7%3Fa%3D1")
        }
        let outcome = await router.open("app://private/7?a=1", passing: 11)
        #expect(
            log.lines == [
                "log-in, then app://private/7?a=1", "private 7 with 11", #".handled("app://private/:page")"#,
            ])
        #expect(
            "\(outcome)"
                == #".handled("app://login", redirects: ["app://login?callback=app%3A%2F%2Fprivate%2F7%3Fa%3D1"])"#)
    }

    @Test func contract6CirclesEnd() async {
        let router = Router()
        router.map("/**") { _ in }
        router.proxy("/a") { _ in .restart(to: "/b") }
        router.proxy("/b") { _ in .restart(to: "/a") }
        #expect("\(await router.open("/a"))" == #".loop(["/a", "/b", "/a"])"#)
    }

    @Test func contract6AnEndlessChainEnds() async {
        let router = Router()
        router.proxy("/:n(int)") { request in
            .restart(to: "/\(try request.parameters.require("n", as: Int.self) + 1)")
        }
        guard case .loop(let urls) = await router.open("/0") else { return #expect(Bool(false)) }
        #expect(urls == (0...17).map { "/\($0)" })
    }

    @Test func contract6OtherParametersAreNoCircle() async {
        let router = Router()
        router.map("/a") { _ in }
        router.proxy("/a") { request in
            request.parameters["seen"] == nil
                ? .restart(to: "/a", ["seen": "yes"]) : .rewrite(to: "/a", ["last": "yes"])
        }
        #expect("\(await router.open("/a"))" == #".handled("/a", redirects: ["/a", "/a"])"#)
    }

    @Test func contract6NowhereIsNamed() async {
        let router = Router()
        router.proxy("/lost") { _ in .rewrite(to: "/nowhere") }
        #expect("\(await router.open("/lost"))" == ".redirectedToNothing")
        #expect("\(await router.open("/nowhere"))" == ".notFound")
        var owner: Owner? = Owner()
        router.map("/owned", owner: owner) { _ in }
        router.proxy("/nowhere", owner: owner) { _ in .rewrite(to: "/owned") }
        #expect(await router.open("/nowhere").isHandled)
        owner = nil
        #expect("\(await router.open("/owned"))" == ".notFound")
        #expect("\(await router.open("/nowhere"))" == ".notFound")
    }

    @Test func contract8ParametersReachWhomTheyBelongTo() async {
        let router = Router()
        let log = Log()
        router.map("/user/:id") { log.add("route \($0.parameters)") }
        router.map("/guest/:name") { log.add("guest \($0.parameters) all \($0.parameters.all("name"))") }
        router.proxy("/:kind/:key") { request in
            log.add("proxy \(request.parameters)")
            return request.parameters["key"] == "0"
                ? .rewrite(to: "/guest/x?name=q", ["name": "Ada", "age": "7"]) : .proceed
        }
        #expect(await router.open("/user/7?q=1").isHandled)
        #expect(await router.open("/user/0").isHandled)
        #expect(
            log.lines == [
                #"proxy [kind: "user", key: "7", q: "1"]"#, #"route [id: "7", q: "1"]"#,
                #"proxy [kind: "user", key: "0"]"#,
                #"guest [name: "Ada", age: "7", name: "x", name: "q"] all ["Ada", "x", "q"]"#,
            ])
    }

    @Test func contract10ALoggerRegisteredLastSeesEveryOpen() async {
        let router = Router()
        let log = Log()
        router.map("app://login") { _ in }
        router.proxy("app://private/**") { _ in .rewrite(to: "app://login") }
        router.proxy("app://old/**") { _ in .restart(to: "app://private/1") }
        router.proxy("/**") { request in
            log.add(request.url)
            return .proceed
        }
        #expect("\(await router.open("app://private/1"))" == #".handled("app://login", redirects: ["app://login"])"#)
        #expect("\(await router.open("app://nowhere"))" == ".notFound")
        #expect(log.lines == ["app://private/1", "app://nowhere"])
        let outcome = await router.open("app://old/1")
        #expect("\(outcome)" == #".handled("app://login", redirects: ["app://private/1", "app://login"])"#)
        #expect(log.lines.suffix(2) == ["app://old/1", "app://private/1"])
    }
}

final class Owner: Sendable {}
