// Reads a table of routes from a file and says where URLs go, so that a table can be debugged without a program.
//
//     swift run Playground routes FILE             the routes in the order in which they are tried
//     swift run Playground routes FILE URL…        which route takes each URL, which nearly do, and why not
//
// A line is a pattern. A line of two words, as in `GET /user/:id`, is `/GET/user/:id`. Empty lines, and what stands
// behind a # after a space, do not count.

import Foundation
import WeirRouting

struct RouteFile {
    static let usage = """
        swift run Playground routes [--exact-case] [--slashes] FILE [URL…]
          FILE           a pattern a line, as in app://user/:id; `GET /user` means /GET/user; # starts a comment
          URL            where it goes, and what nearly took it; without one, the routes in the order of trying
          --exact-case   literals match in the case in which they are written
          --slashes      a slash at the end counts
        """

    let table: RouteTable

    init(path: String, options: RoutingOptions) throws(FileFault) {
        let data = try TextFile.data(path)
        var patterns: [RoutePattern] = []
        var faults: [String] = []
        for (index, line) in TextFile.lines(data).enumerated() {
            guard let written = Self.pattern(in: line) else { continue }
            do throws(RoutePatternError) {
                patterns.append(try RoutePattern(written))
            } catch {
                faults.append("\(path):\(index + 1): \(error)")
            }
        }
        guard faults.isEmpty else { throw FileFault(description: faults.joined(separator: "\n")) }
        guard !patterns.isEmpty else { throw FileFault(description: "\(path) has no pattern; write one a line") }
        table = RouteTable(patterns, options: options)
    }

    /// The pattern that a line says; nil where it says nothing.
    private static func pattern(in line: Substring) -> String? {
        let words = line.split(whereSeparator: \.isWhitespace).prefix { !$0.hasPrefix("#") }
        switch words.count {
        case 0: return nil
        case 2 where words[0].allSatisfy { $0.isUppercase }:
            return "/\(words[0])\(words[1].hasPrefix("/") ? "" : "/")\(words[1])"
        default: return words.joined(separator: " ")
        }
    }
}

extension Program {
    /// 0 where a route takes every URL, 1 where one is not taken or the file has a fault, 2 for a wrong call.
    static func routes(_ arguments: [String]) -> Int32 {
        var options: RoutingOptions = []
        var words: [String] = []
        for argument in arguments {
            switch argument {
            case "--exact-case": options.insert(.exactPathCase)
            case "--slashes": options.insert(.significantTrailingSlash)
            case _ where argument.hasPrefix("-"):
                complain("routes has no flag \(argument)\n\(RouteFile.usage)")
                return 2
            default: words.append(argument)
            }
        }
        guard let path = words.first else {
            complain(RouteFile.usage)
            return 2
        }
        do throws(FileFault) {
            let table = try RouteFile(path: path, options: options).table
            if words.count == 1 {
                print(table)
                return 0
            }
            let explanations = words.dropFirst().map { table.explain($0) }
            for explanation in explanations {
                print(explanation)
                if let match = try? table.match(explanation.url), !match.parameters.items.isEmpty {
                    print("    parameters: \(match.parameters)")
                }
            }
            return explanations.allSatisfy { $0.match != nil } ? 0 : 1
        } catch {
            complain("\(error)")
            return 1
        }
    }
}
