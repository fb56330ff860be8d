/// Where the parts of a URL are, in one pass over its bytes and without an allocation.
///
///     scheme://host:port/segment/segment/?name=value#fragment
///
/// A scheme is what stands before the first slash if that slash belongs to `://`. The host counts as the first segment.
struct URLOutline {
    /// The scheme is `0..<schemeEnd`; 0 where there is none.
    var schemeEnd = 0
    var hasHost = false
    /// The segments, without the slashes before and after.
    var path = 0..<0
    var hasTrailingSlash = false
    /// The query, without its `?`.
    var query: Range<Int>?
    /// The fragment, without its `#`.
    var fragment: Range<Int>?
    var hasEscapes = false
    var segmentCount = 0
}

/// One segment's place, and whether it needs the slow comparison.
struct SegmentSpan {
    var start: Int
    var end: Int
    /// Every byte is below 128.
    var isASCII: Bool
}

extension URLOutline {
    private static let slash = UInt8(ascii: "/")
    private static let question = UInt8(ascii: "?")
    private static let hash = UInt8(ascii: "#")
    private static let percent = UInt8(ascii: "%")

    /// - Parameter spans: receives the first segments, as many as it has room for; the others are only counted.
    init(_ bytes: UnsafeRawBufferPointer, spans: UnsafeMutableBufferPointer<SegmentSpan>) throws(URLFault) {
        let start = try readScheme(bytes)
        let end = try readPath(bytes, from: start, into: spans)
        readTail(bytes, from: end)
        if hasEscapes, case .failure(let fault) = percentDecoded(bytes) { throw fault }
    }

    /// Reads scheme and host marks.
    ///
    /// - Returns: where the segments begin.
    private mutating func readScheme(_ bytes: UnsafeRawBufferPointer) throws(URLFault) -> Int {
        let count = bytes.count
        var index = 0
        while index < count, !Self.isDelimiter(bytes[index]) { index += 1 }
        guard index < count, bytes[index] == Self.slash else { return 0 }
        guard index + 1 < count, bytes[index + 1] == Self.slash, index == 0 || bytes[index - 1] == UInt8(ascii: ":")
        else { return index == 0 ? 1 : 0 }
        if index > 0 {
            schemeEnd = index - 1
            try checkScheme(bytes)
        }
        let start = index + 2
        if start < count, !Self.isDelimiter(bytes[start]) {
            hasHost = true
            return start
        }
        return start < count && bytes[start] == Self.slash ? start + 1 : start
    }

    private func checkScheme(_ bytes: UnsafeRawBufferPointer) throws(URLFault) {
        if schemeEnd == 0 { throw URLFault(offset: 0, reason: "a scheme is missing before ://") }
        for index in 0..<schemeEnd {
            switch bytes[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): continue
            case UInt8(ascii: "0")...UInt8(ascii: "9") where index > 0: continue
            case UInt8(ascii: "+") where index > 0, UInt8(ascii: "-") where index > 0,
                UInt8(ascii: ".") where index > 0:
                continue
            default: throw URLFault(offset: index, reason: "a scheme is a letter, then letters, digits, +, - or .")
            }
        }
    }

    /// Splits the path.
    ///
    /// - Returns: where it ends.
    private mutating func readPath(
        _ bytes: UnsafeRawBufferPointer, from pathStart: Int, into spans: UnsafeMutableBufferPointer<SegmentSpan>
    ) throws(URLFault) -> Int {
        guard let base = bytes.baseAddress else { return pathStart }
        let count = bytes.count
        var index = pathStart
        var start = pathStart
        var seen: UInt8 = 0
        var found = 0
        var escapes = false
        scan: while index < count {
            let byte = base.load(fromByteOffset: index, as: UInt8.self)
            // Letters, most of every path, are above all four delimiters.
            if byte > Self.question {
                seen |= byte
            } else if byte == Self.slash {
                if index == start { throw URLFault(offset: index, reason: "a segment is empty") }
                if found < spans.count { spans[found] = SegmentSpan(start: start, end: index, isASCII: seen < 128) }
                found &+= 1
                start = index &+ 1
                seen = 0
            } else if byte == Self.question || byte == Self.hash {
                break scan
            } else if byte == Self.percent {
                escapes = true
            }
            index &+= 1
        }
        if index > start {
            if found < spans.count { spans[found] = SegmentSpan(start: start, end: index, isASCII: seen < 128) }
            found += 1
        } else {
            hasTrailingSlash = found > 0
        }
        path = pathStart..<(hasTrailingSlash ? index - 1 : index)
        segmentCount = found
        hasEscapes = escapes
        return index
    }

    /// Finds query and fragment.
    private mutating func readTail(_ bytes: UnsafeRawBufferPointer, from pathEnd: Int) {
        guard pathEnd < bytes.count else { return }
        var queryEnd = pathEnd
        if bytes[pathEnd] == Self.question {
            while queryEnd < bytes.count, bytes[queryEnd] != Self.hash { queryEnd += 1 }
            query = pathEnd + 1..<queryEnd
        }
        if queryEnd < bytes.count { fragment = queryEnd + 1..<bytes.count }
        if !hasEscapes { hasEscapes = bytes[pathEnd...].contains(Self.percent) }
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool { byte == slash || byte == question || byte == hash }
}

extension String {
    /// The UTF-8 bytes, without a copy where the string is native.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
        var native = self
        return native.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
