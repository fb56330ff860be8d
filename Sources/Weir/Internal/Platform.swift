// The one file that names the C library: which thread this is, and a slot of its own for each thread.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells threads apart while they live; never zero.
@inlinable @inline(__always) func threadIdentity() -> UInt {
    #if canImport(Glibc)
    UInt(pthread_self())
    #else
    UInt(bitPattern: pthread_self())
    #endif
}

/// One object for each thread, made at first use and released when the thread ends.
@usableFromInline final class ThreadSlot<Object: AnyObject>: @unchecked Sendable {
    private let key: pthread_key_t
    private let make: @Sendable () -> Object

    @usableFromInline init(_ make: @escaping @Sendable () -> Object) {
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

    @usableFromInline var current: Object {
        if let known = pthread_getspecific(key) {
            return Unmanaged<Object>.fromOpaque(known)._withUnsafeGuaranteedRef { $0 }
        }
        let new = make()
        pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
        return new
    }
}
