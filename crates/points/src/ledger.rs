//! Records transactions in the ledger. Every change of a balance is a row of it.

mod lots;

use std::sync::Arc;

use pointbook_domain::expiry::{Lots, Moves};
use pointbook_domain::ledger::LedgerRow;
use pointbook_domain::{
    Activity, ActivityType, Day, EarnedCounts, EventType, FeedEntry, Order, OrderId, Points, SourceId,
    Timestamp, Transaction, UserId,
};
use pointbook_store::chain;
use pointbook_store::commands::{CommandError, Facts, Needs, Range};
use pointbook_store::ports::NewTransaction;
use pointbook_store::schema::rows::{AccountState, EntryRow, HeldActivity, KeptLots, MemberProfile, UserRow};

use self::lots::Cause;
pub use self::lots::Terms;
pub(crate) use self::lots::settle;

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

/// The result of a transaction.
#[derive(Debug, PartialEq, Eq)]
pub enum Addition {
    /// It is a row of the ledger now, at this position among the user's rows.
    Added { seq: u64 },
    /// The ledger had a row under its key before. Nothing was added.
    AlreadyRecorded(StoredEntry),
    /// Nothing was added.
    Refused(Refusal),
}

/// A row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntry {
    /// The position among the user's rows, from 1.
    pub seq: u64,
    pub transaction: Arc<Transaction>,
}

/// A transaction that a back office reports of a user.
#[derive(Debug)]
pub struct Reported {
    pub user_id: UserId,
    /// The transaction, under a new id.
    pub transaction: Arc<Transaction>,
}

impl From<NewTransaction> for Reported {
    fn from(new: NewTransaction) -> Self {
        let NewTransaction { user_id, transaction } = new;
        Self { user_id, transaction: transaction.into() }
    }
}

/// The needs of a transaction of this type and source id: the account, the entry under the key, and the day of its time.
pub fn need_entry(
    needs: &mut Needs,
    user_id: &UserId,
    (kind, source_id): (&ActivityType, &SourceId),
    at: Timestamp,
) {
    needs.row::<UserRow>(user_id);
    needs.unlocked::<EntryRow>(&(user_id, kind, source_id));
    needs.any::<EntryRow>(rows_on(user_id, at.day()));
}

/// The rows of a user on a day.
fn rows_on(user_id: &UserId, day: Day) -> Range {
    Range::default().equal("user_id", user_id).between("created_at", [&day.start(), &day.end()])
}

/// The needs of a reported transaction: the entry, and whether an order owns its key.
pub(crate) fn need_reported(needs: &mut Needs, Reported { user_id, transaction }: &Reported) {
    let Activity { kind, source_id, created_at, .. } = &transaction.activity;
    need_entry(needs, user_id, (kind, source_id), *created_at);
    need_order_of(needs, kind, source_id);
}

/// Whether the activity waits, or was voided. Only of a user who ever had such activities. The account is needed before.
pub(crate) fn need_held(facts: &Facts, needs: &mut Needs, Reported { user_id, transaction }: &Reported) {
    let Activity { kind, source_id, .. } = &transaction.activity;
    if let Ok(Some(user)) = facts.get::<UserRow>(user_id)
        && user.state.pending.is_some()
    {
        needs.row::<HeldActivity>(&(user_id, kind, source_id));
    }
}

/// Whether an activity that waits or was voided has the key of the reported one.
fn is_held(facts: &Facts, Reported { user_id, transaction }: &Reported) -> Result<bool, CommandError> {
    let Activity { kind, source_id, .. } = &transaction.activity;
    let ever_held = facts.get::<UserRow>(user_id)?.is_some_and(|user| user.state.pending.is_some());
    if !ever_held {
        return Ok(false);
    }
    let held = facts.get::<HeldActivity>(&(user_id, kind, source_id))?;
    Ok(held.is_some_and(|held| held.release_at.is_some() || held.voided_at.is_some()))
}

/// Whether an order moves points under this type and source id.
pub(crate) fn need_order_of(needs: &mut Needs, kind: &ActivityType, source_id: &SourceId) {
    if kind.is_order() {
        for name in OrderId::candidates(source_id.as_str()) {
            needs.exists::<Order>(name);
        }
    }
}

/// The balance of a user, with all rows so far. An unknown user has none.
///
/// # Errors
/// When the account was not loaded.
pub fn balance(facts: &Facts, user_id: &UserId) -> Result<Points, CommandError> {
    Ok(facts.get::<UserRow>(user_id)?.map_or(Points::ZERO, |user| user.state.balance))
}

/// What campaigns ask of a user. A user who is unknown yet begins at `now`.
///
/// # Errors
/// When the account was not loaded.
pub(crate) fn member(facts: &Facts, user_id: &UserId, now: Timestamp) -> Result<MemberProfile, CommandError> {
    let known = facts.get::<UserRow>(user_id)?.map(|user| user.profile.clone());
    Ok(known.unwrap_or_else(|| new_profile(now)))
}

fn new_profile(created_at: Timestamp) -> MemberProfile {
    MemberProfile { birth_date: None, birth_date_set_at: None, locale: None, created_at }
}

/// How many activities earned the user points.
///
/// # Errors
/// When the account was not loaded.
pub(crate) fn earned<'f>(facts: &'f Facts, user_id: &UserId) -> Result<&'f EarnedCounts, CommandError> {
    static NONE: EarnedCounts = EarnedCounts::NONE;
    Ok(facts.get::<UserRow>(user_id)?.map_or(&NONE, |user| &user.state.earned))
}

/// What a reversal takes back.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Undone<'m> {
    /// What the transaction changed in the lots.
    pub(crate) moved: Option<&'m Moves>,
    /// How many points of it were taken back before.
    pub(crate) before: i64,
}

/// How rows are recorded.
#[derive(Debug, Clone, Copy)]
pub struct Recording<'t> {
    /// When.
    pub at: Timestamp,
    pub overdraft: Overdraft,
    /// When points end.
    pub terms: &'t Terms,
}

impl Recording<'_> {
    /// Records a transaction of a user. The first row creates an unknown user. A transaction that is in the ledger already is
    /// neither refused nor added again, even if the balance is now too small. Points of the user that are over end before that.
    ///
    /// # Errors
    /// When the account, the entry, the day, or what [`Terms::need_due`] names was not loaded.
    pub fn record(
        self,
        facts: &mut Facts,
        user_id: &UserId,
        transaction: &Arc<Transaction>,
    ) -> Result<Addition, CommandError> {
        lots::settle(facts, user_id, self.terms, self.at)?;
        self.record_because(facts, user_id, transaction, Cause::Activity)
    }

    /// Records a transaction that takes back another one, or a part of it.
    ///
    /// # Errors
    /// As [`Self::record`], and when what [`Terms::need_reversal`] names was not loaded.
    pub(crate) fn take_back(
        self,
        facts: &mut Facts,
        user_id: &UserId,
        transaction: &Arc<Transaction>,
        Undone { moved, before }: Undone<'_>,
    ) -> Result<Addition, CommandError> {
        lots::settle(facts, user_id, self.terms, self.at)?;
        let second = self.terms.free_second_end(facts, user_id, &transaction.id)?;
        let none = Moves::default();
        let cause = Cause::Reversal { moved: moved.unwrap_or(&none), before, ends_at_once: second.is_some() };
        let addition = self.record_because(facts, user_id, transaction, cause)?;
        if let (Addition::Added { .. }, Some(second)) = (&addition, second) {
            lots::end_again(facts, user_id, self.terms, second, self.at)?;
        }
        Ok(addition)
    }

    fn record_because(
        self,
        facts: &mut Facts,
        user_id: &UserId,
        transaction: &Arc<Transaction>,
        cause: Cause<'_>,
    ) -> Result<Addition, CommandError> {
        let Activity { kind, source_id, .. } = &transaction.activity;
        let known = facts.get::<UserRow>(user_id)?.cloned();
        if let Some(stored) = facts.get::<EntryRow>(&(user_id, kind, source_id))? {
            let (seq, transaction) = (stored.seq, stored.transaction().into());
            return Ok(Addition::AlreadyRecorded(StoredEntry { seq, transaction }));
        }
        let user = known.unwrap_or_else(|| new_user(self.terms, user_id, self.at));
        self.add(facts, user, transaction, cause)
    }

    /// Adds a row whose key is new.
    fn add(
        self,
        facts: &mut Facts,
        mut user: UserRow,
        transaction: &Arc<Transaction>,
        cause: Cause<'_>,
    ) -> Result<Addition, CommandError> {
        let activity = &transaction.activity;
        let day = rows_on(&user.id, activity.created_at.day());
        let is_new_day = !facts.any::<EntryRow>(&day)?;
        let balance = match self.overdraft.balance_after(user.state.balance, activity) {
            Ok(balance) => balance,
            Err(refusal) => return Ok(Addition::Refused(refusal)),
        };
        let moves = user.state.lots.take().map(|KeptLots { mut lots, .. }| {
            let moves = self.terms.change(&mut lots, activity, cause, self.at);
            user.state.lots = Some(lots.into());
            moves
        });
        let entry = entry(&user, transaction, balance, moves, self.at);
        if user.state.last_seq == 0 && facts.get::<UserRow>(&user.id)?.is_none() {
            tell_new_user(facts, &user.id);
        }
        let seq = entry.seq;
        user.state.earned.add(activity);
        user.state.day_count += u64::from(is_new_day);
        (user.state.balance, user.state.last_seq, user.state.last_hash) = (balance, seq, entry.hash);
        let told = if matches!(cause, Cause::End(_)) {
            EventType::PointsExpired
        } else {
            EventType::TransactionRecorded
        };
        facts.tell(event(told, &user.id, Some((activity.created_at, seq))));
        facts.note_time(self.at);
        count(facts, activity);
        facts.note_any::<EntryRow>(day);
        match cause {
            // Its source id may be one that nobody knew before.
            Cause::End(_) => facts.insert(entry),
            Cause::Activity | Cause::Reversal { .. } => facts.put(entry)?,
        }
        facts.put(user)?;
        Ok(Addition::Added { seq })
    }

    /// Records what a back office reports. `None` when only an order may record it: another row in the place of a refund would
    /// make it impossible to cancel the order. `None` too when it waits, or was voided.
    ///
    /// # Errors
    /// As [`Self::record`].
    pub(crate) fn record_reported(
        self,
        facts: &mut Facts,
        reported: &Reported,
    ) -> Result<Option<Addition>, CommandError> {
        let Reported { user_id, transaction } = reported;
        let Activity { kind, source_id, .. } = &transaction.activity;
        let is_stored = facts.get::<EntryRow>(&(user_id, kind, source_id))?.is_some();
        if !is_stored && (is_of_an_order(facts, kind, source_id)? || is_held(facts, reported)?) {
            return Ok(None);
        }
        self.record(facts, user_id, transaction).map(Some)
    }
}

/// A user without rows.
pub(crate) fn new_user(terms: &Terms, user_id: &UserId, at: Timestamp) -> UserRow {
    let lots = terms.has_end().then(|| Lots::default().into());
    UserRow {
        id: user_id.clone(),
        state: AccountState { lots, ..AccountState::NEW },
        profile: new_profile(at),
        disabled_at: None,
    }
}

pub(crate) fn tell_new_user(facts: &mut Facts, user_id: &UserId) {
    facts.tell(event(EventType::UserCreated, user_id, None));
}

fn event(kind: EventType, user_id: &UserId, row: Option<(Timestamp, u64)>) -> FeedEntry {
    FeedEntry { kind, user_id: Some(user_id.clone()), id: None, row }
}

fn count(facts: &mut Facts, activity: &Activity) {
    let (points, tally) = (activity.net_points().map_or(0, Points::get), facts.tally());
    let sum = if points < 0 { &mut tally.points_spent } else { &mut tally.points_earned };
    *sum += points.unsigned_abs();
    tally.activities += u64::from(!activity.kind.is_order());
}

fn entry(
    user: &UserRow,
    transaction: &Transaction,
    balance_after: Points,
    moves: Option<Moves>,
    recorded_at: Timestamp,
) -> EntryRow {
    let UserRow { id: user_id, state, .. } = user;
    let (seq, Transaction { id, activity, bonus_origin }) = (state.last_seq + 1, transaction);
    let row = LedgerRow { user_id, seq, transaction, balance_after, recorded_at, moves: moves.as_ref() };
    let hash = chain::link(&row, &state.last_hash);
    let Activity { kind, source_id, points, bonuses, title, subtitle, created_at, attributes } =
        activity.clone();
    EntryRow {
        user_id: user_id.clone(),
        kind,
        source_id,
        seq,
        created_at,
        id: id.clone(),
        points,
        bonus_points: bonuses.total(),
        bonuses,
        title,
        subtitle,
        attributes,
        bonus_origin: *bonus_origin,
        balance_after,
        recorded_at,
        hash,
        moves,
    }
}

impl Overdraft {
    fn balance_after(self, balance: Points, activity: &Activity) -> Result<Points, Refusal> {
        let net = activity.net_points().map_err(|_| Refusal::OutOfRange)?;
        let balance = balance.checked_add(net).ok();
        let is_short = net < Points::ZERO && balance.is_none_or(|balance| balance < Points::ZERO);
        match self {
            Self::Refused if is_short => Err(Refusal::TooFewPoints),
            Self::Refused | Self::Allowed => balance.ok_or(Refusal::OutOfRange),
        }
    }
}

/// Whether a reported transaction is new: the ledger has no row under its key, no order moves points under it, and no held activity has it.
///
/// # Errors
/// When the entry or the order was not loaded.
pub(crate) fn is_new(facts: &Facts, reported: &Reported) -> Result<bool, CommandError> {
    let Reported { user_id, transaction } = reported;
    let Activity { kind, source_id, .. } = &transaction.activity;
    let is_stored = facts.get::<EntryRow>(&(user_id, kind, source_id))?.is_some();
    Ok(!is_stored && !is_of_an_order(facts, kind, source_id)? && !is_held(facts, reported)?)
}

/// Whether an order of any user moves points under this type and source id.
///
/// # Errors
/// When the order was not loaded.
pub(crate) fn is_of_an_order(
    facts: &Facts,
    kind: &ActivityType,
    source_id: &SourceId,
) -> Result<bool, CommandError> {
    if !kind.is_order() {
        return Ok(false);
    }
    for name in OrderId::candidates(source_id.as_str()) {
        if facts.exists::<Order>(name)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests;
