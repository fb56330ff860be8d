import Dispatch
import Testing
import Weir
import WeirTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

private final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// A thread with a stack of its own size.
struct TestThread: Sendable {
    private let id: Guarded<pthread_t?>

    /// - Parameter stack: KiB. A sanitizer needs a multiple of it, which is given.
    init(stack: Int = 512, _ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
        pthread_attr_setstacksize(&attributes, stack * 1024 * (isSanitized ? 8 : 1))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let start = Unmanaged.passRetained(Start(body)).toOpaque()
        let code = pthread_create(&thread, &attributes, startThread, start)
        #expect(code == 0)
        id = Guarded(thread)
    }
    func join() {
        let thread = id.withLock { id in
            let taken = id
            id = nil
            return taken
        }
        if let thread { pthread_join(thread, nil) }
    }
}

#if canImport(Darwin)
private func startThread(_ start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body()
    return nil
}
#else
private func startThread(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let start { Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body() }
    return nil
}
#endif

/// Runs `body` on a thread with that many KiB of stack, and waits for it.
func onThread(stack: Int = 512, _ body: @escaping @Sendable () -> Void) { TestThread(stack: stack, body).join() }

/// A door between threads: `wait` blocks until somebody has opened it.
final class Door: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func open() { semaphore.signal() }
    func wait() {
        semaphore.wait()
        semaphore.signal()
    }
}

/// A door for tasks: `wait` awaits that it was opened that many times.
final class Bell: Sendable {
    private struct State {
        var rung = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Guarded(State())

    func ring() {
        let ready = state.withLock { state in
            state.rung += 1
            let ready = state.waiters.filter { $0.count <= state.rung }
            state.waiters.removeAll { $0.count <= state.rung }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }
    func wait(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isRung = state.withLock { state in
                if state.rung < count { state.waiters.append((count, continuation)) }
                return state.rung >= count
            }
            if isRung { continuation.resume() }
        }
    }
}

/// Waits, without sleeping, for something that another thread does.
func spin(until isTrue: () -> Bool) {
    var turns = 0
    while !isTrue() {
        turns += 1
        if turns.isMultiple(of: 100) { sched_yield() }
    }
}

/// Runs bodies on threads of their own at the same time, again and again, and counts how often they truly overlapped: it
/// prints that, and fails on zero.
///
/// - Parameters:
///   - rounds: how many, at least; more, up to a bound, until one has overlapped.
///   - make: makes a round: its bodies, and what to check after they have run.
func race(
    _ name: String, rounds: Int = 50, location: SourceLocation = #_sourceLocation,
    _ make: () -> (bodies: [@Sendable () -> Void], check: () -> Void)
) {
    var met = 0
    var round = 0
    while round < rounds || (met == 0 && round < rounds * 40 + 100) {
        round += 1
        let (bodies, check) = make()
        let arrived = Guarded(0)
        let spans = Guarded<[(start: ContinuousClock.Instant, end: ContinuousClock.Instant)]>([])
        let threads = bodies.map { body in
            TestThread {
                arrived.withLock { $0 += 1 }
                spin { arrived.withLock { $0 } == bodies.count }
                let start = ContinuousClock.now
                body()
                let end = ContinuousClock.now
                spans.withLock { $0.append((start, end)) }
            }
        }
        for thread in threads { thread.join() }
        let all = spans.withLock { $0 }
        if let lastStart = all.map(\.start).max(), let firstEnd = all.map(\.end).min(), lastStart < firstEnd {
            met += 1
        }
        check()
    }
    print("\(name): overlapped \(met) times of \(round)")
    #expect(met > 0, "the threads never overlapped", sourceLocation: location)
}
