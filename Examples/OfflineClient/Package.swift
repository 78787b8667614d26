// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "OfflineClient",
    // For whoever copies it into an app; on Linux this means nothing.
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "OfflineClient", targets: ["OfflineClient"]),
        .executable(name: "offline-client", targets: ["offline-client"]),
    ],
    targets: [
        .target(name: "OfflineClient"),
        .executableTarget(name: "offline-client", dependencies: ["OfflineClient"]),
        .testTarget(name: "OfflineClientTests", dependencies: ["OfflineClient"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
