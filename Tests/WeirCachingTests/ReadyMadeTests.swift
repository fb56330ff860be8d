import Foundation
import Testing
import Weir
import WeirSupport
import WeirTestSupport

@testable import WeirCaching

/// The ready-made transformers and caches.
@Suite struct ReadyMadeTests {
    struct Photo: Codable, Sendable, Equatable { var name: String }
    struct OnlyRead: Decodable, Sendable, Equatable { var name: String }
    let url = URL(fileURLWithPath: "/photos/1")

    @Test func dataIsTextInAnEncoding() async throws {
        let text: TwoWay<Data, String> = .text()
        #expect(try await text.transform(Data("né".utf8)) == "né")
        #expect(try await text.inverse("né") == Data("né".utf8))
        let latin: TwoWay<Data, String> = .text(.isoLatin1)
        #expect(try await latin.inverse("né") == Data([0x6E, 0xE9]))
        #expect(await thrown { try await latin.inverse("水") }?.contains("the text has characters that") == true)
        #expect(await thrown { try await text.transform(Data([0xFF])) }?.contains("the bytes are no text in") == true)
    }

    @Test func dataIsJSON() async throws {
        let json: TwoWay<Data, JSONValue> = .json()
        #expect(try await json.transform(Data(#"{"name":"weir"}"#.utf8)) == ["name": "weir"])
        #expect(try await json.inverse(["name": "weir"]) == Data(#"{"name":"weir"}"#.utf8))
        #expect(await thrown { try await json.transform(Data("{".utf8)) }?.hasPrefix("could not transform") == true)
        let photo: TwoWay<Data, Photo> = .json(as: Photo.self)
        #expect(try await photo.transform(Data(#"{"name":"weir"}"#.utf8)) == Photo(name: "weir"))
        #expect(try await photo.inverse(Photo(name: "weir")) == Data(#"{"name":"weir"}"#.utf8))
        let read: OneWay<Data, OnlyRead> = .decodingJSON(as: OnlyRead.self)
        #expect(try await read.transform(Data(#"{"name":"weir"}"#.utf8)) == OnlyRead(name: "weir"))
    }

    @Test func datesAndNumbersAreWrittenAndRead() async throws {
        let moment = Date(timeIntervalSince1970: 86_400)
        let iso: TwoWay<Date, String> = .written(.iso8601)
        #expect(try await iso.transform(moment) == "1970-01-02T00:00:00Z")
        #expect(try await iso.inverse("1970-01-02T00:00:00Z") == moment)
        #expect(await thrown { try await iso.inverse("tomorrow") }?.hasPrefix("could not transform") == true)
        let day: TwoWay<Date, String> = .date {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(identifier: "UTC")
            formatter.dateFormat = "yyyy-MM-dd"
            return formatter
        }
        #expect(try await day.transform(moment) == "1970-01-02")
        #expect(try await day.inverse("1970-01-02") == moment)
        let words = "could not transform the value: \"tomorrow\" is not of the form that the formatter reads"
        #expect(await thrown { try await day.inverse("tomorrow") } == words)
        let number: TwoWay<Double, String> = .number {
            let formatter = NumberFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.numberStyle = .decimal
            return formatter
        }
        #expect(try await number.transform(1_234.5) == "1,234.5")
        #expect(try await number.inverse("1,234.5") == 1_234.5)
        #expect(await thrown { try await number.inverse("tomorrow") } == words)
    }

    @Test func oneLoadIsOneWriteToDiskAndJSONIsTheSameData() async throws {
        let folder = try Folder()
        let source = Fetcher<URL, Data> { _ in Data(#"{"name":"weir"}"#.utf8) }
        let caches = Caches(directory: folder.url, source: source)
        #expect(try await caches.json.value(forKey: url) == ["name": "weir"])
        #expect(try await caches.json(as: Photo.self).value(forKey: url) == Photo(name: "weir"))
        #expect(try await caches.json(as: OnlyRead.self).value(forKey: url) == OnlyRead(name: "weir"))
        #expect(source.statistics.loads == 1 && caches.disk.count == 1 && caches.memory.count == 1)
        #expect(caches.disk.statistics.removals[.replaced] == 0)
        try await caches.json.set(["name": "other"], forKey: url)
        #expect(try await caches.data.value(forKey: url) == Data(#"{"name":"other"}"#.utf8))
        let words = "could not transform the value: OnlyRead can be read, but not written; make it Encodable to set it"
        #expect(
            await failure { () async throws(CacheError) in
                try await caches.json(as: OnlyRead.self).set(OnlyRead(name: ""), forKey: url)
            } == words)
        let again = Caches(
            directory: folder.url, source: Fetcher<URL, Data>(entries: { _ in throw CacheError.notFound }))
        #expect(try await again.data.value(forKey: url) == Data(#"{"name":"other"}"#.utf8))
    }

    @Test func limitsChangeAtRunTimeAndHoldAtOnce() async throws {
        let folder = try Folder()
        let caches = Caches(
            directory: folder.url, source: Fetcher<URL, Data>(entries: { _ in throw CacheError.notFound }))
        #expect(caches.memory.limit == 50_000_000 && caches.disk.limit == 100_000_000)
        for number in 0..<20 {
            try await caches.data.set(Data(count: 1_000), forKey: url.appendingPathComponent("\(number)"))
        }
        #expect(caches.memory.used == 20_000 && caches.disk.used > 20_000)
        caches.memory.limit = 5_500
        #expect(caches.memory.used == 5_000 && caches.memory.statistics.removals[.evicted] == 15)
        try await caches.disk.setLimit(10_000)
        #expect(caches.disk.used <= 10_000 && folder.bytes == caches.disk.used && caches.disk.count > 5)
        try await caches.data.set(Data(count: 1_000), forKey: url)
        #expect(caches.memory.used <= 5_500 && folder.bytes <= 10_000)
        caches.memory.limit = 0
        try await caches.disk.setLimit(-1)
        #expect(caches.memory.used == 0 && caches.memory.count == 0 && folder.bytes == 0)
        caches.memory.limit = 9_000
        try await caches.disk.setLimit(9_000)
        try await caches.data.set(Data(count: 6_000), forKey: url)
        #expect(caches.memory.used == 6_000 && caches.disk.count == 1)
    }

    @Test func filesAreWhereTheSystemWantsThem() {
        func folder(_ environment: [String: String]) -> String {
            Caches.directory(in: nil, environment: environment, process: "photos").path
        }
        #expect(folder(["XDG_CACHE_HOME": "/var/caches"]) == "/var/caches/photos/weir")
        let usual = NSHomeDirectory() + "/.cache/photos/weir"
        #expect(folder([:]) == usual && folder(["XDG_CACHE_HOME": "caches"]) == usual)
        let caches = URL(fileURLWithPath: "/Library/Caches")
        #expect(Caches.directory(in: caches, environment: [:], process: "p").path == "/Library/Caches/p/weir")
    }
}
