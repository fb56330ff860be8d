// A row's measurement beside its baseline and its bars.

/// How one row went.
struct Outcome: Sendable {
    let table: String
    let row: Row
    let measured: Measurement
    let baseline: (row: Baseline, measured: Measurement)?
    let slack: Double

    /// How much the bars grow: by the slack, and by how much slower this machine does the same work by hand.
    var growth: Double {
        #if DEBUG
        return slack  // the references are those of release builds
        #else
        guard let baseline else { return slack }
        return slack * max(1, baseline.measured.median / baseline.row.reference)
        #endif
    }
    var medianBar: Double? { row.bar.map { $0.median * growth } }
    var minimumBar: Double? { row.bar?.minimum.map { $0 * growth } }
    /// A repetition has a few allocations of its own, beside those for each unit. They do not grow with the machine.
    var allocationsBar: Double? { row.bar?.allocations.map { $0 + 0.01 } }

    var ratio: Double? { baseline.map { measured.median / $0.measured.median } }

    /// What is wrong with the row: empty where it keeps its bars.
    var misses: [String] {
        var misses: [String] = []
        func compare(_ what: String, _ value: Double?, _ bar: Double?) {
            if let value, let bar, value > bar { misses.append("\(what) \(value.short) over \(bar.short)") }
        }
        compare("median", measured.median, medianBar)
        compare("minimum", measured.minimum, minimumBar)
        compare("allocations", measured.allocations, allocationsBar)
        if let answer = measured.wrongAnswer {
            misses.append("a repetition gave \(answer), not \(row.expected ?? 0)")
        }
        return misses
    }

    /// `core/stored: median 15.2 over 13`.
    var complaint: String { "\(table)/\(row.name): \(misses.joined(separator: ", "))" }
}

extension Double {
    /// A figure to read: two places below 10, one below 100, and no zeros at its end.
    var short: String {
        let places = self < 10 ? 100.0 : self < 100 ? 10.0 : 1.0
        let rounded = (self * places).rounded() / places
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
