import WeirTestSupport

@testable import WeirCaching

/// The plain model of a cache: the writes, loads and gets of a run, and whether an answer was one of those allowed.
///
/// A write is over for a get where another write of its key began after it had ended, and ended before the get began. What is
/// left are the states that the get may have seen. A value that was set holds for the life; where a state has no value, or
/// may have lost it to its age, what was loaded may be answered: by a load that no write made old, and within its life. Where
/// the cache loads anew what is stale, a load that began late enough may have replaced what was set.
final class CacheHistory: Sendable {
    struct Write {
        let key: String?
        let value: String?
        let begin: Double
        var end: Double?
    }
    struct Load {
        let key: String
        let begin: Double
        var end: Double?
    }
    struct Get {
        let key: String
        let begin: Double
        var isOpen = true
    }
    struct Counts: CustomStringConvertible {
        var (stored, loaded, failed, overlaps) = (0, 0, 0, 0)
        mutating func add(_ other: Counts) {
            stored += other.stored
            loaded += other.loaded
            failed += other.failed
            overlaps += other.overlaps
        }
        var description: String {
            "\(stored) answers set, \(loaded) loaded, \(failed) failures, \(overlaps) gets beside a write"
        }
    }
    private struct State {
        var writes: [Write] = []
        var loads: [Load] = []
        var gets: [Get] = []
        var wrong: [String] = []
        var counts = Counts()
        var unanswered = 0
        var events = 0.0

        /// A moment, and behind all earlier ones where several things happen in one instant.
        mutating func moment(_ time: Double) -> Double {
            events += 1
            return time + events * 1e-9
        }
    }

    private let life: Double
    private let staleAfter: Double?
    private let state = Noted(State())
    init(life: Double, staleAfter: Double?) {
        self.life = life
        self.staleAfter = staleAfter
    }

    var wrong: [String] { state.value.wrong }
    var counts: Counts { state.value.counts }
    var unanswered: Int { state.value.unanswered }

    func beginWrite(_ key: String?, _ value: String?, at time: Double) -> Int {
        state.change { state in
            state.writes.append(Write(key: key, value: value, begin: state.moment(time)))
            return state.writes.count - 1
        }
    }

    func endWrite(_ write: Int, at time: Double) { state.change { $0.writes[write].end = $0.moment(time) } }

    func beginLoad(_ key: String, at time: Double) -> Int {
        state.change { state in
            state.loads.append(Load(key: key, begin: state.moment(time)))
            return state.loads.count - 1
        }
    }

    func endLoad(_ load: Int, at time: Double) { state.change { $0.loads[load].end = $0.moment(time) } }

    func beginGet(_ key: String, at time: Double) -> Int {
        state.change { state in
            state.gets.append(Get(key: key, begin: state.moment(time)))
            return state.gets.count - 1
        }
    }

    func cancel(_ get: Int) { state.change { $0.gets[get].isOpen = false } }

    /// Every call has had time enough.
    func settle() {
        state.change { state in
            state.unanswered = state.gets.count { $0.isOpen } + state.writes.count { $0.end == nil }
        }
    }

    func end(_ number: Int, _ result: Result<String, CacheError>, at time: Double) {
        state.change { state in
            let get = state.gets[number]
            let time = state.moment(time)
            state.gets[number].isOpen = false
            let writes = state.writes.filter { $0.key == nil || $0.key == get.key }
            if writes.contains(where: { ($0.end ?? time) > get.begin }) { state.counts.overlaps += 1 }
            let problem: String?
            switch result {
            case .success(let value) where value.hasPrefix("set"):
                state.counts.stored += 1
                problem = self.problem(withSet: value, get, writes)
            case .success(let value):
                state.counts.loaded += 1
                let load = Int(value.dropFirst(5)).map { state.loads[$0] }
                problem = self.problem(withLoad: load, get, writes, at: time)
            case .failure:
                state.counts.failed += 1
                problem = mayLoad(get, writes, at: time) ? nil : "failed, and there was a value"
            }
            if let problem {
                state.wrong.append("get \(get.key) at \(get.begin)–\(time) answered \(result): \(problem); \(writes)")
            }
        }
    }

    /// The writes whose state the get may have seen.
    private func visible(_ get: Get, _ writes: [Write]) -> [Write] {
        writes.filter { write in
            guard let end = write.end else { return true }
            return !writes.contains { $0.begin >= end && ($0.end ?? .infinity) <= get.begin && $0.begin > write.begin }
        }
    }

    private func mayLoad(_ get: Get, _ writes: [Write], at time: Double) -> Bool {
        let visible = visible(get, writes)
        let isFirst = !writes.contains { ($0.end ?? .infinity) <= get.begin }
        return isFirst || visible.contains { $0.value == nil || $0.begin + life <= time }
    }

    private func problem(withSet value: String, _ get: Get, _ writes: [Write]) -> String? {
        guard let write = visible(get, writes).first(where: { $0.value == value }) else { return "it is overwritten" }
        guard let end = write.end, get.begin >= end + life else { return nil }
        return "it is over"
    }

    private func problem(withLoad load: Load?, _ get: Get, _ writes: [Write], at time: Double) -> String? {
        guard let load, load.key == get.key else { return "nobody loaded it for this key" }
        guard let end = load.end else { return "its load has not ended" }
        let isRefreshed = visible(get, writes).contains { $0.begin + (staleAfter ?? .infinity) <= load.begin }
        if !mayLoad(get, writes, at: time), !isRefreshed { return "there was a value that was set" }
        if get.begin >= end + life { return "it is over" }
        let isOld = writes.contains { $0.begin > load.begin && ($0.end ?? .infinity) <= get.begin }
        return isOld ? "its load began before a write" : nil
    }
}
