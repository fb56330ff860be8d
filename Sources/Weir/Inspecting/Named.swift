// named: gives a place in a chain a name, for the trace.
//
//     --1--2--3--|
//     named("temperature")
//     --1--2--3--|

extension ObservableConvertible {
    /// Gives this place in the chain a name that the trace shows.
    ///
    /// Elements, demand, the end and cancel pass through untouched. With the trace off the stage is not even there: no
    /// node, no allocation, no call for an element. With it on the node counts what passes. O(1).
    ///
    /// - Parameter name: what the trace calls it, as in `named "temperature" Double -> Double (App/Main.swift:12)`.
    @inlinable
    public func named(
        _ name: String, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        let stage = Stage("named", Element.self, Element.self, file, line)
        // Its own call counts for the depth, though it adds no stage.
        return Observable(after: up.depth) { down in
            Trace.isOn ? Trace.attach(stage, named: name, down) { up.attach($0) } : up.attach(down)
        }
    }
}
