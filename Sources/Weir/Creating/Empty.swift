// empty: finishes at once.
//
//     empty
//     |

extension Observable {
    /// Finishes at the first request, without an element. After a cancel it signals nothing. O(1).
    @inlinable
    public static func empty(file: StaticString = #fileID, line: UInt = #line) -> Observable {
        Observable(Stage("empty", nil, Element.self, file, line), nil, then: .finished)
    }
}
