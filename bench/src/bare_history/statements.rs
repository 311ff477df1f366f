//! Copies of the statements of `crates/store-sqlite`, from the named files. A test keeps them equal.

/// Selects the only tenant.
pub(super) const TENANT: &str = "SELECT id FROM tenants";

/// Selects users by the prefix of their ids.
pub(super) const USERS: &str =
    "SELECT id FROM users WHERE tenant_id = ?1 AND substr(id, 1, length(?2)) = ?2 ORDER BY id";

/// `ledger/history.rs`.
pub(super) const HISTORY_USER: &str =
    "SELECT id, balance, day_count FROM users WHERE tenant_id = ?1 AND id = ?2";
pub(super) const HISTORY_DAYS: &str = "SELECT user_id, day, transaction_count FROM history_days
    WHERE tenant_id = ?1 AND user_id = ?2 ORDER BY day DESC LIMIT ?3 OFFSET ?4";
pub(super) const HISTORY_TRANSACTIONS: &str =
    "SELECT id, created_at, type, source_id, points, bonus_breakdown, title, subtitle FROM transactions
    WHERE tenant_id = ?1 AND user_id = ?2 AND created_at BETWEEN ?3 AND ?4 ORDER BY created_at DESC, id DESC";

#[cfg(test)]
mod tests {
    use pointbook_schema::Group;
    use pointbook_schema::rows::{HistoryDay, RawHistoryLine};

    use super::*;

    /// The text without white space.
    fn words(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_statement_is_in_the_store() {
        let store = words(include_str!("../../../crates/store-sqlite/src/ledger/history.rs"));
        let (_, days) = HISTORY_DAYS.split_once("FROM history_days").unwrap();
        let (_, rows) = HISTORY_TRANSACTIONS.split_once("FROM transactions").unwrap();
        for part in [HISTORY_USER, days, rows] {
            assert!(store.contains(&words(part)), "the store no longer has this statement: {part}");
        }
        assert_eq!(words(HISTORY_DAYS), words(&HistoryDay::select(days)));
        assert_eq!(words(HISTORY_TRANSACTIONS), words(&RawHistoryLine::select(rows)));
    }
}
