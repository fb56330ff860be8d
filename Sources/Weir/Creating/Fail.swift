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
        Observable(Stage("fail", nil, Element.self, file, line), nil, then: .failed(error))
    }
}
