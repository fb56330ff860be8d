import Foundation
import Testing
import Weir
import WeirTestSupport

@testable import WeirCaching

@Suite(.ownThread) struct DefaultsLevelTests {
    let folder: Folder
    let name = "weir-test-\(UUID().uuidString)"
    let clock = HandClock()
    init() throws { folder = try Folder() }

    func level(_ suffix: String = "") -> DefaultsLevel<String, String> {
        DefaultsLevel(name: name + suffix, now: clock.now)
    }

    func text(_ level: DefaultsLevel<String, String>, _ key: String) async -> String {
        do throws(CacheError) { return try await level.value(forKey: key) } catch { return "\(error)" }
    }

    /// Takes away what a test kept.
    func tidy(_ levels: DefaultsLevel<String, String>...) async throws {
        for level in levels {
            try await level.clear()
            #expect(level.count == 0)
            UserDefaults.standard.removePersistentDomain(forName: level.store.name)
        }
    }

    @Test func twoLevelsOfOneNameShareOneStore() async throws {
        let (one, two) = (level(), level())
        #expect(one.store === two.store)
        try await one.set("A", forKey: "e\u{301}")
        #expect(await text(two, "\u{E9}") == "A")
        try await two.remove("\u{E9}")
        #expect(await text(one, "e\u{301}") == "not found in any level")
        try await tidy(one)
    }

    @Test func clearingANameLeavesOthersAlone() async throws {
        let (one, other) = (level(), level("-other"))
        UserDefaults.standard.set("mine", forKey: name)
        UserDefaults(suiteName: name)?.set("mine, too", forKey: "setting")
        try await one.set("1", forKey: "a")
        try await other.set("2", forKey: "a")
        #expect(one.count == 1 && one.description == "DefaultsLevel(1 entries in \(name))")
        try await one.clear()
        #expect(await text(one, "a") == "not found in any level")
        #expect(await text(other, "a") == "2")
        #expect(UserDefaults.standard.string(forKey: name) == "mine")
        #expect(UserDefaults(suiteName: name)?.string(forKey: "setting") == "mine, too")
        #expect(one.statistics.removals[.cleared] == 1)
        UserDefaults.standard.removeObject(forKey: name)
        try await tidy(one, other)
    }

    @Test func pressureDropsTheSoftCopiesAlone() async throws {
        let level = level()
        try await level.set("A", forKey: "a")
        #expect(level.held("a")?.value == "A")
        level.onMemoryPressure(.warning)
        #expect(level.store.softCount == 0 && level.held("a") == nil)
        #expect(await text(level, "a") == "A" && level.held("a")?.value == "A")
        try await tidy(level)
    }

    @Test func anEntryEndsAtItsMoment() async throws {
        let level = level()
        try await level.set(CacheEntry("A", expiry: Date(timeIntervalSince1970: 60)), forKey: "a")
        clock.set(59)
        #expect(level.held("a")?.expiry == Date(timeIntervalSince1970: 60))
        clock.set(60)
        #expect(level.held("a") == nil)
        #expect(await text(level, "a") == "found, but expired")
        clock.set(0)
        #expect(await text(level, "a") == "not found in any level")
        try await tidy(level)
    }

    @Test func whatIsDamagedIsReportedAndRemoved() async throws {
        let level = level()
        try await level.set("A", forKey: "a")
        level.onMemoryPressure(.critical)
        let place = "weir/\(name)/61"
        let defaults = try #require(UserDefaults(suiteName: name))
        #expect(defaults.data(forKey: place) != nil)
        defaults.set(Data([1, 2, 3]), forKey: place)
        #expect(await text(level, "a").hasPrefix("the stored value of a is damaged"))
        #expect(await text(level, "a") == "not found in any level")
        try await tidy(level)
    }

    /// A process that keeps a value is ended at once; the next one finds it.
    @Test(.timeLimit(.minutes(5))) func aValueSurvivesTheProcessWithoutAnyCall() throws {
        let first = try Writer(defaults: "settings", "key", "kept", in: folder.path)
        #expect(first.says("w"))
        first.crash()
        #expect(try Writer(defaults: "settings", "key", in: folder.path).allSaid() == "kept")
        #expect(try Writer(defaults: "others", "key", in: folder.path).allSaid() == "nothing")
    }
}
