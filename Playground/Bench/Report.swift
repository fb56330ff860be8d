// The output: a table for people, or a JSON object for each row.

import Foundation

/// Prints outcomes as they come.
struct Report {
    let isJSON: Bool
    /// Columns behind the row's name, and their widths.
    private static let columns = [
        ("median", 8), ("min", 8), ("ns per", 10), ("by hand", 8), ("ratio", 7), ("bar", 12), ("", 7), ("allocs", 7),
    ]
    private static let nameWidth = 58

    /// The head of a table.
    func begin(_ table: Table) {
        guard !isJSON else { return }
        let head = Self.columns.map { $0.0.right($0.1) }.joined(separator: " ")
        print("\n\(table.name.left(Self.nameWidth)) \(head)")
    }

    func add(_ outcome: Outcome) {
        print(isJSON ? json(outcome) : line(outcome))
        fflush(nil)
    }

    private func line(_ outcome: Outcome) -> String {
        let cells = [
            outcome.measured.median.short, outcome.measured.minimum.short, outcome.row.unit,
            outcome.baseline?.measured.median.short ?? "", outcome.ratio?.short ?? "",
            [outcome.medianBar, outcome.minimumBar].compactMap { $0?.short }.joined(separator: " / "),
            verdict(outcome), outcome.measured.allocations?.short ?? "",
        ]
        let line = zip(cells, Self.columns).map { $0.right($1.1) }.joined(separator: " ")
        return "\(outcome.row.name.left(Self.nameWidth)) \(line)"
    }

    private func verdict(_ outcome: Outcome) -> String {
        if !outcome.misses.isEmpty { return "MISSED" }
        return outcome.row.bar == nil ? "" : "ok"
    }

    private func json(_ outcome: Outcome) -> String {
        let line = JSONLine(
            table: outcome.table, row: outcome.row.name, unit: outcome.row.unit, time: outcome.row.time.rawValue,
            median: outcome.measured.median, minimum: outcome.measured.minimum,
            allocations: outcome.measured.allocations, baseline: outcome.baseline?.row.row,
            baselineMedian: outcome.baseline?.measured.median, baselineReference: outcome.baseline?.row.reference,
            ratio: outcome.ratio, bar: outcome.row.bar?.median, medianAllowed: outcome.medianBar,
            minimumAllowed: outcome.minimumBar, allocationsAllowed: outcome.row.bar?.allocations,
            misses: outcome.misses)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(line) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}

/// One row in JSON. Times are nanoseconds for each unit; what is not known is left out.
private struct JSONLine: Encodable {
    let table: String
    let row: String
    let unit: String
    let time: String
    let median: Double
    let minimum: Double
    let allocations: Double?
    let baseline: String?
    let baselineMedian: Double?
    let baselineReference: Double?
    let ratio: Double?
    let bar: Double?
    let medianAllowed: Double?
    let minimumAllowed: Double?
    let allocationsAllowed: Double?
    let misses: [String]
}

extension String {
    func left(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
    func right(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
