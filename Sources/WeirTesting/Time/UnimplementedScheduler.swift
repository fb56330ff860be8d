/// A scheduler that nobody is meant to use: it says so when somebody does, and runs nothing.
///
/// Give it to what should need no time in a test: a use that you did not expect is reported, and the test goes on.
///
///     let search = Search(scheduler: .unimplemented("Search") { Issue.record("\($0)") })
public struct UnimplementedScheduler: Weir.Scheduler, CustomStringConvertible {
    /// What it stands in for.
    public let name: String
    private let report: (@Sendable (String) -> Void)?
    private let file: StaticString
    private let line: UInt

    /// A scheduler that reports each use.
    ///
    /// - Parameters:
    ///   - name: stands in the report.
    ///   - report: takes a sentence for each use, on the thread of the use; nil gives it to `Unhandled`.
    public init(
        _ name: String = "a scheduler",
        report: (@Sendable (String) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.name = name
        self.report = report
        self.file = file
        self.line = line
    }

    /// Reports the use, and answers the start of virtual time.
    public var now: VirtualClock.Instant {
        use("now")
        return VirtualClock.Instant()
    }

    /// Reports the use, and lets go of the work.
    public func schedule(_ work: @escaping @Sendable () -> Void) { use("schedule") }

    /// Reports the use, and lets go of the work.
    @discardableResult
    public func schedule(at deadline: VirtualClock.Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        use("schedule(at: \(deadline))")
        return ScheduledWork {}
    }

    private func use(_ call: String) {
        let text = "\(call) of \(name) was used, which is unimplemented: give it a VirtualClock or another scheduler"
        if let report { report(text) } else { Unhandled.report(text, file: file, line: line) }
    }

    /// As in `UnimplementedScheduler(Search)`.
    public var description: String { "UnimplementedScheduler(\(name))" }
}

extension Weir.Scheduler where Self == UnimplementedScheduler {
    /// Reports each use to `Unhandled`, and runs nothing.
    public static var unimplemented: UnimplementedScheduler { UnimplementedScheduler() }

    /// Reports each use, and runs nothing.
    ///
    /// - Parameters:
    ///   - name: stands in the report.
    ///   - report: takes a sentence for each use; nil gives it to `Unhandled`.
    public static func unimplemented(
        _ name: String, report: (@Sendable (String) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> UnimplementedScheduler {
        UnimplementedScheduler(name, report: report, file: file, line: line)
    }
}
