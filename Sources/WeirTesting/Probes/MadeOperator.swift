extension OperatorUnderTest {
    /// The operator over an upstream, or the source, as the conformance suite makes it; and what feeds it by hand.
    package func make(
        over upstream: Observable<Int, TestFailure>, on clock: VirtualClock,
        tornDown: @escaping @Sendable () -> Void = {}
    ) -> (stream: Observable<String, TestFailure>, feed: Feed?) {
        let setting = Setting(clock: clock, tornDown: tornDown)
        return switch factory {
        case .transformer(let make): (make(upstream, setting), nil)
        case .source(let make): (make(setting), nil)
        case .hot(let make): make(setting)
        }
    }
}

extension OperatorUnderTest.Feed {
    /// Sends two elements and the end.
    package func run() {
        send(1)
        send(2)
        end(.finished)
    }
}
