// What is measured: rows, in tables. To add a module's table, make a `[Row]` in a file of your own and name it in `Table.all`.

/// Rows that belong together.
struct Table: Sendable {
    let name: String
    let rows: [Row]

    static let all = [
        Table(
            name: "core",
            rows: coreChains + coreSubjects + coreFlattening + coreJoining + coreSubscribing + coreThreads + coreValues
                + coreTracing),
        Table(name: "routing", rows: routingRows),
        Table(name: "caching", rows: cachingRows),
        Table(name: "events", rows: eventsTopics + eventsSoak),
    ]

    /// The same work by hand. A row is measured where a bar refers to it.
    static let baselines = Table(name: "by hand", rows: baselineRows + hooklessRows + cacheBaselineRows)
}

/// One workload.
struct Row: Sendable {
    /// Which time counts.
    enum Time: String, Sendable {
        /// The processor's time of this thread: other programs do not show in it.
        case thread
        /// The processor's time of all threads: for a task, which may move between them.
        case process
        /// From start to end: where several threads work.
        case wall
    }

    let name: String
    /// What is counted, as in `element`.
    let unit: String
    /// Units in one repetition.
    let units: Int
    let time: Time
    let bar: Bar?
    /// What each repetition answers when it has done all of its work.
    let expected: Int?
    /// Sets up what is not measured, and answers one repetition.
    let prepare: @Sendable () -> () -> Int

    init(
        _ name: String, per unit: String, units: Int, time: Time = .thread, bar: Bar? = nil, debug: Bar? = nil,
        expected: Int? = nil, prepare: @escaping @Sendable () -> () -> Int
    ) {
        self.name = name
        self.unit = unit
        self.units = units
        self.time = time
        #if DEBUG
        self.bar = debug
        #else
        self.bar = bar
        #endif
        self.expected = expected
        self.prepare = prepare
    }
}
