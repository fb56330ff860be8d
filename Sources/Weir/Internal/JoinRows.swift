// How a join becomes a stream of rows: a tuple in memory for a pack of streams, a buffer for a list of them.

extension JoinEngine {
    /// Rows of a pack. The row's type appears in `emit` alone, which is formed outside the pack expansion.
    @inlinable static func rows<each Element: Sendable, Failure: Error>(
        _ stage: Stage, zips: Bool, _ streams: repeat Observable<each Element, Failure>
    ) -> Observable<(repeat each Element), Failure> {
        var depth = 0
        repeat depth = max(depth, (each streams).depth)
        return Observable<(repeat each Element), Failure>(stage, after: depth, weight: Segment.engine) { down in
            let out = Outlet(down)
            let engine = JoinEngine(zips: zips, drop: { out.drop() }) { engine in
                let row = UnsafeMutablePointer<(repeat each Element)>.allocate(capacity: 1)
                let memory = UnsafeMutableRawPointer(row)
                engine.memory = memory
                repeat engine.enrol(
                    JoinLane(engine, memory, each streams) { engine, end in engine.finish { out.done(end) } })
                precondition(
                    engine.memorySize == MemoryLayout<(repeat each Element)>.size, "a tuple's layout has changed")
                engine.row = Row(
                    // zip's lanes move their elements in for each row, so the row moves them out again.
                    emit: { zips ? out.next(row.move()) : out.next(row.pointee) }, complete: { out.done(.finished) })
            }
            return Subscription(engine)
        }
    }

    /// Rows of a list; an empty one gives `[]` once and finishes.
    @inlinable static func rows<Element: Sendable, Failure: Error>(
        _ stage: Stage, zips: Bool, list streams: [Observable<Element, Failure>]
    ) -> Observable<[Element], Failure> {
        if streams.isEmpty { return Observable<[Element], Failure>(stage, [], then: .finished) }
        let count = streams.count
        let depth = streams.reduce(0) { max($0, $1.depth) }
        return Observable<[Element], Failure>(stage, after: depth, weight: Segment.engine) { down in
            let out = Outlet(down)
            let engine = JoinEngine(zips: zips, drop: { out.drop() }) { engine in
                let row = UnsafeMutablePointer<Element>.allocate(capacity: count)
                let memory = UnsafeMutableRawPointer(row)
                engine.memory = memory
                for stream in streams {
                    engine.enrol(JoinLane(engine, memory, stream) { engine, end in engine.finish { out.done(end) } })
                }
                engine.row = Row(
                    emit: {
                        let elements = Array(UnsafeBufferPointer(start: row, count: count))
                        if zips { row.deinitialize(count: count) }
                        return out.next(elements)
                    }, complete: { out.done(.finished) })
            }
            return Subscription(engine)
        }
    }
}
