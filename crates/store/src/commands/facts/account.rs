//! The account of one user while rows are added to its history.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use pointbook_domain::{Activity, ActivityType, Day, Points, SourceId, Timestamp, Transaction, UserId};

use crate::commands::changes::{AccountChange, Changes, DayCount, NewEntry};
use crate::schema::rows::{AccountState, MemberProfile, UserAccount};

/// How far a transaction may reduce the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overdraft {
    /// 0 or more.
    Refused,
    /// Any amount within the bounds: it happened.
    Allowed,
}

/// Why a transaction is not added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    TooFewPoints,
    /// The balance would be out of range.
    OutOfRange,
}

impl Overdraft {
    pub(super) fn balance_after(self, balance: Points, activity: &Activity) -> Result<Points, Refusal> {
        let net = activity.net_points().map_err(|_| Refusal::OutOfRange)?;
        let balance = balance.checked_add(net).ok();
        let is_short = net < Points::ZERO && balance.is_none_or(|balance| balance < Points::ZERO);
        match self {
            Self::Refused if is_short => Err(Refusal::TooFewPoints),
            Self::Refused | Self::Allowed => balance.ok_or(Refusal::OutOfRange),
        }
    }
}

/// A row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntry {
    /// The position among the user's rows, from 1.
    pub seq: u64,
    pub transaction: Arc<Transaction>,
}

/// An account as it was read and as it is now. Days and entries that are missing were not loaded. That is not the same as
/// absent.
#[derive(Debug)]
pub(super) struct Account {
    before: Option<AccountState>,
    /// `None` for a user who was unknown when the account was read.
    pub(super) member: Option<MemberProfile>,
    pub(super) now: AccountState,
    /// Whether the user has rows on a day.
    pub(super) days: BTreeMap<Day, bool>,
    /// The entries under a source id, by type.
    entries: HashMap<SourceId, Vec<(ActivityType, Option<StoredEntry>)>>,
    /// The new rows by day.
    added: BTreeMap<Day, u32>,
    /// When the first new row was recorded.
    recorded_at: Option<Timestamp>,
}

impl Account {
    pub(super) fn new(account: Option<UserAccount>) -> Self {
        let (before, member) = account.map(|account| (account.state, account.member)).unzip();
        let now = before.clone().unwrap_or(AccountState::NEW);
        let (days, entries, added) = (BTreeMap::new(), HashMap::new(), BTreeMap::new());
        Self { before, member, now, days, entries, added, recorded_at: None }
    }

    pub(super) fn is_known(&self) -> bool {
        self.before.is_some()
    }

    pub(super) fn put_entry(&mut self, kind: ActivityType, source: SourceId, entry: Option<StoredEntry>) {
        let of_source = self.entries.entry(source).or_default();
        if !of_source.iter().any(|(known, _)| *known == kind) {
            of_source.push((kind, entry));
        }
    }

    /// The entry under the key of an activity. `None` when it was not loaded.
    pub(super) fn entry(&self, kind: &ActivityType, source: &SourceId) -> Option<&Option<StoredEntry>> {
        self.entries.get(source)?.iter().find(|(known, _)| known == kind).map(|(_, entry)| entry)
    }

    /// Adds a new row, whose key and day were loaded.
    pub(super) fn add(&mut self, new: &NewEntry) {
        let NewEntry { seq, transaction, balance_after: balance, recorded_at, hash, .. } = new;
        let Activity { kind, source_id, created_at, .. } = &transaction.activity;
        let has_rows = self.days.entry(created_at.day()).or_default();
        let is_new_day = !std::mem::replace(has_rows, true);
        *self.added.entry(created_at.day()).or_default() += 1;
        let day_count = self.now.day_count + u64::from(is_new_day);
        let mut earned = std::mem::take(&mut self.now.earned);
        earned.add(&transaction.activity);
        self.now = AccountState { balance: *balance, day_count, last_seq: *seq, last_hash: *hash, earned };
        self.recorded_at.get_or_insert(*recorded_at);
        let mut of_source = self.entries.get_mut(source_id).into_iter().flatten();
        if let Some((_, entry)) = of_source.find(|(known, _)| known == kind) {
            *entry = Some(StoredEntry { seq: *seq, transaction: transaction.clone() });
        }
    }

    pub(super) fn add_changes(self, user_id: UserId, changes: &mut Changes) {
        // Without a new row nothing changed.
        let Self { before, now: after, added, recorded_at: Some(recorded_at), .. } = self else { return };
        for (day, added) in added {
            changes.days.push(DayCount { user_id: user_id.clone(), day, added });
        }
        changes.accounts.push(AccountChange { user_id, before, after, recorded_at });
    }
}
