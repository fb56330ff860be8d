/// Work in one order, on whichever thread comes first.
final class SerialQueue: @unchecked Sendable {
    private let serial = Serial<@Sendable () -> Void>()

    func run(_ work: @escaping @Sendable () -> Void) {
        if serial.enter() {
            work()
            if !serial.leave() { drain() }
        } else if serial.post(work) {
            drain()
        }
    }
    private func drain() { serial.drain({ $0() }, settle: {}) }
}
