import Foundation

/// The photo search over the whole house. `Photos --help` says how to call it.
@main enum Photos {
    static func main() async {
        exit(await run(Array(CommandLine.arguments.dropFirst()), ProcessInfo.processInfo.environment))
    }

    /// 0: all went well; 1: something failed; 2: called wrongly.
    static func run(_ arguments: [String], _ environment: [String: String]) async -> Int32 {
        do {
            let options = try Options(arguments, environment: environment)
            switch options.mode {
            case .help, nil:
                print(Options.usage)
                return 0
            case .receive(let port): return try await Receiver(port: port, options: options).run() == 0 ? 0 : 1
            case .headless: return try await Headless(options: options).run() == 0 ? 0 : 1
            }
        } catch let complaint as Complaint {
            complain(complaint)
            return complaint.exitCode
        } catch {
            complain(.server("\(error)"))
            return 1
        }
    }
}
