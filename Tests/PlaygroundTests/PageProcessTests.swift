import Foundation
import Testing
import WeirPages
import WeirTestSupport

@testable import Playground

@Suite(.ownThread) struct PageProcessTests {
    private func run(_ script: String, within limit: Duration = .seconds(20)) -> Outcome {
        let page = Page(path: "Docs/A.md", outputs: [], run: {})
        return PageProcess(
            page: page, executable: URL(filePath: "/bin/sh"), arguments: ["-c", script], limit: limit
        ).run()
    }

    @Test(arguments: [
        ("true", nil), ("exit 3", "ended early with code 3"), ("kill -9 $$", "stopped by signal 9"),
        ("echo x", "printed after the last output block"), ("head -c 300000 /dev/zero", "printed after"),
        ("echo why >&2; exit 1", "why"),
    ])
    func anEndIsReported(script: String, problem: String?) {
        let problems = run(script).problems
        #expect(problems.count == (problem == nil ? 0 : 1))
        if let problem { #expect(problems.first?.contains(problem) == true) }
    }

    @Test func whatNeverEndsIsStopped() {
        let outcome = run("exec tail -f /dev/null", within: .milliseconds(200))
        #expect(outcome.problems.map { $0.contains("not at its end after 0.2 seconds") } == [true])
        #expect(outcome.time < .seconds(10))
    }

    @Test func aProgramThatIsNotThereIsAProblem() {
        let page = Page(path: "Docs/A.md", outputs: [], run: {})
        let process = PageProcess(page: page, executable: URL(filePath: "/nowhere"), arguments: [], limit: .seconds(1))
        #expect(process.run().problems.map { $0.hasPrefix("Docs/A.md: could not run") } == [true])
    }
}
