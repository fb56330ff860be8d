import Foundation
import Testing

@testable import Photos

/// The log-in story in the program, from the URL to the screens.
@Suite(.serialized) struct LogInTests {
    @Test func thePrivateAlbumComesAfterTheLogIn() async throws {
        let result = try await Program.headless("0 hills\n")
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
