// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// A library module and its tests.
func module(
    _ name: String, on dependencies: [Target.Dependency] = [],
    tests: [Target.Dependency] = ["WeirTesting", "WeirTestSupport"], excluding: [String] = []
) -> [Target] {
    [
        .target(name: name, dependencies: dependencies, swiftSettings: strict),
        .testTarget(
            name: "\(name)Tests", dependencies: [.init(stringLiteral: name)] + tests, exclude: excluding,
            swiftSettings: strict),
    ]
}

/// A system library: a module map and a shim, linked only where its trait is on.
func system(_ name: String, packages: [String]) -> Target {
    .systemLibrary(name: name, providers: [.apt(packages)])
}

/// The documentation as a program: `WeirExtract` turns each page into Swift, `WeirPages` holds them, `Playground` runs them.
/// No product names it, so a package that depends on this one builds none of it.
let playground: [Target] = [
    .executableTarget(name: "WeirExtract", path: "Playground/Extract", swiftSettings: strict),
    .plugin(
        name: "WeirPagesPlugin", capability: .buildTool(), dependencies: ["WeirExtract"], path: "Playground/Plugin"),
    .target(
        name: "WeirPages",
        dependencies: [
            "Weir", "WeirDispatch", "WeirSupport", "WeirEvents", "WeirCaching", "WeirRouting", "WeirPeers",
            "WeirTesting",
        ],
        path: "Playground/Pages",
        swiftSettings: strict + [.enableUpcomingFeature("MemberImportVisibility")],
        plugins: ["WeirPagesPlugin"]),
    .executableTarget(
        name: "Playground", dependencies: ["WeirPages", "WeirRouting", "WeirCaching"], path: "Playground/Run",
        swiftSettings: strict),
    .testTarget(
        name: "PlaygroundTests",
        dependencies: ["WeirExtract", "Playground", "WeirPages", "WeirCaching", "WeirTestSupport"],
        swiftSettings: strict),
]

/// The speed bars. The C target counts allocations.
let bench: [Target] = [
    .target(name: "CWeirBenchAllocations", path: "Playground/BenchAllocations"),
    .executableTarget(
        name: "WeirBench",
        dependencies: ["CWeirBenchAllocations", "Weir", "WeirDispatch", "WeirEvents", "WeirCaching", "WeirRouting"],
        path: "Playground/Bench",
        swiftSettings: strict),
]

/// The photo search, a program over all modules.
let photos: [Target] = [
    .executableTarget(
        name: "Photos",
        dependencies: [
            "Weir", "WeirSupport", "WeirTransport", "WeirEvents", "WeirCaching", "WeirRouting", "WeirPeers",
        ],
        path: "Playground/Photos", resources: [.copy("Samples")], swiftSettings: strict),
    .testTarget(
        name: "PhotosTests", dependencies: ["Photos", "Weir", "WeirSupport", "WeirTesting", "WeirTestSupport"],
        swiftSettings: strict),
]

/// What tests of several modules share. No product names it.
let testSupport = Target.target(
    name: "WeirTestSupport", dependencies: ["Weir", "WeirTesting"], path: "Tests/Support", swiftSettings: strict)

/// A process that the tests of caches end at any moment. No product names it.
let cacheWriter = Target.executableTarget(
    name: "WeirCacheWriter", dependencies: ["WeirCaching"], path: "Tests/CacheWriter", swiftSettings: strict)

let package = Package(
    name: "weir",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Weir", targets: ["Weir"]),
        .library(name: "WeirDispatch", targets: ["WeirDispatch"]),
        .library(name: "WeirSupport", targets: ["WeirSupport"]),
        .library(name: "WeirEvents", targets: ["WeirEvents"]),
        .library(name: "WeirCaching", targets: ["WeirCaching"]),
        .library(name: "WeirRouting", targets: ["WeirRouting"]),
        .library(name: "WeirPeers", targets: ["WeirPeers"]),
        .library(name: "WeirTesting", targets: ["WeirTesting"]),
        .executable(name: "Bench", targets: ["WeirBench"]),
    ],
    traits: [
        .trait(name: "TLS", description: "Transport security through OpenSSL 3"),
        .trait(name: "Curl", description: "Fetching through libcurl"),
        .trait(name: "Redis", description: "Redis and Valkey, through hiredis as codec"),
        .trait(name: "DNSSD", description: "Discovery through the system's DNS-SD responder"),
    ],
    dependencies: [],
    targets: [
        system("COpenSSL", packages: ["libssl-dev"]),
        system("CCurl", packages: ["libcurl4-openssl-dev"]),
        system("CHiredis", packages: ["libhiredis-dev"]),
        system("CDNSSD", packages: ["libavahi-compat-libdnssd-dev"]),
        testSupport, cacheWriter,
    ]
        + module(
            "Weir", tests: ["WeirTesting", "WeirTestSupport", "WeirSupport"],
            excluding: ["Isolation/Fixtures", "Isolation/Programs"])
        + module("WeirDispatch", on: ["Weir"])
        + module("WeirSupport", on: ["Weir"])
        + module(
            "WeirTransport",
            on: ["Weir", .target(name: "COpenSSL", condition: .when(traits: ["TLS"]))])
        + module("WeirEvents", on: ["Weir"])
        + module(
            "WeirCaching",
            on: ["Weir", "WeirSupport", .target(name: "CCurl", condition: .when(traits: ["Curl"]))],
            tests: ["WeirTesting", "WeirTestSupport", "WeirCacheWriter"], excluding: ["Fixtures"])
        + module("WeirRouting", on: ["Weir"], excluding: ["UIKitStub"])
        + module(
            "WeirPeers",
            on: [
                "Weir", "WeirSupport", "WeirTransport",
                .target(name: "CDNSSD", condition: .when(traits: ["DNSSD"])),
                .target(name: "CHiredis", condition: .when(traits: ["Redis"])),
            ])
        + module("WeirTesting", on: ["Weir"], tests: ["WeirTestSupport"])
        + playground
        + photos
        + bench
)
