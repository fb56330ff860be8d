// stage: names an operator that you wrote yourself, for the trace.
//
//     --1--2--3--|
//     stage("scale", from: Int.self, to: Double.self)
//     --1--2--3--|

extension ObservableConvertible {
    /// Names the operator of your own that makes this stream, with the types of what goes in and comes out.
    ///
    /// Say it behind `Observable(attach:)`. Elements, demand, the end and cancel pass through untouched. With the trace off
    /// the stage is not even there; with it on it counts what passes, and the stages that your `attach` links stand
    /// above it. O(1).
    ///
    /// - Parameters:
    ///   - name: the operator's name.
    ///   - input: what goes in.
    ///   - output: what comes out.
    @inlinable
    public func stage<Input>(
        _ name: StaticString, from input: Input.Type, to output: Element.Type,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        let stage = Stage(name, Input.self, Element.self, file, line)
        // Its own call counts for the depth, though it adds no stage.
        return Observable(after: up.depth) { down in
            Trace.isOn ? Trace.attach(stage, down) { up.attach($0) } : up.attach(down)
        }
    }

    /// The same for an operator that draws on several streams, as in `stage("race", merging: (Int, String).self)`.
    ///
    /// - Parameter inputs: what its upstreams carry; a tuple where that differs.
    @inlinable
    public func stage<Inputs>(
        _ name: StaticString, merging inputs: Inputs.Type, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        stage(name, from: inputs, to: Element.self, file: file, line: line)
    }
}
