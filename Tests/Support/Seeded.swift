/// Numbers that look random and are the same for the same seed in every run, so that a failure can be run again
/// (SplitMix64: Steele, Lea, Flood 2014).
package struct Seeded: RandomNumberGenerator {
    private var state: UInt64
    package init(_ seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    /// True in one of `n` cases.
    package mutating func oneIn(_ n: Int) -> Bool { below(n) == 0 }

    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        let words = (0..<count / 8 + 1).map { _ in next() }
        return words.withUnsafeBytes { Array($0.prefix(count)) }
    }
}
