// The speed bars. This is the one place where they stand.
//
// A bar changes only in a commit that says why: what was measured before and after, on which machine, and what the
// library got for what it lost. A bar never moves to make a run pass.

/// What a row may cost at most, on the machine on which the bars were set.
///
/// `baseline` is the same work by hand, or else one delivery from an array of closures to 100. It is measured in the
/// same run. Where it is slower than on the machine of the bars, the bars grow with it; where it is faster they stay.
struct Bar: Sendable {
    /// Nanoseconds for each unit: the median of the repetitions.
    let median: Double
    /// Nanoseconds for each unit: the fastest repetition.
    let minimum: Double?
    /// Allocations for each unit.
    let allocations: Double?
    let baseline: Baseline

    init(_ median: Double, minimum: Double? = nil, allocations: Double? = nil, against baseline: Baseline = .array100) {
        self.median = median
        self.minimum = minimum
        self.allocations = allocations
        self.baseline = baseline
    }
}

/// The same work by hand, with what it took on the machine on which the bars were set.
struct Baseline: Sendable, Hashable {
    /// The name of the row that measures it.
    let row: String
    /// Nanoseconds for each unit there.
    let reference: Double

    static let loop = Baseline(row: "a plain loop", reference: 0.55)
    static let opaqueClosures = Baseline(row: "a loop over three opaque closures", reference: 3.2)
    static let array1 = Baseline(row: "an array of closures delivers to 1", reference: 12.9)
    static let array10 = Baseline(row: "an array of closures delivers to 10", reference: 7.2)
    static let array100 = Baseline(row: "an array of closures delivers to 100", reference: 6.8)
    static let nest1000 = Baseline(row: "a nest of 1,000 closures", reference: 2.7)
    static let hop = Baseline(row: "a locked array from thread to thread", reference: 35)
    static let lruHit = Baseline(row: "a locked dictionary with a list, hit", reference: 214)
    static let lruMiss = Baseline(row: "a locked dictionary with a list, miss", reference: 47)
    static let lruInsert = Baseline(row: "a locked dictionary with a list, insert", reference: 245)
    static let openAndRead = Baseline(row: "open and read of 10 KB", reference: 6_700)
    static let writeAndRename = Baseline(row: "write of 10 KB and rename", reference: 84_000)
    static let hookless = Baseline(row: "just, three maps without a hook", reference: 240)
}

// The core.
extension Bar {
    static let oneExpression = Bar(2.5, against: .loop)
    static let capturingExpression = Bar(15)
    static let storedChain = Bar(13, against: .opaqueClosures)
    static let request64 = Bar(5)
    static let request1 = Bar(14)
    static let prefixes = Bar(18)

    static let fanOut1 = Bar(13, against: .array1)
    static let fanOut10 = Bar(3.5, against: .array10)
    static let fanOut100 = Bar(2.5, against: .array100)
    static let subjectChain = Bar(16)

    static let flatMap = Bar(12)
    static let flatMapJust = Bar(300, allocations: 3)
    static let concatMapJust = Bar(320, allocations: 3)
    static let flatMapLatestJust = Bar(380, allocations: 5)
    static let switchToLatest = Bar(20)
    static let mergeHot = Bar(25)
    static let mergeCold = Bar(12)

    static let combineLatest = Bar(30)
    static let zipHot = Bar(40)
    static let zipCold = Bar(65)

    static let hop = Bar(110, minimum: 70, against: .hop)
    static let twoThreads = Bar(70)
    static let valuesCold = Bar(20)
    static let valuesHot = Bar(220)

    // One allocation over the first measurements, which had no tokens that know their end: `isFinished`, by which a bag
    // drops what is over, takes an object that the stream and the token share.
    static let subscribeAndCancel = Bar(350, allocations: 6)
    static let justChain = Bar(280, allocations: 5)
    static let share = Bar(6)
    static let deepChain = Bar(6.5, against: .nest1000)
    static let rounds = Bar(250)

    // Four stages, each with a load and a branch: 240 ns without them, 255 to 270 with them.
    static let traceOff = Bar(285, against: .hookless)
}

// The router: match alone takes no allocation, but for URLs with escapes, of which the real table of GitHub has two.
extension Bar {
    static let routeGitHub = Bar(150, allocations: 0.2)
    static let routeGitHubParameters = Bar(250)
    static let routeParse = Bar(80, allocations: 0)
    static let routeParseParameters = Bar(150)
    static let routeStatic = Bar(100, allocations: 0)
    static let routeStaticParameters = Bar(100)
    static let route200 = Bar(150, allocations: 0)
    /// Twice the time of 200.
    static let route1000 = Bar(300, allocations: 0)
    static let route10000 = Bar(450, allocations: 0)
    /// 10,000 in under a second.
    static let routeTable = Bar(100_000)
    static let routeMap = Bar(100_000)
}

// Events. To a weak owner: the core's fan-out and 25 ns with a closure, 60 ns with an unapplied method.
extension Bar {
    func plus(_ nanoseconds: Double) -> Bar { Bar(median + nanoseconds, against: baseline) }

    static let bureauOn = Bar(1_000)
    static let soak = Bar(400)
}

// Caches. Figures of the references are those by hand on the same machine.
extension Bar {
    static let memoryHit = Bar(150, against: .lruHit)
    static let memoryMiss = Bar(60, against: .lruMiss)
    static let memoryInsert = Bar(300, against: .lruInsert)
    /// That of one thread.
    static let memoryHitTwoThreads = Bar(150, against: .lruHit)
    /// Twice the level by itself.
    static let composedHit = Bar(300, against: .lruHit)
    static let diskWrite = Bar(110_000, against: .writeAndRename)
}

// A debug build has one bar: an element through three operators.
extension Bar {
    static let debugChain = Bar(200)
}
