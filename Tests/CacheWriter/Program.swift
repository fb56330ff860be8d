// A process that writes into a cache folder as fast as it can: tests end it at any moment, or run two side by side.
//
//     WeirCacheWriter FOLDER LIMIT SEED KEYS FIRST COUNT durable|fast
//     WeirCacheWriter defaults NAME KEY [VALUE]        keeps a text in the user's defaults, or prints it
//
// It prints a w after its first write and a d after the last one; then it waits until its standard input ends.

import Foundation
import WeirCaching

/// What the process writes: a value that says for which key it was made, so that a reader can tell.
package enum Sample {
    /// - Parameter number: makes values of one key differ, in length, too.
    package static func value(key: Int, number: UInt64) -> Data {
        let start = mix(number &* 31 &+ UInt64(key))
        let words = [UInt64(key), number] + (0..<start % 1_500).map { start &+ $0 }
        return words.withUnsafeBytes { Data($0) }
    }

    /// Whether this value was made for this key, whole.
    package static func isValue(_ data: Data, key: Int) -> Bool {
        guard data.count >= 16 else { return false }
        let number = [UInt8](data).withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }
        return data == value(key: key, number: number)
    }

    /// SplitMix64's finish.
    package static func mix(_ number: UInt64) -> UInt64 {
        var mixed = number &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@main enum Program {
    static func main() async throws {
        let words = CommandLine.arguments
        if words.count > 3, words[1] == "defaults" { return try await defaults(words) }
        guard words.count == 8, let limit = Int(words[2]), let seed = UInt64(words[3]), let keys = Int(words[4]),
            let first = Int(words[5]), let count = Int(words[6]), keys > 0
        else { exit(2) }
        let level = DiskLevel<Int, Data>(
            directory: URL(filePath: words[1]), limit: limit, durable: words[7] == "durable")
        for turn in 0..<count {
            let number = Sample.mix(seed &* 1_000_003 &+ UInt64(turn))
            let key = first + Int(number % UInt64(keys))
            try await level.set(Sample.value(key: key, number: number), forKey: key)
            if turn == 0 { say("w") }
        }
        say("d")
        _ = FileHandle.standardInput.readDataToEndOfFile()
        withExtendedLifetime(level) {}
    }

    private static func defaults(_ words: [String]) async throws {
        let level = DefaultsLevel<String, String>(name: words[2])
        guard words.count > 4 else { return say((try? await level.value(forKey: words[3])) ?? "nothing") }
        try await level.set(words[4], forKey: words[3])
        say("w")
        _ = FileHandle.standardInput.readDataToEndOfFile()
    }

    private static func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
