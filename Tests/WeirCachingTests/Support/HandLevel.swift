import Weir

@testable import WeirCaching

/// A level whose gets and sets wait until the test answers them.
final class HandLevel: CacheLevel {
    typealias Entry = CacheEntry<String>
    private struct State {
        var gets: [(key: String, emitter: Emitter<Entry, CacheError>)] = []
        var sets: [(value: String, emitter: Emitter<Never, CacheError>)] = []
        var loads = 0
        var cancels = 0
    }
    private let state = Lock(State())
    private let holdsSets: Bool

    /// - Parameter holdsSets: whether sets wait, too, or finish at once.
    init(holdsSets: Bool = false) { self.holdsSets = holdsSets }

    /// Gets begun, and gets that ended without an answer.
    var loads: Int { state.withLock { $0.loads } }
    var cancels: Int { state.withLock { $0.cancels } }
    var waiting: Int { state.withLock { $0.gets.count } }
    var waitingSets: [String] { state.withLock { $0.sets.map(\.value) } }

    func entry(_ key: String) -> Observable<Entry, CacheError> {
        .create { [self] emitter in
            state.withLock { state in
                state.loads += 1
                state.gets.append((key, emitter))
            }
            emitter.onTermination { [self] in
                state.withLock { state in
                    guard let place = state.gets.firstIndex(where: { $0.emitter.isOver }) else { return }
                    state.gets.remove(at: place)
                    state.cancels += 1
                }
            }
        }
    }

    /// Answers the oldest get that waits.
    func answer(_ result: Result<String, CacheError>) {
        let get = state.withLock { $0.gets.isEmpty ? nil : $0.gets.removeFirst() }
        switch result {
        case .success(let value):
            get?.emitter.send(CacheEntry(value))
            get?.emitter.finish()
        case .failure(let error): get?.emitter.fail(error)
        }
    }

    func set(_ entry: Entry, forKey key: String) -> Observable<Never, CacheError> {
        guard holdsSets else { return .empty() }
        return .create { [self] emitter in state.withLock { $0.sets.append((entry.value, emitter)) } }
    }

    /// Finishes the oldest set that waits.
    func finishSet() {
        let set = state.withLock { $0.sets.isEmpty ? nil : $0.sets.removeFirst() }
        set?.emitter.finish()
    }

    func remove(_ key: String) -> Observable<Never, CacheError> { .empty() }
    func clear() -> Observable<Never, CacheError> { .empty() }
}

/// A level in which everything fails.
struct BrokenLevel<Key: Hashable & Sendable, Value: Sendable>: CacheLevel {
    var error = CacheError.writeFailed(DiskFailure("write", "/full", code: 28))
    func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> { .fail(error) }
    func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> { .fail(error) }
    func remove(_ key: Key) -> Observable<Never, CacheError> { .fail(error) }
    func clear() -> Observable<Never, CacheError> { .fail(error) }
}

/// What a stream said, as text: `value a`, `finished`, `failed(not found in any level)`.
final class Heard: Sendable {
    let signals = Noted<[String]>([])
    private let tokens = Noted<[SubscriptionToken]>([])

    init() {}
    convenience init(_ stream: Observable<some Sendable, CacheError>) {
        self.init()
        listen(to: stream)
    }

    func listen(to stream: Observable<some Sendable, CacheError>) {
        let signals = signals
        let token = stream.subscribe({ signals.append("\($0)") }, done: { signals.append("\($0)") })
        tokens.append(token)
    }

    func cancel() { for token in tokens.value { token.cancel() } }
}

/// What a call throws, as text; `nil` where it does not.
func failure(_ call: () async throws(CacheError) -> some Any) async -> String? {
    do throws(CacheError) {
        _ = try await call()
        return nil
    } catch {
        return "\(error)"
    }
}
