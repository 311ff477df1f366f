//! Recording transactions: one, or thousands of many users, with the same few statements.

use std::collections::{BTreeMap, BTreeSet};

use pointbook_app::recording::{Addition, GrowingHistory, Overdraft, StoredTransaction, UserState};
use pointbook_domain::{Points, Timestamp, Transaction, UserId};

use super::changes::Changes;
use super::seen::{BusinessKey, Question, Seen, see};
use super::transaction_row::RowColumns;
use super::user_state::{Hold, hold};
use crate::connection;
use crate::error::{Outcome, StoreFailure};
use crate::pipeline::both;
use crate::row::missing;

/// Adds rows to the histories of users, in memory: what it comes to is written by its [`Changes`]. From the
/// beginning on, nobody else records for these users.
pub(crate) struct Recorder<'u> {
    histories: BTreeMap<&'u UserId, UserHistory<'u>>,
    seen: Seen,
    rows: RowColumns,
}

struct UserHistory<'u> {
    is_known: bool,
    history: GrowingHistory<'u>,
}

impl<'u> Recorder<'u> {
    /// Holds all users, and looks for what is to be recorded, in one round trip. A user who is unknown is
    /// created with the first row; those who are skipped are not there for [`Self::record`].
    pub(crate) async fn begin(
        database: &connection::Transaction,
        tenant: &str,
        questions: &[Question<'u>],
        how: Hold,
    ) -> Outcome<Self> {
        let users: BTreeSet<&UserId> = questions.iter().map(|question| question.user_id).collect();
        let ids: Vec<&str> = users.iter().map(|user| user.as_str()).collect();
        let (mut states, seen) =
            both(hold(database, tenant, &ids, how), see(database, tenant, questions)).await?;
        let mut histories = BTreeMap::new();
        for user in users {
            let state = agreed(states.remove(user), seen.last_seqs.get(user), how)?;
            if state.is_some() || how == Hold::Waiting {
                histories.insert(user, UserHistory::new(user, state));
            }
        }
        Ok(Self { histories, seen, rows: RowColumns::default() })
    }

    /// Whether the user is held: not when they are unknown or somebody else's, and were not waited for.
    pub(super) fn holds(&self, user: &UserId) -> bool {
        self.histories.contains_key(user)
    }

    /// The balance of a user who is held, with all rows so far.
    pub(crate) fn balance(&self, user: &UserId) -> Outcome<Points> {
        let history = self.histories.get(user).ok_or_else(|| missing("users", user.as_str()))?;
        Ok(history.history.state().balance)
    }

    /// Records a transaction of a user who is held. What stands in the ledger already is neither refused nor
    /// added again, whatever the balance is now.
    pub(crate) fn record(
        &mut self,
        user: &UserId,
        transaction: &Transaction,
        recorded_at: Timestamp,
        overdraft: Overdraft,
    ) -> Outcome<Addition> {
        let key = BusinessKey::of(user, &transaction.activity);
        if let Some(StoredTransaction { seq, transaction }) = self.seen.standing.get(&key) {
            let stored = StoredTransaction { seq: *seq, transaction: transaction.clone() };
            return Ok(Addition::StoodThere(stored));
        }
        let history = self.histories.get_mut(user).ok_or_else(|| missing("users", user.as_str()))?;
        let UserHistory { history, .. } = history;
        history.go_on_at(recorded_at);
        let next = match history.next(transaction, overdraft) {
            Ok(next) => next,
            Err(refusal) => return Ok(Addition::Refused(refusal)),
        };
        self.rows.push(&next)?;
        let seq = history.add(&next);
        self.seen.standing.insert(key, StoredTransaction { seq, transaction: transaction.clone() });
        Ok(Addition::Added { seq })
    }

    /// Whether a row with the business key of this stands in the ledger.
    pub(super) fn has(&self, user: &UserId, transaction: &Transaction) -> bool {
        self.seen.standing.contains_key(&BusinessKey::of(user, &transaction.activity))
    }

    /// What is to be written.
    pub(crate) fn finish(self) -> Changes {
        let Self { histories, seen, rows } = self;
        let mut changes = Changes { rows, ..Changes::default() };
        for (user, UserHistory { is_known, history }) in histories {
            if history.is_unchanged() {
                continue;
            }
            let mut new_days = 0;
            for (day, added) in history.days() {
                changes.days.push(user, day, added);
                new_days += u64::from(!seen.has_day(user, day));
            }
            let users = if is_known { &mut changes.known_users } else { &mut changes.new_users };
            users.push(&history, new_days);
        }
        changes
    }
}

impl<'u> UserHistory<'u> {
    fn new(user: &'u UserId, state: Option<UserState>) -> Self {
        let is_known = state.is_some();
        let before = state.unwrap_or(UserState::NEW);
        // Every row says when it is recorded.
        Self { is_known, history: GrowingHistory::new(user, before, Timestamp::MIN) }
    }
}

/// The state of a user, with what was seen beside it. Both are of one moment, since the user was held first;
/// somebody who writes without holding users is noticed here.
fn agreed(held: Option<UserState>, seen: Option<&u64>, how: Hold) -> Outcome<Option<UserState>> {
    match (&held, seen) {
        (Some(state), Some(seq)) if state.last_seq == *seq => Ok(held),
        (None, Some(_)) if how == Hold::Skipping => Ok(None),
        (None, None) => Ok(None),
        (Some(_) | None, Some(_)) | (Some(_), None) => Err(StoreFailure::Overtaken),
    }
}
