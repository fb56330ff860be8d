/// How many more elements a subscriber takes: a count of one or more, or everything.
///
/// Demands add up, and the sum saturates: `.unbounded` plus anything stays `.unbounded`. A demand below one cannot be
/// said, so a source never has to answer it (Reactive Streams, rule 3.9).
public struct Demand: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// The number of elements; `Int.max` means everything.
    public let count: Int

    /// A demand for `count` elements.
    ///
    /// - Parameter count: one or more; less is a programmer's fault and stops the program.
    @inlinable public init(_ count: Int) {
        precondition(count > 0, "a demand is for one element or more")
        self.count = count
    }

    /// A demand for `value` elements, one or more.
    @inlinable public init(integerLiteral value: Int) { self.init(value) }

    /// Everything, for ever: the source need not count any more.
    @inlinable public static var unbounded: Demand { Demand(.max) }

    /// The sum of both; it saturates at `.unbounded`.
    @inlinable public static func + (left: Demand, right: Demand) -> Demand {
        Demand(saturating(left.count, right.count))
    }

    /// The count, or `unbounded`.
    public var description: String { count == .max ? "unbounded" : "\(count)" }
}

/// `a + b`, or `Int.max` where that does not fit.
@inlinable func saturating(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
}
