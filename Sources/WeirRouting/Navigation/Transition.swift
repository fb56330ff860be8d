/// Starts a transition, and waits until it says that it is over. Cancelling the waiting task ends the waiting.
@MainActor
func finished(_ start: @MainActor (_ completed: @escaping @Sendable () -> Void) throws -> Void) async throws {
    let isOver = BehaviorSubject<Bool, Never>(false)
    try start { isOver.send(true) }
    guard await isOver.observable.filter({ $0 }).first != nil else { throw CancellationError() }
}
