import WeirTestSupport

/// Draws chains and scripts.
struct ChainGenerator {
    var numbers: Seeded
    /// Operators that may still be drawn.
    var budget = 14

    init(seed: UInt64) { numbers = Seeded(seed) }

    mutating func trial() -> ChainTrial {
        budget = int(2...14)
        let chain = chain(isInner: false, level: 0)
        return ChainTrial(chain: chain, script: script())
    }
    private mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }
    private mutating func chance(_ percent: Int) -> Bool { int(1...100) <= percent }

    private mutating func chain(isInner: Bool, level: Int) -> Chain {
        var chain = Chain(source: isInner ? innerSource() : source(level))
        var count = int(0...(level == 0 ? 7 : 3))
        while count > 0 && budget > 0 {
            count -= 1
            budget -= 1
            let stage = stage(isInner: isInner, level: level)
            // Only a stream that cannot fail takes one.
            if case .setFailureType = stage, chain.canFail { continue }
            chain.stages.append(stage)
        }
        return chain
    }
    private mutating func source(_ level: Int) -> ChainSource {
        switch int(1...100) {
        case 1...24: .sequence(values())
        case 25...32: .created(values(), fails: chance(40))
        case 33...37: .just(int(0...20))
        case 38...42: .empty
        case 43...44: .never
        case 45...50: .fail
        case 51...80: .publish(feed())
        default: .behavior(int(0...20), feed())
        }
    }
    private mutating func innerSource() -> ChainSource {
        switch int(1...100) {
        case 1...85: .element(int(0...3))
        case 86...90: .empty
        case 91...92: .never
        case 93...94: .fail
        default: .sequence(values(most: 3))
        }
    }
    private mutating func values(most: Int = 8) -> [Int] {
        let count = most == 8 && chance(4) ? int(30...200) : int(0...most)
        return (0..<count).map { _ in int(0...20) }
    }
    private mutating func feed() -> ChainFeed {
        let times = (0..<int(0...8)).map { _ in int(1...1_000_000_000) }.sorted()
        let sends = times.map { ChainEvent(time: $0, value: int(0...20)) }
        let end = ChainEnd(time: int((times.last ?? 0) + 1...1_100_000_000), failure: chance(35) ? "subject" : nil)
        return ChainFeed(sends: sends, end: chance(85) ? end : nil)
    }
    private mutating func stage(isInner: Bool, level: Int) -> ChainStage {
        if level < 2 && chance(42) {
            switch int(1...8) {
            case 1: return .flatMap(chance(50) ? nil : int(1...3), chain(isInner: true, level: level + 1))
            case 2: return .flatMapLatest(chain(isInner: true, level: level + 1))
            case 3: return .merge(chain(isInner: isInner, level: level + 1))
            case 4: return .combineLatest(chain(isInner: isInner, level: level + 1))
            case 5: return .zip(chain(isInner: isInner, level: level + 1))
            case 6: return .catch(chain(isInner: isInner, level: level + 1))
            default: return .concat(chain(isInner: isInner, level: level + 1))
            }
        }
        switch int(1...30) {
        case 1: return .map(int(1...9))
        case 2: return .mapThrowing(int(0...6))
        case 3: return .filter(int(2...5))
        case 4: return .filterThrowing(int(0...6))
        case 5: return .compactMap(int(2...5))
        case 6: return .scan
        case 7: return .decode(int(5...25))
        case 8: return .removeDuplicates
        case 9, 10: return .prefix(chance(10) ? 0 : int(1...9))
        case 11: return .dropFirst(int(0...3))
        case 12: return .share(int(0...2))
        case 13: return .shareInTwo(int(0...2))
        case 14, 15: return .debounce(int(1_000_000...300_000_000), flushes: chance(70))
        case 16, 17: return .delay(int(1_000_000...300_000_000))
        case 18: return .receive(lag: int(1_000...90_000), prefetch: chance(30) ? 2 : 256)
        case 19: return .replaceError(int(0...20))
        case 20: return .mapError
        case 21: return .setFailureType
        case 22, 23: return .throttle(int(1_000_000...300_000_000), latest: chance(70))
        case 24, 25: return .buffer
        case 27: return .debug
        case 28: return .named
        case 26: return .repeat(int(0...3))
        case 29: return .prefixWhile(int(0...10))
        default: return .receive(lag: int(1_000...90_000_000), prefetch: 256)
        }
    }

    private mutating func script() -> ChainScript {
        var script = ChainScript()
        switch int(1...10) {
        case 1: script.asking = .batches(1)
        case 2: script.asking = .batches(int(2...5))
        case 3, 4:
            let times = [0] + (0..<int(0...4)).map { _ in int(1...1_000_000_000) }
            script.asking = .outside(times.map { ChainEvent(time: $0, value: int(1...4)) })
        default: break
        }
        switch int(1...20) {
        case 1...3: script.cancel = .inside(int(1...6))
        case 4...7: script.cancel = .at(int(1...1_000_000_000))
        case 8: script.cancel = .beforeRequest
        default: break
        }
        script.drops = chance(15)
        script.watchesAll = chance(70)
        return script
    }
}
