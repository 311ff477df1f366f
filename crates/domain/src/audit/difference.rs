//! What an audit finds, and how an operator reads it.

use std::fmt;

use super::order_fault::OrderFault;
use crate::{Day, OrderId, UserId};

/// A stored fact that the ledger does not bear out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub user_id: UserId,
    /// What is wrong.
    pub what: DifferenceKind,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DifferenceKind {
    /// There are days, orders or transactions of a user who is not stored.
    UserMissing,
    /// The stored balance is not the sum of the transactions.
    Balance {
        /// As stored, in points.
        stored: i64,
        /// As recomputed, in points.
        recomputed: i128,
    },
    /// The stored number of days is not the number of days with transactions.
    DayCount { stored: i64, recomputed: i64 },
    /// The user's row knows another newest transaction than the ledger has.
    LastSeq {
        /// As stored; 0 for none.
        stored: i64,
        /// As the ledger has it; 0 for none.
        found: i64,
    },
    /// The user's row holds another hash than the newest transaction.
    LastHash,
    /// A day's stored number of transactions is wrong; 0 where the day or its row is missing.
    Day { day: Day, stored: i64, recomputed: i64 },
    /// An order and the transactions of its points do not agree.
    Order {
        id: OrderId,
        /// How they differ.
        fault: OrderFault,
    },
    /// A row of the ledger that cannot be as the service wrote it.
    Row {
        row: RowName,
        /// All that is wrong with it.
        faults: Vec<RowFault>,
    },
    /// A day or an order that cannot be read: where it stands, and why.
    Unreadable(String),
}

/// How an operator finds a row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowName {
    /// Its place among the user's rows.
    pub seq: i64,
    /// Its activity type.
    pub kind: String,
    pub source_id: String,
    pub id: String,
}

/// What is wrong with a row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowFault {
    /// It cannot be read, and why.
    Unreadable(String),
    /// It does not stand where it should: a row was removed, or comes twice.
    Seq {
        /// The place after the row before.
        expected: i64,
    },
    /// Its stored bonus points are not the sum of its breakdown.
    Bonus {
        /// As stored, in points.
        stored: i64,
        /// As recomputed, in points.
        recomputed: i64,
    },
    /// Its balance is not that of the row before and its own points.
    BalanceAfter {
        /// As stored, in points.
        stored: i64,
        /// As recomputed, in points.
        recomputed: i128,
    },
    /// Its hash is not that of its content and the hash before.
    Hash,
    /// An earlier row has the same type and source id.
    DuplicateKey {
        /// The earlier row.
        first_seq: i64,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "user {:?}: {}", self.user_id.as_str(), self.what)
    }
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UserMissing => f.write_str("has history but is not stored"),
            Self::Balance { stored, recomputed } => {
                write!(f, "balance is {stored} but the transactions come to {recomputed}")
            }
            Self::DayCount { stored, recomputed } => {
                write!(f, "day count is {stored} but the transactions fall on {recomputed} days")
            }
            Self::LastSeq { stored, found } => {
                write!(f, "newest transaction is said to be {stored} but is {found}")
            }
            Self::LastHash => f.write_str("the stored last hash is not that of the newest transaction"),
            Self::Day { day, stored, recomputed } => {
                write!(f, "day {day} is stored with {stored} transactions but has {recomputed}")
            }
            Self::Order { id, fault } => write!(f, "order {:?}: {fault}", id.as_str()),
            Self::Row { row, faults } => {
                write!(f, "{row}: ")?;
                write_all(f, faults)
            }
            Self::Unreadable(what) => write!(f, "cannot be read: {what}"),
        }
    }
}

impl fmt::Display for RowName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seq, kind, source_id, id } = self;
        write!(f, "transaction {seq} ({kind} {source_id:?}, id {id:?})")
    }
}

impl fmt::Display for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Self::Seq { expected } => write!(f, "stands where {expected} should"),
            Self::Bonus { stored, recomputed } => {
                write!(f, "has {stored} bonus points but its breakdown comes to {recomputed}")
            }
            Self::BalanceAfter { stored, recomputed } => {
                write!(f, "balance after it is {stored} but should be {recomputed}")
            }
            Self::Hash => f.write_str("hash does not follow from the row and the one before"),
            Self::DuplicateKey { first_seq } => {
                write!(f, "has the type and source id of transaction {first_seq}")
            }
        }
    }
}

fn write_all(f: &mut fmt::Formatter<'_>, faults: &[RowFault]) -> fmt::Result {
    for (place, fault) in faults.iter().enumerate() {
        let separator = if place == 0 { "" } else { "; " };
        write!(f, "{separator}{fault}")?;
    }
    Ok(())
}
