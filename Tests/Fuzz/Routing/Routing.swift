import WeirRouting

// Patterns, constraints and URLs. The first byte says the options; then come patterns, a line each, and the URL last.

/// Reads one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    guard let first = input.first else { return 0 }
    var lines = input.dropFirst().split(separator: 10, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    let url = lines.popLast() ?? ""
    var patterns: [RoutePattern] = []
    for line in lines.prefix(40) {
        do throws(RoutePatternError) {
            patterns.append(try RoutePattern(line))
        } catch {
            precondition(error.offset >= 0 && error.offset <= line.count && "\(error)".contains("^"), "\(error)")
        }
    }
    check(RouteTable(patterns, options: RoutingOptions(rawValue: first & 7)), url)
    return 0
}

/// Both readings of the table agree, in whatever order its patterns come.
private func check(_ table: RouteTable, _ url: String) {
    let explanation = table.explain(url)
    do throws(RouteURLError) {
        let match = try table.match(url)
        precondition(match?.pattern.text == explanation.match?.text, "\(explanation)\n\(match.map { "\($0)" } ?? "-")")
        precondition(explanation.error == nil, "\(explanation)")
        guard let match else { return }
        let names = match.parameters.items.filter { $0.source == .path }.map(\.name)
        precondition(match.pattern.parameterNames.starts(with: names), "\(match)")
        // Equal patterns apart, of which the last one wins, the order of registration decides nothing.
        let reversed = try RouteTable(table.patterns, options: table.options).match(url)
        let isSame = reversed?.pattern.text == match.pattern.text
        precondition(isSame || explanation.matches.count > 1, "\(match) and \(reversed.map { "\($0)" } ?? "-")")
    } catch {
        precondition(explanation.error == error && error.offset <= url.utf8.count, "\(error)")
    }
}
