import Testing
import WeirTestSupport

@testable import WeirCaching

@Suite(.ownThread) struct SlotIndexTests {
    /// Few distinct tags, so that runs of cells grow long, wrap round the end and are shifted back.
    @Test(arguments: [1, 3, 50, 5_000]) func itAgreesWithADictionary(tags: Int) {
        var numbers = Seeded(UInt64(tags))
        var index = SlotIndex()
        var model: [Int32: UInt32] = [:]
        for step in 0..<4_000 {
            let slot = Int32.random(in: 0..<200, using: &numbers)
            if let tag = model.removeValue(forKey: slot) {
                index.remove(slot, tag)
            } else {
                let tag = UInt32.random(in: 0..<UInt32(tags), using: &numbers) &* 0x9E37_79B9
                index.insert(slot, tag)
                model[slot] = tag
            }
            guard step % 50 == 0 else { continue }
            for slot in Int32(0)..<200 {
                let found = model[slot].flatMap { tag in index.find(tag) { $0 == slot } }
                #expect(found == (model[slot] == nil ? nil : slot), "step \(step)")
            }
            #expect(index.count == model.count)
        }
        #expect(index.find(7) { _ in false } == nil)
    }
}
