import Testing
import WeirTestSupport

@testable import WeirPeers

private let someone = Peer(id: .random(), name: "Köln’s desk")
private let samples: [Frame] = [
    .hello(Hello(peer: someone, messageLimit: 4 << 20, window: 4 << 20)),
    .invite(context: []), .invite(context: Array("{\"room\":7}".utf8)), .accept, .decline(""), .decline("not today"),
    .bye(.closed, ""), .bye(.violation, "a frame of 2147483648 bytes"), .ping(.max), .pong(0),
    .message(number: 1, kind: .json, total: 3, bytes: [1, 2, 3]), .message(number: 2, kind: .data, total: 0, bytes: []),
    .more(bytes: [9]), .ack(77), .credit(lane: 3, bytes: 65_536),
    .fileOffer(transfer: 1, size: 5_000_000_000, name: "film.mp4"), .fileAccept(transfer: 1, offset: 12, room: 99),
    .filePart(transfer: 1, offset: 1 << 40, bytes: [5, 6]),
    .fileEnd(transfer: 1, digest: Array(repeating: 7, count: 32)), .fileDone(transfer: 1),
    .fileStop(transfer: 2, .corrupt, "the hash differs"),
]

/// The frames in `bytes`, fed in pieces of `step`, and the fault that ended them.
private func read(_ bytes: [UInt8], step: Int = .max, limit: Int = 1 << 20) -> (frames: [Frame], fault: PeerError?) {
    var reader = FrameReader(limit: limit)
    var frames: [Frame] = []
    do {
        for start in stride(from: 0, to: bytes.count, by: min(step, max(1, bytes.count))) {
            reader.feed(Array(bytes[start..<min(bytes.count, start + min(step, bytes.count))]))
            while let frame = try reader.next() { frames.append(frame) }
        }
        try reader.finish()
        return (frames, nil)
    } catch {
        return (frames, error)
    }
}

private func isViolation(_ error: PeerError?) -> Bool {
    if case .protocolViolation(let what) = error { !what.isEmpty } else { false }
}

@Suite(.ownThread) struct FrameTests {
    @Test(arguments: [1, 2, 3, 7, 64, Int.max])
    func framesComeOutAsTheyWentIn(step: Int) {
        let (frames, fault) = read(samples.flatMap(\.bytes), step: step)
        #expect(fault == nil)
        #expect(frames == samples)
    }

    @Test(arguments: samples.indices)
    func truncationAtEachByteIsAnErrorValue(index: Int) {
        let whole = samples[index].bytes
        for end in 1..<whole.count {
            let cut = read(Array(whole.prefix(end)))
            #expect(cut.frames.isEmpty && isViolation(cut.fault), "cut at \(end) of \(samples[index])")
            // The same cut with a length that agrees with it: the body itself is too short, or a shorter valid body.
            guard end > 4 else { continue }
            var short = Array(whole.prefix(end))
            short.replaceSubrange(0..<4, with: [0, 0, UInt8((end - 4) >> 8), UInt8((end - 4) & 255)])
            let answer = read(short)
            #expect(answer.frames.count == 1 || isViolation(answer.fault), "shortened to \(end) of \(samples[index])")
        }
    }

    @Test func aBitFlippedAnywhereIsAFrameOrAnErrorValue() {
        for sample in samples {
            for bit in 0..<sample.bytes.count * 8 {
                var bytes = sample.bytes
                bytes[bit / 8] ^= 1 << (bit % 8)
                let (frames, fault) = read(bytes)
                #expect(!frames.isEmpty || isViolation(fault), "bit \(bit) of \(sample)")
            }
        }
    }

    @Test func garbageOfEveryLengthIsAFrameOrAnErrorValue() {
        let seed = UInt64.random(in: .min ... .max)
        print("garbage seed \(seed)")
        var source = Seeded(seed)
        var refused = 0
        for length in 1...2_000 {
            let (frames, fault) = read(source.bytes(length), step: 1 + length % 97)
            #expect(!frames.isEmpty || isViolation(fault), "seed \(seed), length \(length)")
            if fault != nil { refused += 1 }
        }
        #expect(refused > 1_900, "seed \(seed)")
    }

    @Test func garbageBehindAValidLengthAndKindIsAFrameOrAnErrorValue() {
        let seed = UInt64.random(in: .min ... .max)
        print("body garbage seed \(seed)")
        var source = Seeded(seed)
        for kind in UInt8.min ... .max {
            for length in 0..<80 {
                let bytes = [0, 0, 0, UInt8(length + 1), kind] + source.bytes(length)
                let (frames, fault) = read(bytes)
                #expect((frames.count == 1) != isViolation(fault), "seed \(seed), kind \(kind), length \(length)")
                if FrameKind(rawValue: kind) == nil { #expect(isViolation(fault)) }
            }
        }
    }

    @Test(
        arguments: [
            [0x80, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0x10, 0, 1], [0, 0, 0, 0],
        ] as [[UInt8]])
    func aLengthOutsideTheLimitsIsRefusedBeforeItsBytesCome(header: [UInt8]) {
        let (frames, fault) = read(header)
        #expect(frames.isEmpty)
        #expect(isViolation(fault))
    }

    @Test func theFirstFaultIsFinal() {
        var reader = FrameReader(limit: 100)
        reader.feed([0, 0, 0, 1, 250])
        #expect(throws: PeerError.protocolViolation("a frame of the unknown kind 250")) { try reader.next() }
        reader.feed(Frame.accept.bytes)
        #expect(throws: PeerError.protocolViolation("a frame of the unknown kind 250")) { try reader.next() }
        #expect(throws: PeerError.protocolViolation("a frame of the unknown kind 250")) { try reader.finish() }
    }

    @Test func aVersionFromTheFutureSaysWhatToDo() {
        var hello = Hello(peer: someone, messageLimit: 1, window: 1)
        hello.lowest = 9
        hello.highest = 12
        let fault = read(Frame.hello(hello).bytes).fault
        #expect(
            fault?.description == "the other side broke the protocol: "
                + "versions 9 to 12 are spoken there, version 1 here; update the older side")
        hello.lowest = 1
        #expect(read(Frame.hello(hello).bytes).frames == [.hello(hello)])
    }

    @Test func whatALaterVersionAddsToTheFirstFrameIsSkipped() {
        var bytes = samples[0].bytes + [1, 2, 3]
        bytes[3] += 3
        #expect(read(bytes).frames == [samples[0]])
    }

    @Test(arguments: ["", "a\u{0}b", "a\u{202E}b", "tab\t", String(repeating: "é", count: 32)])
    func aNameThatCannotBeShownIsRefused(name: String) {
        let hello = Hello(peer: Peer(id: .random(), name: name), messageLimit: 1, window: 1)
        #expect(isViolation(read(Frame.hello(hello).bytes).fault))
    }

    @Test func wordsLoseTheirControlCharacters() {
        #expect(read(Frame.decline("no\u{1B}[2J\u{7}way").bytes).frames == [.decline("no[2Jway")])
        #expect(isViolation(read(Frame.decline(String(repeating: "x", count: 1_025)).bytes).fault))
    }

    @Test func theReaderKeepsNoMoreThanOneFrameBehind() {
        var reader = FrameReader(limit: 1 << 20)
        let frame = Frame.more(bytes: ArraySlice(repeating: 1, count: 100_000)).bytes
        var count = 0
        for _ in 0..<50 {
            for start in stride(from: 0, to: frame.count, by: 64_000) {
                reader.feed(Array(frame[start..<min(start + 64_000, frame.count)]))
                while (try? reader.next()) != nil { count += 1 }
                #expect(reader.held < 164_010)
            }
        }
        #expect(count == 50)
    }
}
