// Memory pressure as a stream: what the system says when memory becomes scarce. A manual source is a subject:
// `PublishSubject<MemoryPressureLevel, Never>()`.
//
//     MemoryPressure.system    ---warning------critical---warning---

import Weir

/// Where the news comes from that memory becomes scarce.
///
/// Each subscription to a source costs what the system's own notice costs (on Linux a sleeping thread): `share()` it where
/// many listen. A source never finishes. It fails where the system refuses the notice, or takes it back.
public enum MemoryPressure {
    /// A stream of pressure that may not be to be had.
    public typealias Source = Observable<MemoryPressureLevel, DiskFailure>

    /// What this system has: on Apple's its own notices; on Linux stalls, and what the process's control group says where
    /// there are no stalls to be had.
    public static var system: Source {
        #if canImport(Darwin)
        notices
        #else
        stalls().catch { _ in controlGroup() }
        #endif
    }
}

#if os(Linux)
import Foundation

extension MemoryPressure {
    /// Pressure stall information (Linux since 4.20): `warning` where some tasks waited for memory, `critical` where all
    /// did, for more than so much of a window. At most one notice a window.
    ///
    /// Source: the kernel's documentation, accounting/psi, "Monitoring for pressure thresholds".
    ///
    /// - Parameters:
    ///   - path: the file of the whole system, or `memory.pressure` of a control group.
    ///   - some: how long some tasks have to wait within the window.
    ///   - all: how long all tasks have to wait within the window.
    ///   - window: half a second to ten; without the right to administrate it has to be a multiple of two seconds.
    public static func stalls(
        in path: String = "/proc/pressure/memory", some: Duration = .milliseconds(150),
        all: Duration = .milliseconds(100), window: Duration = .seconds(2)
    ) -> Source {
        watching { emitter throws(DiskFailure) in
            let warning = try trigger("some", some, window, path)
            do throws(DiskFailure) {
                let critical = try trigger("full", all, window, path)
                return [warning, critical].enumerated().map { number, file in
                    FileWatch.Watched(file: file, events: POLLPRI) {
                        emitter.send(number == 0 ? .warning : .critical)
                        return true
                    }
                }
            } catch {
                close(warning)
                throw error
            }
        }
    }

    /// What a control group of version 2 says in `memory.events`: `warning` each time it went over `memory.high`,
    /// `critical` each time it met `memory.max` or lost a process for it.
    ///
    /// Source: the kernel's documentation, admin-guide/cgroup-v2, "Memory Interface Files".
    ///
    /// - Parameter folder: the group's folder; `nil` is the one of this process.
    public static func controlGroup(_ folder: String? = nil) -> Source {
        watching { emitter throws(DiskFailure) in
            let path = (folder ?? ownGroup) + "/memory.events"
            let counts = Lock(try GroupCounts(path))
            let file = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            guard file >= 0 else { throw DiskFailure("inotify", path) }
            guard inotify_add_watch(file, path, UInt32(IN_MODIFY | IN_DELETE_SELF)) >= 0 else {
                let failure = DiskFailure("inotify", path)
                close(file)
                throw failure
            }
            let watched = FileWatch.Watched(file: file, events: POLLIN) {
                drain(file)
                guard let new = try? GroupCounts(path) else { return false }
                let old = counts.withLock { counts in
                    defer { counts = new }
                    return counts
                }
                if let level = new.level(since: old) { emitter.send(level) }
                return true
            }
            return [watched]
        }
    }

    private static func watching(
        _ open:
            @escaping @Sendable (Emitter<MemoryPressureLevel, DiskFailure>) throws(DiskFailure) -> [FileWatch.Watched]
    ) -> Source {
        .create { emitter in
            do throws(DiskFailure) {
                let watch = try FileWatch(open(emitter)) {
                    emitter.fail(DiskFailure("poll", "memory pressure", code: EPIPE))
                }
                emitter.onTermination { watch.cancel() }
            } catch {
                emitter.fail(error)
            }
        }
    }

    private static func trigger(
        _ kind: String, _ stall: Duration, _ window: Duration, _ path: String
    ) throws(DiskFailure) -> Int32 {
        let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw DiskFailure("open", path) }
        // The kernel wants the zero at the end, too.
        let text = Array("\(kind) \(stall.microseconds) \(window.microseconds)\0".utf8)
        guard write(file, text, text.count) == text.count else {
            let failure = DiskFailure("write \(kind) to", path)
            close(file)
            throw failure
        }
        return file
    }

    private static func drain(_ file: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
            while read(file, buffer.baseAddress, buffer.count) > 0 {}
        }
    }

    /// The line of version 2 in `/proc/self/cgroup` is `0::/path`.
    private static var ownGroup: String {
        let lines = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
        let line = lines.split(separator: "\n").first { $0.hasPrefix("0::") } ?? "0::"
        return "/sys/fs/cgroup\(line.dropFirst(3) == "/" ? "" : line.dropFirst(3))"
    }
}

/// The counters in `memory.events`.
private struct GroupCounts: Sendable {
    var high = 0
    var limit = 0

    init(_ path: String) throws(DiskFailure) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { throw DiskFailure("read", path) }
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let count = Int(words[1]) else { continue }
            switch words[0] {
            case "high": high = count
            case "max", "oom", "oom_kill": limit &+= count
            default: break
            }
        }
    }

    func level(since old: Self) -> MemoryPressureLevel? {
        if limit > old.limit { return .critical }
        return high > old.high ? .warning : nil
    }
}

extension Duration {
    fileprivate var microseconds: Int64 { Int64(seconds * 1e6) }
}
#endif
