//! The audit: what the ledger says a user has, against what the service remembers.

use std::collections::BTreeMap;
use std::fmt;

use crate::{Day, Timestamp, UserId};

/// One stored fact, in the order of an audit: by user, and for a user first the user's row, then
/// the days in order, then the transactions in order of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditFact {
    /// What the user's row remembers.
    User {
        /// The stored balance, in points.
        balance: i64,
        /// The stored number of days with transactions.
        day_count: u64,
    },
    /// A day that the service remembers.
    Day {
        /// The day.
        day: Day,
        /// How many transactions it is said to have.
        transaction_count: u64,
    },
    /// A row of the ledger.
    Transaction {
        /// When it happened.
        created_at: Timestamp,
        /// Its place among the user's rows, in order of recording.
        seq: u64,
        /// Base points.
        points: i64,
        /// The sum of the stored breakdown, in points: what clients see.
        bonus_points: i64,
        /// The stored sum, in points.
        stored_bonus_points: i64,
    },
}

/// What a user's transactions come to, recomputed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserTotals {
    /// The user.
    pub user_id: UserId,
    /// Number of transactions.
    pub transactions: u64,
    /// Number of UTC days with transactions.
    pub days: u64,
    /// Sum of base and bonus points; wider than a balance, for a ledger that was tampered with.
    pub user_points: i128,
}

/// A stored fact that the ledger does not bear out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Whose.
    pub user_id: UserId,
    /// What is wrong.
    pub what: DifferenceKind,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DifferenceKind {
    /// There are days or transactions of a user who is not stored.
    UserMissing,
    /// The stored balance is not the sum of the transactions.
    Balance {
        /// As stored, in points.
        stored: i64,
        /// As recomputed, in points.
        recomputed: i128,
    },
    /// The stored number of days is not the number of days with transactions.
    DayCount {
        /// As stored.
        stored: u64,
        /// As recomputed.
        recomputed: u64,
    },
    /// A day's stored number of transactions is wrong; 0 where the day or its row is missing.
    Day {
        /// Which day.
        day: Day,
        /// As stored.
        stored: u64,
        /// As recomputed.
        recomputed: u64,
    },
    /// The stored bonus points of a transaction are not the sum of its breakdown.
    Bonus {
        /// Which of the user's rows, in order of recording.
        seq: u64,
        /// When it happened.
        created_at: Timestamp,
        /// As stored, in points.
        stored: i64,
        /// As recomputed, in points.
        recomputed: i64,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "user {:?}: ", self.user_id.as_str())?;
        match &self.what {
            DifferenceKind::UserMissing => f.write_str("has history but is not stored"),
            DifferenceKind::Balance { stored, recomputed } => {
                write!(f, "balance is {stored} but the transactions come to {recomputed}")
            }
            DifferenceKind::DayCount { stored, recomputed } => {
                write!(f, "day count is {stored} but the transactions fall on {recomputed} days")
            }
            DifferenceKind::Day { day, stored, recomputed } => {
                write!(f, "day {day} is stored with {stored} transactions but has {recomputed}")
            }
            DifferenceKind::Bonus { seq, created_at, stored, recomputed } => write!(
                f,
                "transaction {seq} of {created_at} has {stored} bonus points \
                 but its breakdown comes to {recomputed}"
            ),
        }
    }
}

/// Recomputes one user after another from facts in order, keeping one user's days and wrong
/// transactions at a time.
#[derive(Debug, Default)]
pub struct Auditor {
    open: Option<OpenUser>,
}

#[derive(Debug)]
struct OpenUser {
    user_id: UserId,
    stored: Option<(i64, u64)>,
    /// Number of transactions by day: as stored, and as recomputed.
    days: BTreeMap<Day, (u64, u64)>,
    wrong_bonuses: Vec<DifferenceKind>,
    transactions: u64,
    sum: i128,
}

/// A user whose facts are complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedUser {
    /// What the transactions come to.
    pub totals: UserTotals,
    /// Where the stored facts differ.
    pub differences: Vec<Difference>,
}

impl Auditor {
    /// Takes the next fact; gives the user before, when this fact begins another.
    pub fn take(&mut self, user_id: &UserId, fact: &AuditFact) -> Option<AuditedUser> {
        let done = match &self.open {
            Some(open) if open.user_id == *user_id => None,
            _ => self.open.replace(OpenUser::new(user_id.clone())).map(OpenUser::close),
        };
        if let Some(open) = &mut self.open {
            open.take(fact);
        }
        done
    }

    /// Gives the last user, after the last fact.
    pub fn finish(self) -> Option<AuditedUser> {
        self.open.map(OpenUser::close)
    }
}

impl OpenUser {
    fn new(user_id: UserId) -> Self {
        let (days, wrong_bonuses) = (BTreeMap::new(), Vec::new());
        Self { user_id, stored: None, days, wrong_bonuses, transactions: 0, sum: 0 }
    }

    fn take(&mut self, fact: &AuditFact) {
        match fact {
            AuditFact::User { balance, day_count } => self.stored = Some((*balance, *day_count)),
            AuditFact::Day { day, transaction_count } => {
                self.days.entry(*day).or_default().0 = *transaction_count;
            }
            AuditFact::Transaction { created_at, seq, points, bonus_points, stored_bonus_points } => {
                if bonus_points != stored_bonus_points {
                    self.wrong_bonuses.push(DifferenceKind::Bonus {
                        seq: *seq,
                        created_at: *created_at,
                        stored: *stored_bonus_points,
                        recomputed: *bonus_points,
                    });
                }
                self.days.entry(created_at.day()).or_default().1 += 1;
                self.transactions += 1;
                self.sum += i128::from(*points) + i128::from(*bonus_points);
            }
        }
    }

    fn close(self) -> AuditedUser {
        let days = self.days.values().filter(|(_, recomputed)| *recomputed > 0).count() as u64;
        let mut wrong = self.wrong_user(days);
        wrong.extend(self.wrong_days());
        wrong.extend(self.wrong_bonuses);
        let user_id = &self.user_id;
        let differences =
            wrong.into_iter().map(|what| Difference { user_id: user_id.clone(), what }).collect();
        let totals = UserTotals {
            transactions: self.transactions,
            days,
            user_points: self.sum,
            user_id: self.user_id,
        };
        AuditedUser { totals, differences }
    }

    fn wrong_user(&self, days: u64) -> Vec<DifferenceKind> {
        let Some((balance, day_count)) = self.stored else {
            return vec![DifferenceKind::UserMissing];
        };
        let mut wrong = Vec::new();
        if i128::from(balance) != self.sum {
            wrong.push(DifferenceKind::Balance { stored: balance, recomputed: self.sum });
        }
        if day_count != days {
            wrong.push(DifferenceKind::DayCount { stored: day_count, recomputed: days });
        }
        wrong
    }

    fn wrong_days(&self) -> impl Iterator<Item = DifferenceKind> {
        self.days.iter().filter(|(_, (stored, recomputed))| stored != recomputed).map(
            |(day, (stored, recomputed))| DifferenceKind::Day {
                day: *day,
                stored: *stored,
                recomputed: *recomputed,
            },
        )
    }
}
