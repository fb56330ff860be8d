// fail: fails at once.
//
//     fail(Lost())
//     #

extension Observable {
    /// Fails at the first request, without an element. After a cancel it signals nothing. O(1).
    ///
    /// - Parameter error: what every subscriber gets.
    @inlinable
    public static func fail(_ error: Failure, file: StaticString = #fileID, line: UInt = #line) -> Observable {
        Observable(source: Stage("fail", nil, Element.self, file, line)) {
            Subscription(OneSource(nil, .failed(error), $0))
        }
    }
}
