// What the command line says.

/// What to measure, and what to do with it.
struct Options: Sendable {
    var isHelp = false
    var isList = false
    var isJSON = false
    var isCheck = false
    /// Bars are multiplied by it: 1 or more.
    var slack = 1.0
    /// Whole runs, in each of which every bar must hold at the first try.
    var runs = 1
    /// Parts of names of rows or tables; empty for all.
    var filters: [String] = []

    static let help = """
        swift run -c release Bench [--check] [--slack F] [--runs N] [--json] [FILTER…]

          FILTER      only rows whose name, or whose table's name, contains one of these
          --check     a row over its bar is measured again, up to three times; exit code 1 when one stays over it
          --slack F   multiplies the bars of time by F, 1 or more
          --runs N    N runs, 2 to 100; with --check each row must hold its bars in all of them, at the first try
          --json      one JSON object for each row, in lines
          --list      names the rows
          --help      says this

        The rows of real route tables are there where WEIR_SHARED names the folder that has them.

        Times are nanoseconds for each unit: the median and the minimum of several repetitions. `by hand` is the same work
        by hand, or one delivery from an array of closures to 100 subscribers, measured in the same run; `ratio` is the
        median over it. Where this machine is slower at that than the one on which the bars were set, the bars grow with it.
        """

    /// Reads the arguments behind the program's name.
    ///
    /// - Throws: `Complaint` for what is not understood.
    init(_ arguments: [String]) throws(Complaint) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": isHelp = true
            case "--list": isList = true
            case "--json": isJSON = true
            case "--check": isCheck = true
            case "--slack": slack = try Self.slack(rest.popFirst())
            case "--runs": runs = try Self.runs(rest.popFirst())
            case _ where argument.hasPrefix("-"):
                throw Complaint("no flag is called \(argument); --help names all")
            default: filters.append(argument)
            }
        }
    }

    private static func slack(_ text: String?) throws(Complaint) -> Double {
        guard let text, let slack = Double(text), slack >= 1, slack.isFinite else {
            throw Complaint("--slack takes a number, 1 or more, as in --slack 2; it got \(text ?? "nothing")")
        }
        return slack
    }

    private static func runs(_ text: String?) throws(Complaint) -> Int {
        guard let text, let runs = Int(text), (2...100).contains(runs) else {
            throw Complaint("--runs takes a number from 2 to 100, as in --runs 3; it got \(text ?? "nothing")")
        }
        return runs
    }

    func selects(_ row: Row, of table: Table) -> Bool {
        let name = "\(table.name)/\(row.name)".lowercased()
        return filters.isEmpty || filters.contains { name.contains($0.lowercased()) }
    }

    /// The tables with the rows that are asked for.
    func selection(from tables: [Table]) throws(Complaint) -> [Table] {
        let selected = tables.map { table in
            Table(name: table.name, rows: table.rows.filter { selects($0, of: table) })
        }.filter { !$0.rows.isEmpty }
        if selected.isEmpty {
            throw Complaint("no row's name contains \(filters.joined(separator: " or ")); --list names all")
        }
        return selected
    }
}

/// What is wrong with the command line.
struct Complaint: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
