import Foundation
import Goals
import Store

/// `goalpost check`, `goalpost backup` and `goalpost restore`: what is done to a data file beside the
/// server, or without one.
struct Maintenance {
    private let configuration: Configuration

    init(_ configuration: Configuration) throws(SettingMistake) {
        guard configuration.data != ":memory:" else {
            throw SettingMistake(
                "What is in memory can be neither checked nor copied: give --data."
            )
        }
        self.configuration = configuration
    }

    /// Examines the data file, or another one, and says what was found.
    func check(_ file: String?) -> ExitStatus {
        attempt {
            let name = file ?? configuration.data
            let check = try DataCheck(ofFileAt: name)
            print("\(name): \(summary(of: check))")
            for finding in check.findings {
                print(finding)
            }
            guard check.isSound else {
                complain("\(name) is not sound. Restore a backup, and keep this file.")
                return .failure
            }
            print("sound")
            return .success
        }
    }

    /// Copies the data file, which a running server may be using.
    func backup(to copy: String) -> ExitStatus {
        attempt {
            let check = try DataBackup.write(of: configuration.data, to: copy)
            print("\(copy): \(summary(of: check))")
            return .success
        }
    }

    /// Puts a copy in the place of the data file.
    func restore(from copy: String) -> ExitStatus {
        attempt {
            let day = CalendarDay(of: .now(), secondsFromGMT: 0)
            let restoration = try DataBackup.restore(copy, to: configuration.data, on: day)
            print("\(configuration.data): \(summary(of: restoration.check))")
            if let kept = restoration.kept {
                let hasLog = FileManager.default.fileExists(atPath: kept + "-wal")
                print(
                    "What was there is kept as \(kept)" + (hasLog ? ", its log as \(kept)-wal" : "")
                )
            }
            return .success
        }
    }

    private func attempt(_ task: () throws -> ExitStatus) -> ExitStatus {
        do {
            return try task()
        } catch {
            complain("\(error)")
            return .failure
        }
    }

    private func summary(of check: DataCheck) -> String {
        let counts = check.counts.map { "\($0.number) \($0.things)" }
        return (["version \(check.version)"] + counts).joined(separator: ", ")
    }
}
