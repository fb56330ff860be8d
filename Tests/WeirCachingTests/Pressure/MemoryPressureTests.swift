import Foundation
import Testing
import Weir
import WeirTestSupport

@testable import WeirCaching

@Suite(.ownThread) struct MemoryPressureTests {
    let folder: Folder
    init() throws { folder = try Folder() }

    @Test func eachLevelLetsGoOfWhatItHoldsInMemory() async throws {
        let pressure = PublishSubject<MemoryPressureLevel, Never>()
        let memory = MemoryLevel<String, Data>(limit: 1_000)
        let disk = DiskLevel<String, Data>(directory: folder.url, limit: 10_000)
        let cache = memory.compose(disk).pooled()
        try await cache.set(Data("a".utf8), forKey: "a")
        let token = cache.respond(to: pressure.observable)
        #expect(memory.count == 1)
        pressure.send(.warning)
        #expect(memory.count == 0 && disk.count == 1 && memory.statistics.removals[.pressure] == 1)
        #expect(try await cache.value(forKey: "a") == Data("a".utf8))
        token.cancel()
        pressure.send(.critical)
        #expect(memory.count == 1)
    }

    @Test func respondingKeepsNoCacheAlive() async throws {
        final class Value: Sendable {}
        let pressure = PublishSubject<MemoryPressureLevel, Never>()
        weak var held: Value?
        var token: SubscriptionToken?
        do {
            let memory = MemoryLevel<Int, Value>(limit: 10, cost: { _ in 1 })
            let cache = memory.compose(
                Fetcher<Int, Value> { (_: Int) async throws -> Value in throw CacheError.notFound }
            ).normalized()
            let value = Value()
            held = value
            try memory.insert(CacheEntry(value), forKey: 1)
            token = cache.respond(to: pressure.observable)
            withExtendedLifetime((cache, memory)) {}
        }
        #expect(held == nil)
        pressure.send(.critical)
        #expect(token?.isFinished == false)
    }

    #if os(Linux)
    private func group(high: Int = 0, max: Int = 0, killed: Int = 0) throws {
        let text = "low 0\nhigh \(high)\nmax \(max)\noom 0\noom_kill \(killed)\n"
        // In place, as the kernel's file changes: a new file under the name would be another one.
        let path = folder.path + "/memory.events"
        if !FileManager.default.fileExists(atPath: path) { _ = try folder.file("memory.events", []) }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    @Test(.timeLimit(.minutes(5))) func aControlGroupTellsWhatItsCountersSay() async throws {
        try group(high: 10, max: 10, killed: 10)
        let heard = Noted<[MemoryPressureLevel]>([])
        let token = MemoryPressure.controlGroup(folder.path).subscribe {
            heard.append($0)
        } done: { _ in
        }
        try group(high: 11, max: 10, killed: 10)
        await until { heard.value.count == 1 }
        try group(high: 12, max: 10, killed: 11)
        await until { heard.value.count == 2 }
        // The same numbers once more say nothing.
        try group(high: 12, max: 10, killed: 11)
        try group(high: 13, max: 10, killed: 11)
        await until { heard.value.count == 3 }
        #expect(heard.value == [.warning, .critical, .warning])
        token.cancel()
    }

    @Test(.timeLimit(.minutes(5))) func aSourceThatIsNotThereFails() async throws {
        for source in [
            MemoryPressure.controlGroup(folder.path + "/none"), MemoryPressure.stalls(in: folder.path + "/none"),
            MemoryPressure.stalls(window: .seconds(3_600)),
        ] {
            let failed = Noted<DiskFailure?>(nil)
            let token = source.subscribe { _ in
            } done: { completion in
                if case .failed(let error) = completion { failed.change { $0 = error } }
            }
            #expect(failed.value != nil && token.isFinished)
        }
    }

    /// The kernel's own notice: a child reads more than its control group may keep, and so waits for memory.
    @Test(.enabled(if: Squeeze.isToBeHad, "no control group for memory may be made here"), .timeLimit(.minutes(5)))
    func theKernelTellsOfStalls() async throws {
        let heard = Noted<[MemoryPressureLevel]>([])
        let source = MemoryPressure.stalls(some: .milliseconds(20), window: .seconds(2))
        let token = source.subscribe {
            heard.append($0)
        } done: { _ in
        }
        let squeeze = try #require(Squeeze(in: folder))
        let isOver = squeeze.isOver
        await until { !heard.value.isEmpty || isOver.value }
        #expect(!heard.value.isEmpty && !token.isFinished)
        token.cancel()
        squeeze.end()
    }

    @Test(.timeLimit(.minutes(5))) func aWatchThatIsCancelledClosesItsFiles() async throws {
        try group()
        let path = folder.path
        func links() -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
                    .contains("inotify") ?? false
            } ?? 0
        }
        let before = links()
        for _ in 0..<20 {
            let token = MemoryPressure.controlGroup(path).subscribe { _ in
            } done: { _ in
            }
            token.cancel()
        }
        spin(atMost: .seconds(10)) { links() == before }
        #expect(links() == before)
    }
    #endif
}

#if os(Linux)
/// A child in a control group of version 1 with 8 MiB that reads a file of 40 MB again and again.
private final class Squeeze {
    private static let root = "/sys/fs/cgroup/memory"
    static let isToBeHad =
        geteuid() == 0 && access(root + "/memory.limit_in_bytes", F_OK) == 0
        && access("/proc/pressure/memory", W_OK) == 0

    private let group = "\(root)/weir-\(UUID().uuidString)"
    private let process = Process()
    let isOver = Noted(false)

    init?(in folder: Folder) {
        guard mkdir(group, 0o700) == 0,
            (try? "8388608".write(toFile: group + "/memory.limit_in_bytes", atomically: false, encoding: .utf8)) != nil
        else { return nil }
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c",
            """
            echo $$ > \(group)/cgroup.procs; head -c 40000000 /dev/zero > "$0"
            for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cat "$0" "$0" > /dev/null; done
            """, folder.path + "/large",
        ]
        process.terminationHandler = { [isOver] _ in isOver.change { $0 = true } }
        guard (try? process.run()) != nil else { return nil }
    }
    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        spin(atMost: .seconds(5)) { rmdir(group) == 0 }
    }
}
#endif
