//! What a back-test found, as its row has it.

use serde::{Deserialize, Serialize};

/// It is stored as JSON, so a later release must still read it: add members with a default only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackTestResult {
    /// The ledger rows between `from` and `until`, without orders and reversals.
    pub activities: u64,
    pub awards: u64,
    pub points: i64,
    /// The users with at least one award.
    pub users: u64,
    /// The awards that a limit made smaller.
    pub clipped: u64,
    /// The local days with awards, in order.
    pub days: Vec<DayTotal>,
    /// The users who gain most, at most 20. The one with the most points comes first.
    pub top_users: Vec<UserTotal>,
    /// What the rows have of the campaign.
    pub paid: PaidTotal,
    /// The bonuses that the rows lack: what a back-fill would give at most.
    #[serde(default)]
    pub due: PaidTotal,
    /// The rows whose paid points are not those of the back-test.
    pub differing: u64,
    /// The first of them, at most 20, by user and in the order of recording.
    pub differing_rows: Vec<DifferingRow>,
    /// A hash of the transactions with awards and of their points. Two tests with the same one found the same awards.
    #[serde(default)]
    pub fingerprint: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayTotal {
    /// `YYYY-MM-DD`, in the time zone of the tenant.
    pub day: String,
    pub awards: u64,
    pub points: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserTotal {
    pub user_id: String,
    pub awards: u64,
    pub points: i64,
}

/// Bonuses of rows, and their points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaidTotal {
    pub awards: u64,
    pub points: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferingRow {
    pub user_id: String,
    pub transaction_id: String,
    /// The points of the back-test.
    pub simulated: i64,
    /// The points that the row has.
    pub paid: i64,
}
