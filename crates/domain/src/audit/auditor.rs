//! One user after another, recomputed from facts in order.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::chain_check::ChainCheck;
use super::difference::{Difference, DifferenceKind, RowFault};
use super::fact::{AuditFact, StoredRow, StoredUser};
use super::order_checks::OrderChecks;
use super::order_fault::OrderFault;
use crate::ledger::{ChainHash, LedgerRow};
use crate::{ActivityType, Day, SourceId, UserId};

/// Makes the hash of a row after the row with the given hash.
pub type Link = fn(&LedgerRow<'_>, &ChainHash) -> ChainHash;

/// What a user's transactions come to, recomputed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserTotals {
    pub user_id: UserId,
    /// Number of transactions.
    pub transactions: u64,
    /// Number of UTC days with transactions.
    pub days: u64,
    /// Number of orders.
    pub orders: u64,
    /// Sum of base and bonus points; wider than a balance, for a ledger that was tampered with.
    pub user_points: i128,
}

/// A user whose facts are complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedUser {
    /// What the transactions come to.
    pub totals: UserTotals,
    /// Where the stored facts differ.
    pub differences: Vec<Difference>,
}

/// Recomputes one user after another from facts in order, keeping one user's days, orders and
/// business keys at a time.
#[derive(Debug)]
pub struct Auditor {
    link: Link,
    open: Option<OpenUser>,
}

impl Auditor {
    /// Begins an audit. The link is a parameter because the hash function lives elsewhere.
    pub fn new(link: Link) -> Self {
        Self { link, open: None }
    }

    /// Takes the next fact; gives the user before, when this fact begins another.
    pub fn take(&mut self, user_id: UserId, fact: AuditFact) -> Option<AuditedUser> {
        let done = match &self.open {
            Some(open) if open.user_id == user_id => None,
            _ => self.open.replace(OpenUser::new(user_id)).map(OpenUser::close),
        };
        if let Some(open) = &mut self.open {
            open.take(fact, self.link);
        }
        done
    }

    /// Gives the last user, after the last fact.
    pub fn finish(self) -> Option<AuditedUser> {
        self.open.map(OpenUser::close)
    }
}

#[derive(Debug)]
struct OpenUser {
    user_id: UserId,
    stored: Option<StoredUser>,
    /// Number of transactions by day: as stored, and as recomputed.
    days: BTreeMap<Day, (i64, i64)>,
    orders: OrderChecks,
    chain: ChainCheck,
    /// The `seq` of the first row of each business key.
    keys: HashMap<(ActivityType, SourceId), i64>,
    /// Rows and what cannot be read, in the order of the facts.
    wrong: Vec<DifferenceKind>,
    transactions: u64,
    sum: i128,
}

impl OpenUser {
    fn new(user_id: UserId) -> Self {
        Self {
            user_id,
            stored: None,
            days: BTreeMap::new(),
            orders: OrderChecks::default(),
            chain: ChainCheck::new(),
            keys: HashMap::new(),
            wrong: Vec::new(),
            transactions: 0,
            sum: 0,
        }
    }

    fn take(&mut self, fact: AuditFact, link: Link) {
        match fact {
            AuditFact::User(user) => self.stored = Some(user),
            AuditFact::Day { day, transaction_count } => {
                self.days.entry(day).or_default().0 = transaction_count;
            }
            AuditFact::Order(order) => self.orders.take_order(*order),
            AuditFact::ProductMissing { order, product } => {
                let fault = OrderFault::ProductMissing(product);
                self.wrong.push(DifferenceKind::Order { id: order, fault });
            }
            AuditFact::Row(row) => self.take_row(&row, link),
            AuditFact::Unreadable(what) => self.wrong.push(DifferenceKind::Unreadable(what)),
        }
    }

    fn take_row(&mut self, row: &StoredRow, link: Link) {
        let mut faults = own_faults(row);
        self.chain.take(&self.user_id, row, link, &mut faults);
        faults.extend(self.repeated_key(row));
        self.orders.take_row(row);
        self.transactions += 1;
        self.sum += row.net_points();
        if let Some(day) = row.day() {
            self.days.entry(day).or_default().1 += 1;
        }
        if !faults.is_empty() {
            self.wrong.push(DifferenceKind::Row { row: row.name(), faults });
        }
    }

    fn repeated_key(&mut self, row: &StoredRow) -> Option<RowFault> {
        let activity = &row.content.as_ref().ok()?.transaction.activity;
        match self.keys.entry((activity.kind.clone(), activity.source_id.clone())) {
            Entry::Occupied(first) => Some(RowFault::DuplicateKey { first_seq: *first.get() }),
            Entry::Vacant(key) => {
                key.insert(row.seq);
                None
            }
        }
    }

    fn close(self) -> AuditedUser {
        let days = self.days.values().filter(|(_, recomputed)| *recomputed > 0).count() as u64;
        let mut wrong = self.wrong_user(days.cast_signed());
        wrong.extend(self.wrong_days());
        wrong.extend(self.orders.differences());
        wrong.extend(self.wrong);
        let user_id = &self.user_id;
        let differences =
            wrong.into_iter().map(|what| Difference { user_id: user_id.clone(), what }).collect();
        let totals = UserTotals {
            transactions: self.transactions,
            days,
            orders: self.orders.count(),
            user_points: self.sum,
            user_id: self.user_id,
        };
        AuditedUser { totals, differences }
    }

    fn wrong_user(&self, days: i64) -> Vec<DifferenceKind> {
        let Some(stored) = &self.stored else {
            return vec![DifferenceKind::UserMissing];
        };
        let mut wrong = Vec::new();
        if i128::from(stored.balance) != self.sum {
            wrong.push(DifferenceKind::Balance { stored: stored.balance, recomputed: self.sum });
        }
        if stored.day_count != days {
            wrong.push(DifferenceKind::DayCount { stored: stored.day_count, recomputed: days });
        }
        wrong.extend(self.chain.compare_newest(stored));
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

/// What is wrong with a row by itself.
fn own_faults(row: &StoredRow) -> Vec<RowFault> {
    let mut faults = Vec::new();
    if let Err(unreadable) = &row.content {
        faults.push(RowFault::Unreadable(unreadable.why.clone()));
    }
    let (stored, recomputed) = (row.bonus_points, row.breakdown_points());
    if stored != recomputed {
        faults.push(RowFault::Bonus { stored, recomputed });
    }
    faults
}
