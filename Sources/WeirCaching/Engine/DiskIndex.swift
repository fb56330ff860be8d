// What a disk store believes about its directory: which files there are, how large, and in what order they were used.
// The directory is the truth and this is a hint. One owner at a time; nothing here touches the disk.

import WeirSupport

/// The SHA-256 of a domain and a key: the name of a file.
struct Digest: Hashable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The digest of a domain and a key. The domain's length stands first, so that no two pairs run into one.
    init(domain: String, key: [UInt8]) {
        var bytes = [UInt8]()
        let name = Array(domain.utf8)
        bytes.reserveCapacity(8 + name.count + key.count)
        withUnsafeBytes(of: UInt64(name.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes += name
        bytes += key
        self.init(SHA256Hasher.hash(bytes))
    }

    /// From its lower-case hexadecimal text of 64 digits.
    init?(hex: some StringProtocol) {
        guard hex.utf8.count == 64, let bytes = Hex.bytes(hex), Hex.string(bytes) == hex else { return nil }
        self.init(bytes)
    }

    private init(_ bytes: [UInt8]) {
        words = bytes.withUnsafeBytes {
            (
                $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
                $0.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
            )
        }
    }

    /// Lower-case hexadecimal text, 64 digits.
    var hex: String { withUnsafeBytes(of: words) { Hex.string($0) } }

    static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// Files by digest, in the order of their use.
struct DiskIndex: Sendable {
    /// A file as the directory shows it.
    struct File: Sendable {
        var digest: Digest
        var size: Int
        /// When it was last written or marked as used, in nanoseconds of the file system's time.
        var used: Int64
    }

    private var numbers: [Digest: Int32] = [:]
    private var slots = LinkedSlots()
    private var files = ContiguousArray<File>()
    private var order = LinkedSlots.List()

    /// The sum of the sizes.
    private(set) var total = 0

    var count: Int { numbers.count }

    func size(of digest: Digest) -> Int? { numbers[digest].map { files[Int($0)].size } }

    /// Notes a file of this size as used last.
    mutating func put(_ file: File) {
        if let number = numbers[file.digest] {
            total += file.size - files[Int(number)].size
            files[Int(number)] = file
            slots.remove(number, from: &order)
            slots.append(number, to: &order)
            return
        }
        let number = slots.take()
        if Int(number) == files.count { files.append(file) } else { files[Int(number)] = file }
        slots.append(number, to: &order)
        numbers[file.digest] = number
        total += file.size
    }

    /// Notes a use, and answers whether the file's time is to be set: at most once in `interval` nanoseconds.
    mutating func use(_ digest: Digest, size: Int, at moment: Int64, interval: Int64) -> Bool {
        guard let number = numbers[digest] else {
            put(File(digest: digest, size: size, used: moment))
            return true
        }
        total += size - files[Int(number)].size
        files[Int(number)].size = size
        slots.remove(number, from: &order)
        slots.append(number, to: &order)
        // A clock that was set back counts as due, too.
        guard !(0..<interval).contains(moment &- files[Int(number)].used) else { return false }
        files[Int(number)].used = moment
        return true
    }

    /// Forgets a file; an unknown one is none the worse.
    mutating func remove(_ digest: Digest) {
        guard let number = numbers.removeValue(forKey: digest) else { return }
        total -= files[Int(number)].size
        slots.remove(number, from: &order)
        slots.give(number)
    }

    /// Takes over what the directory shows: unknown files come in by age, after the known ones, and vanished ones go.
    mutating func adopt(_ found: [File]) {
        let present = Set(found.map(\.digest))
        for digest in numbers.keys.filter({ !present.contains($0) }) { remove(digest) }
        for file in found.sorted(by: { $0.used < $1.used }) {
            guard let number = numbers[file.digest] else {
                put(file)
                continue
            }
            total += file.size - files[Int(number)].size
            files[Int(number)].size = file.size
        }
    }

    /// What has to go, least recently used first, until the total is at most `target`.
    ///
    /// - Parameter sparingNewest: the file that was used last stays even so.
    func surplus(over target: Int, sparingNewest: Bool) -> [Digest] {
        var left = total
        var digests: [Digest] = []
        var next = order.isEmpty ? nil : Optional(order.oldest)
        while left > target, let number = next, !sparingNewest || number != order.newest {
            left -= files[Int(number)].size
            digests.append(files[Int(number)].digest)
            next = slots.newer(than: number)
        }
        return digests
    }
}
