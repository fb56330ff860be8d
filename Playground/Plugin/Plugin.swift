// Turns each page of documentation into one Swift file, and all of them into an index.
//
// The pages are named through the folder `Docs` inside the target, a link to the one at the top: that way the package
// manager sees a page that was added or removed, and runs this plugin anew.

import Foundation
import PackagePlugin

@main struct Pages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) async throws -> [Command] {
        let root = context.package.directoryURL
        let extract = try context.tool(named: "WeirExtract").url
        let out = context.pluginWorkDirectoryURL
        let docs = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Docs").path)
            .filter { $0.hasSuffix(".md") && !$0.contains(".docc/") }.sorted().map { "Docs/\($0)" }
        let pages = ["README.md"] + docs
        func source(_ page: String) -> URL {
            page == "README.md" ? root.appending(path: page) : target.directoryURL.appending(path: page)
        }

        let index = out.appending(path: "Index.swift")
        return pages.map { page in
            let file = out.appending(path: page.map { $0.isLetter || $0.isNumber ? "\($0)" : "_" }.joined() + ".swift")
            return .buildCommand(
                displayName: "Extract \(page)", executable: extract, arguments: ["page", file.path, root.path, page],
                inputFiles: [source(page)], outputFiles: [file])
        } + [
            .buildCommand(
                displayName: "Extract the index of pages", executable: extract,
                arguments: ["index", index.path, root.path] + pages, inputFiles: pages.map(source),
                outputFiles: [index])
        ]
    }
}
