// The one file that names the C library: which thread this is, a slot of its own for each thread, standard error, and threads
// for tests.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells threads apart while they live; never zero.
@inlinable @inline(__always) package func threadIdentity() -> UInt {
    #if canImport(Glibc)
    UInt(pthread_self())
    #else
    UInt(bitPattern: pthread_self())
    #endif
}

/// Writes a text to standard error, as far as it takes it.
package func printToStandardError(_ text: String) {
    var text = text
    text.withUTF8 { bytes in _ = write(2, bytes.baseAddress, bytes.count) }
}

/// One object for each thread, made at first use and released when the thread ends.
@usableFromInline package final class ThreadSlot<Object: AnyObject>: @unchecked Sendable {
    private let key: pthread_key_t
    private let make: @Sendable () -> Object

    @usableFromInline package init(_ make: @escaping @Sendable () -> Object) {
        var key = pthread_key_t()
        let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { object in
            if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
        }
        #if canImport(Darwin)
        let code = pthread_key_create(&key) { release($0) }
        #else
        let code = pthread_key_create(&key, release)
        #endif
        precondition(code == 0, "the system has no thread-specific key left (PTHREAD_KEYS_MAX)")
        self.key = key
        self.make = make
    }

    @usableFromInline package var current: Object {
        if let known = pthread_getspecific(key) {
            return Unmanaged<Object>.fromOpaque(known)._withUnsafeGuaranteedRef { $0 }
        }
        let new = make()
        pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
        return new
    }
}

/// Threads for the test kit, which blocks on purpose and so may not do it on the concurrency pool's.
package enum Threads {
    private final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread that nobody joins. `false`: the system gave none.
    ///
    /// - Parameter stackSize: bytes; nil means the system's default.
    package static func start(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        let start = Unmanaged.passRetained(Start(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        let code = pthread_create(&thread, &attributes, { Threads.run($0) }, start.toOpaque())
        #else
        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, { $0.flatMap { Threads.run($0) } }, start.toOpaque())
        #endif
        if code != 0 { start.release() }
        return code == 0
    }
    private static func run(_ start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body()
        return nil
    }

    /// Lets other threads run for `microseconds`, or for one turn where that is zero.
    package static func pause(microseconds: Int = 0) {
        guard microseconds > 0 else {
            sched_yield()
            return
        }
        var time = timespec(tv_sec: microseconds / 1_000_000, tv_nsec: microseconds % 1_000_000 * 1_000)
        nanosleep(&time, nil)
    }
}
