// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "goalpost",
    products: [
        .executable(name: "goalpost", targets: ["goalpost"])
    ],
    targets: [
        // The subject matter: values and rules.
        .target(name: "Goals"),

        // The protocols we speak. Each knows only its own subject.
        .target(name: "HTTP"),
        .target(name: "Sockets", dependencies: ["CLinux"]),
        .target(name: "SQLite", dependencies: ["CSQLite"]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),

        // The adapters, which tie the subject matter to a protocol.
        .target(name: "Store", dependencies: ["Goals", "SQLite"]),
        .target(
            name: "API",
            dependencies: ["Goals", "HTTP", "Store"]
        ),
        .target(name: "Server", dependencies: ["HTTP", "Sockets"]),

        // The program, which ties the adapters together.
        .executableTarget(
            name: "goalpost",
            dependencies: ["API", "Goals", "HTTP", "Server", "Sockets", "Store"]
        ),

        // What several test targets need: a client that speaks to a server over a socket, and random
        // numbers that a seed determines.
        .target(name: "TestClient", dependencies: ["Sockets"], path: "Tests/TestClient"),
        .target(name: "TestRandom", path: "Tests/TestRandom"),

        .testTarget(name: "GoalsTests", dependencies: ["Goals", "TestRandom"]),
        .testTarget(name: "HTTPTests", dependencies: ["HTTP", "TestRandom"]),
        .testTarget(name: "SocketsTests", dependencies: ["Sockets"]),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite"]),
        .testTarget(name: "StoreTests", dependencies: ["Goals", "SQLite", "Store", "TestRandom"]),
        .testTarget(
            name: "ServerTests",
            dependencies: ["HTTP", "Server", "Sockets", "TestClient"]
        ),
        .testTarget(
            name: "APITests",
            dependencies: [
                "API", "Goals", "HTTP", "Server", "Sockets", "Store", "TestClient", "TestRandom",
            ],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "GoalpostTests",
            dependencies: ["API", "goalpost", "Goals", "Server", "Store", "TestClient"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Unsafe code is for the two targets that call C. Anywhere else the compiler points it out, and
// the build that counts treats every warning as an error.
for target in package.targets
where target.type != .system && !["SQLite", "Sockets"].contains(target.name) {
    target.swiftSettings?.append(.strictMemorySafety())
}
