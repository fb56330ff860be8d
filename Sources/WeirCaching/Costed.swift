// What a value costs where nobody says otherwise: bytes for what has bytes, one for the rest.

import Foundation

/// A value that knows its own cost. A cost function given to a level wins over it.
public protocol Costed {
    /// What it costs, in bytes where it has any; a level counts less than one as one.
    var cacheCost: Int { get }
}

extension Data: Costed {
    /// The bytes.
    public var cacheCost: Int { count }
}

extension String: Costed {
    /// The bytes of its UTF-8.
    public var cacheCost: Int { utf8.count }
}

extension URL: Costed {
    /// The bytes of its string.
    public var cacheCost: Int { absoluteString.utf8.count }
}

extension Character: Costed {
    /// One.
    public var cacheCost: Int { 1 }
}

extension Costed where Self: Numeric {
    /// One.
    public var cacheCost: Int { 1 }
}

extension Int: Costed {}
extension Int8: Costed {}
extension Int16: Costed {}
extension Int32: Costed {}
extension Int64: Costed {}
extension UInt: Costed {}
extension UInt8: Costed {}
extension UInt16: Costed {}
extension UInt32: Costed {}
extension UInt64: Costed {}
extension Float: Costed {}
extension Double: Costed {}

extension Array: Costed where Element: Costed {
    /// The sum over its elements.
    public var cacheCost: Int { reduce(0) { $0 + $1.cacheCost } }
}
