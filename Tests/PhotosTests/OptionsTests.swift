import Foundation
import Testing
import WeirTesting

@testable import Photos

@Suite struct OptionsTests {
    @Test(arguments: [
        ([String](), "say --headless or --receive PORT"),
        (["--receive"], "--receive needs a value"),
        (["--receive", "70000"], "--receive takes a port from 0 to 65535, not \"70000\""),
        (["--headless", "--what"], "there is no option \"--what\""),
        (["--receive", "1", "--count", "0"], "--count takes a number from 1 on, not \"0\""),
    ])
    func aWrongCallSaysWhatIsWrong(arguments: [String], message: String) {
        #expect {
            try Options(arguments, environment: [:])
        } throws: {
            "\($0)" == "Photos: \(message); Photos --help shows all options" && ($0 as? Complaint)?.exitCode == 2
        }
    }

    @Test func theEnvironmentNamesTheServiceAndAFlagWins() throws {
        let environment = ["PHOTOS_HOST": "https://a.example", "PHOTOS_API_KEY": "k"]
        let options = try Options(["--headless", "--host", "https://b.example"], environment: environment)
        #expect(options.host == "https://b.example" && options.apiKey == "k" && options.mode == .headless)
    }

    @Test func theKeyGoesToTheServiceAlone() throws {
        let service = try PhotoService(base: "https://a.example", apiKey: "k")
        let own = service.request(for: service.searchURL("red hills"))
        #expect(own.url?.absoluteString == "https://a.example/search/photos?query=red%20hills&per_page=20")
        #expect(own.value(forHTTPHeaderField: "Authorization") == "Client-ID k")
        let elsewhere = try #require(URL(string: "https://images.example/x.jpg"))
        #expect(service.request(for: elsewhere).value(forHTTPHeaderField: "Authorization") == nil)
        #expect { try PhotoService(base: "nonsense", apiKey: nil) } throws: { "\($0)".contains("\"nonsense\"") }
    }
}
