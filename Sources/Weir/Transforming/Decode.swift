// decode: data to values, through a decoder.
//
//     --"[1]"--"[2,3]"--|
//     decode([Int].self, using: JSONCoder())
//     --[1]----[2, 3]---|

/// Turns raw input into values of any decodable type. `JSONCoder` of WeirSupport is one.
public protocol ElementDecoder<Input>: Sendable {
    /// What it reads.
    associatedtype Input: Sendable
    /// The value in `input`.
    func decode<Value: Decodable & Sendable>(_ type: Value.Type, from input: Input) throws -> Value
}

extension ObservableConvertible {
    /// Decodes each element.
    ///
    /// Input that cannot be read cancels upstream and fails the stream with the decoder's error: decode inside a
    /// `flatMap` with `replaceError` where the stream is to live on. Completion, cancel and demand pass through untouched.
    ///
    /// - Parameters:
    ///   - type: what each element is read as.
    ///   - decoder: reads it.
    @inlinable
    public func decode<Value: Decodable & Sendable, Decoder: ElementDecoder<Element>>(
        _ type: Value.Type, using decoder: Decoder, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Value, any Error> {
        let up = observable
        let stage = Stage("decode", Element.self, Value.self, file, line)
        return Observable<Value, any Error>(stage, after: up.depth) { down in
            let next = down.next
            return up.attachTrying(down) { next(try decoder.decode(type, from: $0)) }
        }
    }
}
