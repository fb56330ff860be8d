// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who depends on Weir builds it. `Tests/Fuzz/run` says how it is built and run.

/// A program that reads any bytes, and what it reads them with.
func fuzz(_ name: String, _ module: String) -> Target {
    .executableTarget(
        name: name, dependencies: [.product(name: module, package: "weir")], path: name,
        swiftSettings: [.swiftLanguageMode(.v6)])
}

let package = Package(
    name: "weir-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "weir", path: "../..")],
    targets: [
        fuzz("Routing", "WeirRouting"), fuzz("JSON", "WeirSupport"), fuzz("Frames", "WeirPeers"),
        fuzz("Records", "WeirCaching"),
    ]
)
