import Foundation
import Testing
import WeirTestSupport

@testable import Photos

/// The log-in story in the program, from the URL to the screens.
@Suite(.serialized) struct LogInTests {
    @Test func thePrivateAlbumComesAfterTheLogIn() async throws {
        let folder = try Folder()
        let file = try folder.file("queries.txt", "0 hills\n".utf8).path
        let cache = folder.url.appending(path: "cache").path
        let result = await (try Program("--headless", "--queries", file, "--cache", cache)).result()
        #expect(result.code == 0, "\(result.errors)")
        let story = result.output.split(separator: "\n").filter {
            $0.hasPrefix("screen") || $0.contains("photos://login") || $0.contains("photos://private")
        }
        #expect(
            story == [
                "screen Gallery", "screen Gallery /  Log in", "screen Gallery", "screen Gallery > Private: Summer",
                #"route  .handled("photos://login", redirects: ["photos://login"])"#,
                "screen Gallery > Private: Summer > Private: Winter",
                #"route  .handled("photos://private/:album")"#,
            ])
    }
}
