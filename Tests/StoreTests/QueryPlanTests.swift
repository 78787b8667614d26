import SQLite
import XCTest

@testable import Store

/// Each list goes along an index from where the last page ended, and sorts nothing: a plan of one
/// line, without a scan and without a temporary tree.
final class QueryPlanTests: XCTestCase {
    func testGoesAlongAnIndexInEveryOrderOfGoals() throws {
        let plans: [(GoalSort, String)] = [
            (GoalSort(.updatedAt), "goals_by_update (account=? AND (updated_at,id)>(?,?))"),
            (
                GoalSort(.updatedAt, descending: true),
                "goals_by_update (account=? AND (updated_at,id)<(?,?))"
            ),
            (GoalSort(.createdAt), "goals_by_creation (account=? AND (created_at,id)>(?,?))"),
            (
                GoalSort(.createdAt, descending: true),
                "goals_by_creation (account=? AND (created_at,id)<(?,?))"
            ),
            (GoalSort(.title), "goals_by_title (account=? AND (title_key,id)>(?,?))"),
            (
                GoalSort(.title, descending: true),
                "goals_by_title (account=? AND (title_key,id)<(?,?))"
            ),
            (
                GoalSort(.plannedCompletionDate),
                "goals_by_planned_day (account=? AND (planned_day_or_last,id)>(?,?))"
            ),
            (
                GoalSort(.plannedCompletionDate, descending: true),
                "goals_by_planned_day_descending (account=? AND (planned_day_or_first,id)<(?,?))"
            ),
        ]
        let store = try memoryStore()
        for (sort, search) in plans {
            let plan = try store.writer.read { database in
                try database.queryPlan(of: GoalOrder(sort).statement)
            }
            XCTAssertEqual(plan, ["SEARCH goals USING INDEX \(search)"], "\(sort)")
        }
    }

    func testGoesAlongAnIndexInEveryOrderOfTransactions() throws {
        let plans: [(TransactionSort, String)] = [
            (TransactionSort(.date), "by_day (account=? AND goal=? AND (day,id)>(?,?) AND day<?)"),
            (
                TransactionSort(.date, descending: true),
                "by_day (account=? AND goal=? AND day>? AND (day,id)<(?,?))"
            ),
            (TransactionSort(.amount), "by_amount (account=? AND goal=? AND (amount,id)>(?,?))"),
            (
                TransactionSort(.amount, descending: true),
                "by_amount (account=? AND goal=? AND (amount,id)<(?,?))"
            ),
            (
                TransactionSort(.createdAt),
                "by_creation (account=? AND goal=? AND (created_at,id)>(?,?))"
            ),
            (
                TransactionSort(.createdAt, descending: true),
                "by_creation (account=? AND goal=? AND (created_at,id)<(?,?))"
            ),
        ]
        let store = try memoryStore()
        for (sort, search) in plans {
            let plan = try store.writer.read { database in
                try database.queryPlan(of: TransactionOrder(sort).statement)
            }
            XCTAssertEqual(
                plan,
                ["SEARCH transactions USING INDEX transactions_\(search)"],
                "\(sort)"
            )
        }
    }

    func testLooksUpTheCandidatesOfASearchByTheirNumbers() throws {
        let store = try memoryStore()
        for sort in [GoalSort(.title), GoalSort(.title, descending: true)] {
            let plan = try store.writer.read { database in
                try database.queryPlan(of: GoalOrder(sort).searchStatement)
            }
            XCTAssertEqual(
                plan.filter { $0.hasPrefix("SEARCH") || $0.hasPrefix("SCAN") },
                [
                    "SCAN goal_search VIRTUAL TABLE INDEX 0:M1",
                    "SEARCH goals USING INDEX goals_by_number (number=? AND account=?)",
                    "SEARCH goals USING COVERING INDEX goals_by_number (number>?)",
                    "SCAN store",
                    "SEARCH goals USING INDEX goals_by_number (number=? AND account=?)",
                ],
                "\(sort)"
            )
        }
    }

    func testMergesTheIndexesOfChanges() throws {
        let plan = try memoryStore().writer.read { try $0.queryPlan(of: ChangeKey.statement) }

        XCTAssertEqual(
            plan.filter { $0.hasPrefix("SEARCH") || $0.contains("TEMP") || $0.contains("SCAN") },
            [
                "SEARCH goals USING COVERING INDEX goals_by_change (account=? AND sequence>?)",
                "SEARCH transactions USING COVERING INDEX transactions_by_change "
                    + "(account=? AND sequence>?)",
                "SEARCH tombstones USING COVERING INDEX tombstones_by_change "
                    + "(account=? AND sequence>?)",
            ]
        )
    }

    func testExaminesTheNumbersOfChangesWithoutSortingThem() throws {
        let plan = try memoryStore().writer.read { try $0.queryPlan(of: Examination.numbers) }

        XCTAssertEqual(plan.filter { $0.contains("TEMP") }, [])
        XCTAssertEqual(plan.count { $0.hasPrefix("SCAN") }, 3)
    }
}
