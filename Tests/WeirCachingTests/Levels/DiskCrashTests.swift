import Foundation
import Testing
import WeirCacheWriter
import WeirTestSupport

@testable import WeirCaching

/// Contract 7: a process that is ended at any moment of a write leaves a folder that the next one opens.
@Suite(.ownThread) struct DiskCrashTests {
    let folder: Folder
    init() throws { folder = try Folder() }

    static let kills = setting("WEIR_KILLS", or: 200)
    let limit = 150_000
    let keys = 40

    /// Durable writes sync in the middle, so many of the kills fall between the temporary file and its new name.
    @Test(.timeLimit(.minutes(15))) func everyKillLeavesAFolderThatOpens() async throws {
        var random = Seeded(7)
        var left = 0
        var read = 0
        for kill in 0..<Self.kills {
            let writer = try Writer(
                folder.path, limit: limit, seed: kill, keys: keys, isDurable: !random.oneIn(4))
            #expect(writer.says("w"))
            spin(atMost: .microseconds(random.below(5_000))) { false }
            writer.crash()
            if folder.names.contains(where: { $0.hasSuffix(".tmp") }) { left += 1 }
            read += try await wholeValues(after: kill)
        }
        print("crash: \(left) of \(Self.kills) kills left a temporary file; \(read) values read, each whole")
        #expect(left >= Self.kills / 10, "too few kills fell into a write to say anything")
        #expect(read > Self.kills)
    }

    /// How many values the next start finds, each of which must be one that was written for its key.
    private func wholeValues(after kill: Int) async throws -> Int {
        let level = DiskLevel<Int, Data>(directory: folder.url, limit: limit)
        var count = 0
        for key in 0..<keys {
            do throws(CacheError) {
                let value = try await level.value(forKey: key)
                #expect(Sample.isValue(value, key: key), "kill \(kill), key \(key)")
                count += 1
            } catch {
                guard case .notFound = error else { throw error }
            }
        }
        #expect(level.used == folder.bytes && level.used <= limit, "kill \(kill)")
        #expect(!folder.names.contains { $0.hasSuffix(".tmp") }, "kill \(kill): \(folder.names)")
        return count
    }
}
