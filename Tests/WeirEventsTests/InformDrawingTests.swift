import Foundation
import Testing
import WeirTestSupport
import WeirTesting

@testable import WeirEvents

private let dot = ["/usr/bin/dot", "/usr/local/bin/dot", "/opt/homebrew/bin/dot"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

extension InformBureauTests {
    /// A graph with all kinds of nodes and edges, and a name that wants to break out of every quote.
    private func drawn(_ look: (InformGraph) throws -> Void) rethrows {
        bureau.enable()
        defer { bureau.disable() }
        let (topic, target) = (Topic<[String: Int]>("Drawn.\"quoted\" <b>\\ \n#é"), Topic<Int>("Drawn.target"))
        let token = topic.events.compactMap { $0["a"] }.merge(with: Observable<Int, Never>.never()).listen { _ in }
        let redirection = topic.events.map(\.count).redirect(to: target)
        topic.publish(["a": 1])
        try look(bureau.graph)
        redirection.cancel()
        token.cancel()
    }

    @Test func textThatDrawingProgramsReadIsEscaped() {
        #expect(InformGraph.escapedForDOT("a\"b\\c\nd\te") == "a\\\"b\\\\c\\nd e")
        #expect(InformGraph.escapedForMermaid("A<b> \"c\" é #1") == "A#60;b#62; #34;c#34; é #35;1")
    }

    @Test func mermaidHasALineForEachNodeAndEdge() {
        drawn { graph in
            let lines = graph.mermaid.split(separator: "\n")
            #expect(lines.first == "flowchart LR" && lines.count == 1 + graph.nodes.count + graph.edges.count)
            #expect(
                lines.contains { $0.contains("([\"Drawn.target<br/>Int<br/>1 event, 0 subscribers\"])") }, "\(lines)")
            #expect(lines.contains { $0.contains("-.->") })
        }
    }

    @Test(
        .enabled(
            if: dot != nil || ProcessInfo.processInfo.environment["WEIR_TOOLS"] != nil, "needs Graphviz"))
    func graphvizDrawsTheGraph() throws {
        let program = try #require(dot, "the test command installs graphviz, and dot is not there")
        let folder = try Folder()
        let (input, output) = (folder.url.appending(path: "graph.dot"), folder.url.appending(path: "graph.svg"))
        try drawn { graph in
            try graph.dot.write(to: input, atomically: true, encoding: .utf8)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = ["-Tsvg", input.path, "-o", output.path]
            let complaints = Pipe()
            process.standardError = complaints
            try process.run()
            process.waitUntilExit()
            let said = String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(process.terminationStatus == 0 && !said.contains("rror"), "\(said)")
            let picture = try String(contentsOf: output, encoding: .utf8)
            let drawnNodes = picture.ranges(of: "class=\"node\"").count
            let drawnEdges = picture.ranges(of: "class=\"edge\"").count
            #expect(drawnNodes == graph.nodes.count && drawnEdges == graph.edges.count)
            #expect(picture.contains("Drawn.&quot;quoted&quot; &lt;b&gt;\\"), "the text must arrive as it was")
        }
    }
}
