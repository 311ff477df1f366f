//! Recomputes one user after another from facts in order.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::fmt;

use super::award_checks::AwardChecks;
use super::chain_check::ChainCheck;
use super::fact::{AuditFact, StoredRow, StoredUser};
use super::lot_checks::LotChecks;
use super::order_checks::{OrderChecks, of_order};
use crate::ledger::{ChainHash, LedgerRow};
use crate::{ActivityType, Day, SourceId, UserId};

/// Computes the hash of a row from the row and the hash before it.
pub type Link = fn(&LedgerRow<'_>, &ChainHash) -> ChainHash;

/// A user's transactions, recomputed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserTotals {
    pub user_id: UserId,
    pub transactions: u64,
    /// Number of UTC days with transactions.
    pub days: u64,
    pub orders: u64,
    /// Sum of base and bonus points; wider than a balance, for a ledger that was tampered with.
    pub user_points: i128,
}

/// A stored fact that contradicts the ledger, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub user_id: UserId,
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "user {:?}: {}", self.user_id.as_str(), self.what)
    }
}

/// A user whose facts are complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedUser {
    pub totals: UserTotals,
    pub differences: Vec<Difference>,
}

/// Recomputes one user after another from facts in order. It keeps the days, orders and business keys of one user at a time.
#[derive(Debug)]
pub struct Auditor {
    link: Link,
    open: Option<(UserId, OpenUser)>,
}

impl Auditor {
    /// Begins an audit. The link is a parameter because the hash function is in `store`.
    pub fn new(link: Link) -> Self {
        Self { link, open: None }
    }

    /// Takes the next fact. Returns the user before, when this fact begins another user.
    pub fn take(&mut self, user_id: UserId, fact: AuditFact) -> Option<AuditedUser> {
        let done = match &self.open {
            Some((open, _)) if *open == user_id => None,
            _ => self.open.replace((user_id, OpenUser::default())).map(OpenUser::close),
        };
        if let Some((user_id, open)) = &mut self.open {
            open.take(user_id, fact, self.link);
        }
        done
    }

    /// Returns the last user, after the last fact.
    pub fn finish(self) -> Option<AuditedUser> {
        self.open.map(OpenUser::close)
    }
}

#[derive(Debug, Default)]
struct OpenUser {
    stored: Option<StoredUser>,
    /// The days with transactions.
    days: BTreeSet<Day>,
    orders: OrderChecks,
    awards: AwardChecks,
    lots: LotChecks,
    chain: ChainCheck,
    /// The `seq` of the first row of each business key.
    keys: HashMap<(ActivityType, SourceId), i64>,
    /// Rows and unreadable values, in the order of the facts.
    wrong: Vec<String>,
    transactions: u64,
    sum: i128,
}

impl OpenUser {
    fn take(&mut self, user_id: &UserId, fact: AuditFact, link: Link) {
        match fact {
            AuditFact::User(user) => self.stored = Some(user),
            AuditFact::Order(order) => self.orders.take_order(*order),
            AuditFact::ProductMissing { order, product } => {
                let fault = format!("its product {:?} is not stored", product.as_str());
                self.wrong.push(of_order(&order, &fault));
            }
            AuditFact::Award { campaign_id: _, seq, points } => self.awards.take_award(seq, points),
            AuditFact::LotChange { after_seq, moves } => self.lots.take_change(after_seq, &moves),
            AuditFact::Row(row) => self.take_row(user_id, &row, link),
            AuditFact::Unreadable(what) => self.wrong.push(format!("cannot be read: {what}")),
        }
    }

    fn take_row(&mut self, user_id: &UserId, row: &StoredRow, link: Link) {
        let mut faults = own_faults(row);
        self.chain.take(user_id, row, link, &mut faults);
        faults.extend(self.repeated_key(row));
        faults.extend(self.awards.take_row(row));
        faults.extend(self.lots.take_row(row));
        self.orders.take_row(row);
        self.transactions += 1;
        self.sum += row.net_points();
        self.days.extend(row.day());
        if !faults.is_empty() {
            self.wrong.push(format!("{}: {}", row.name(), faults.join("; ")));
        }
    }

    fn repeated_key(&mut self, row: &StoredRow) -> Option<String> {
        let activity = &row.content.as_ref().ok()?.transaction.activity;
        match self.keys.entry((activity.kind.clone(), activity.source_id.clone())) {
            Entry::Occupied(first) => {
                Some(format!("has the type and source id of transaction {}", first.get()))
            }
            Entry::Vacant(key) => {
                key.insert(row.seq);
                None
            }
        }
    }

    fn close((user_id, open): (UserId, Self)) -> AuditedUser {
        let days = open.days.len() as u64;
        let mut wrong = open.wrong_user(days.cast_signed());
        wrong.extend(open.awards.differences(open.stored.as_ref().map(|user| user.earned.as_str())));
        wrong.extend(open.orders.differences());
        wrong.extend(open.wrong);
        let difference = |what| Difference { user_id: user_id.clone(), what };
        let differences = wrong.into_iter().map(difference).collect();
        let (transactions, orders) = (open.transactions, open.orders.count());
        let totals = UserTotals { user_id, transactions, days, orders, user_points: open.sum };
        AuditedUser { totals, differences }
    }

    fn wrong_user(&self, days: i64) -> Vec<String> {
        let Some(stored) = &self.stored else {
            return vec!["has history but is not stored".to_owned()];
        };
        let mut wrong = Vec::new();
        let (balance, sum) = (stored.balance, self.sum);
        if i128::from(balance) != sum {
            wrong.push(format!("balance is {balance} but the transactions come to {sum}"));
        }
        if stored.day_count != days {
            let stored = stored.day_count;
            wrong.push(format!("day count is {stored} but the transactions fall on {days} days"));
        }
        wrong.extend(self.lots.differences(sum, &stored.lots));
        wrong.extend(self.chain.compare_newest(stored));
        wrong
    }
}

/// What is wrong with a single row.
fn own_faults(row: &StoredRow) -> Vec<String> {
    let mut faults = Vec::new();
    if let Err(unreadable) = &row.content {
        faults.push(format!("cannot be read: {}", unreadable.why));
    }
    let (stored, recomputed) = (row.bonus_points, row.breakdown_points());
    if stored != recomputed {
        faults.push(format!("has {stored} bonus points but its breakdown comes to {recomputed}"));
    }
    faults
}
