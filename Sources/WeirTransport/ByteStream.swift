// Bytes both ways between two ends, without a word about what carries them. TCP is one; a secure layer wraps another one
// and is one itself; a network in memory is one, too. So whoever speaks over a stream does not know which it is.

/// A reliable, ordered stream of bytes in both directions.
///
/// All calls are safe from any thread and from inside the handlers. A handler runs without any lock of the stream. After
/// `close` or `abort` no handler is called. Letting go of the last reference aborts.
package protocol ByteStream: AnyObject, Sendable {
    /// The other end, for error texts and for limits by address.
    var remote: Endpoint { get }

    /// Asks for the next bytes, once: some bytes, nil at the other end's end, or the error that broke the stream.
    ///
    /// Nothing is read while nobody asks; the other end then feels the pressure. One read may wait at a time; a second
    /// one takes the place of the first.
    func read(_ handler: @escaping @Sendable (Result<[UInt8]?, TransportError>) -> Void)

    /// Hands bytes over; they leave in order.
    ///
    /// - Returns: whether there is room for more. After a `full` the bytes are taken all the same, and the handler of
    ///   `onRoom` is called once when most of what waits has left.
    func write(_ bytes: [UInt8]) -> WriteAnswer

    /// Sets what is called, once after each `full`, when there is room again.
    func onRoom(_ handler: @escaping @Sendable () -> Void)

    /// No more bytes from this end: what waits leaves, then the other end reads the end. Reading goes on.
    func finish()

    /// Ends both ways politely: what waits leaves, what still comes is thrown away, and the stream is gone when the other
    /// end ends too. Until then it lives by itself. A stalled peer is waited for, over TCP for 30 seconds: who wants less
    /// aborts.
    func close()

    /// Ends both ways at once; what waits is lost.
    func abort()
}

/// What `write` says about the queue.
package enum WriteAnswer: Sendable {
    /// Taken, and more may come.
    case room
    /// Taken, but wait for the signal before more.
    case full
    /// Not taken: the stream is finished, closed or broken.
    case closed
}
