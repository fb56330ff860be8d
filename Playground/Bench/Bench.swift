// The speed bars as a program: measures rows, prints them beside the same work by hand, and checks their bars.
//
//     swift run -c release Bench                     all rows
//     swift run -c release Bench --check "flatMap"   some of them; fails where one is over its bar

import Foundation

@main enum Bench {
    /// All of it runs on this thread, outside any actor: a row's own threads and tasks are its business.
    static func main() {
        do throws(Complaint) {
            exit(try run(Options(Array(CommandLine.arguments.dropFirst()))))
        } catch {
            FileHandle.standardError.write(Data("Bench: \(error)\n".utf8))
            exit(2)
        }
    }

    private static func run(_ options: Options) throws(Complaint) -> Int32 {
        if options.isHelp {
            print(Options.help)
            return 0
        }
        let tables = try options.selection(from: Table.all)
        if options.isList {
            for table in tables { for row in table.rows { print("\(table.name)/\(row.name)") } }
            return 0
        }
        #if DEBUG
        FileHandle.standardError.write(Data("Bench: a debug build has a bar for three operators alone\n".utf8))
        #endif
        let missed = (1...options.runs).flatMap { _ in Run(options: options).measure(tables) }
        guard options.isCheck else { return 0 }
        let count = max(missed.count, options.runs * tables.reduce(0) { $0 + $1.rows.count })
        complain(missed, of: count, isJSON: options.isJSON)
        return missed.isEmpty ? 0 : 1
    }

    private static func complain(_ missed: [Outcome], of count: Int, isJSON: Bool) {
        let lines = missed.map { "MISSED \($0.complaint)" } + ["\(count - missed.count) passed, \(missed.count) failed"]
        let text = lines.joined(separator: "\n") + "\n"
        if isJSON { FileHandle.standardError.write(Data(text.utf8)) } else { print("\n" + text, terminator: "") }
    }
}

/// One run through the tables.
struct Run {
    let options: Options
    /// How often a row is measured before it counts as missed.
    private var attempts: Int { options.runs > 1 ? 1 : 4 }

    /// Measures all rows and answers those that are over a bar.
    func measure(_ tables: [Table]) -> [Outcome] {
        let report = Report(isJSON: options.isJSON)
        let byHand = measureBaselines(of: tables)
        report.begin(Table.baselines)
        for (_, outcome) in byHand { report.add(outcome) }
        let baselines = Dictionary(uniqueKeysWithValues: byHand.map { ($0.0, $0.1.measured) })
        var outcomes = byHand.map(\.1)
        for table in tables {
            report.begin(table)
            for row in table.rows {
                let outcome = measure(row, table, baselines)
                report.add(outcome)
                outcomes.append(outcome)
            }
        }
        return outcomes.filter { !$0.misses.isEmpty }
    }

    /// The same work by hand, as far as a bar refers to it.
    private func measureBaselines(of tables: [Table]) -> [(Baseline, Outcome)] {
        let needed = Set(tables.flatMap(\.rows).compactMap { $0.bar?.baseline })
        let known = Set(Table.baselines.rows.map(\.name))
        precondition(needed.allSatisfy { known.contains($0.row) }, "a bar refers to a baseline that no row measures")
        return Table.baselines.rows.compactMap { row in
            guard let baseline = needed.first(where: { $0.row == row.name }) else { return nil }
            let measured = Measurement(of: row)
            return (
                baseline,
                Outcome(table: Table.baselines.name, row: row, measured: measured, baseline: nil, slack: 1)
            )
        }
    }

    /// A row that misses a bar is measured again, its baseline too: something else may have had the machine.
    private func measure(_ row: Row, _ table: Table, _ baselines: [Baseline: Measurement]) -> Outcome {
        var baseline = row.bar.flatMap { bar in baselines[bar.baseline].map { (row: bar.baseline, measured: $0) } }
        var outcome: Outcome
        var attempt = 1
        repeat {
            if attempt > 1, let old = baseline,
                let again = Table.baselines.rows.first(where: { $0.name == old.row.row })
            {
                baseline = (old.row, Measurement(of: again))
            }
            outcome = Outcome(
                table: table.name, row: row, measured: Measurement(of: row), baseline: baseline, slack: options.slack)
            attempt += 1
        } while options.isCheck && !outcome.misses.isEmpty && attempt <= attempts
        return outcome
    }
}
