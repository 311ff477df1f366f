//! Reverses a transaction for a back office: one opposite row for all of it, once for ever, or one for each part that was returned.

use std::cmp::{max, min};
use std::sync::Arc;

use pointbook_campaigns::CampaignId;
use pointbook_domain::expiry::Moves;
use pointbook_domain::id::IdError;
use pointbook_domain::{
    Activity, ActivityType, BonusOrigin, Bonuses, Points, SourceId, Timestamp, Transaction, TransactionId,
    UserId,
};
use pointbook_store::audit_log::ChangeNote;
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs, Range};
use pointbook_store::ports::{Execution, Query, RecordedActivity, TenantData, read_all};
use pointbook_store::schema::rows::{AwardRow, EntryRow, LedgerEntry};
use pointbook_store::{Context, StoreError, StoreResult};
use serde_json::json;

use crate::campaigns::rules_cache::RulesCache;
use crate::earning::bonuses::holder;
use crate::earning::budget;
use crate::ledger;
use crate::ledger::{Addition, Overdraft, Recording, Refusal, Terms, Undone};

/// The result of a reversal. Only the first outcome changes anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReversalOutcome {
    Reversed(RecordedActivity),
    /// The first reversal, with its own reason.
    AlreadyReversed(RecordedActivity),
    /// Another activity has the business key of the reversal.
    Conflict,
    /// The user has no such transaction.
    Unknown,
    /// An order moves these points. A back office cancels the order instead.
    OfOrder,
    /// The balance is smaller than what the transaction gave.
    TooFewPoints {
        /// The points that are missing.
        shortfall: i64,
        /// Whether a partial reversal would take points.
        leaves_some: bool,
    },
    OutOfRange,
    /// Fewer base points of the transaction than the part are not reversed yet.
    TooMuch {
        left: i64,
    },
    /// The transaction has [`MAX_RETURNS`] returns.
    TooManyReturns,
    /// It would move more points than the operator may move.
    OverLimit(Points),
}

/// How many returns a transaction may have: a write reads them all.
pub const MAX_RETURNS: usize = 1_000;

/// What a back office or an operator wants reversed.
#[derive(Debug, Clone)]
pub struct WantedReversal {
    /// The user, and the transaction.
    pub row: (UserId, TransactionId),
    pub reason: String,
    /// How many of its base points are returned, above 0: their share of the bonuses goes with them. `None` for all that is not reversed yet.
    pub part: Option<Points>,
    /// Whether to take the points that are left when the balance is too small.
    pub is_partial: bool,
    /// The most points that it may take or give back, with those that were reversed before. `None` for no limit.
    pub max_points: Option<Points>,
}

/// Records the opposite of a transaction under the same type and the source id `{transaction_id}:reversal`, or that of a part
/// under [`SourceId::of_return`]. It reverses bonuses with the base points: all parts together are the transaction. Rows of the ledger
/// never change, so the use case reads the original before the command.
#[derive(Debug, Clone)]
pub struct ReverseTransaction {
    pub user_id: UserId,
    /// The transaction, and the source id of its reversal. `None` when the user has no such transaction.
    pub original: Option<(Arc<Transaction>, SourceId)>,
    /// What the transaction moved in the lots of the user.
    pub moved: Option<Moves>,
    /// The id of the opposite row.
    pub id: TransactionId,
    pub reason: String,
    /// As in [`WantedReversal`].
    pub part: Option<Points>,
    /// Whether to take the points that are left, down to 0, when the balance is too small. With no points left it is refused,
    /// because a transaction can be reversed only once.
    pub is_partial: bool,
    /// As in [`WantedReversal`].
    pub max_points: Option<Points>,
    /// Whether it may take points that the user has spent already.
    pub may_overdraw: bool,
    pub at: Timestamp,
    /// The awards of the transaction that a budget paid for. A reversal of all its points gives them back to the budgets.
    pub awards: Vec<AwardRow>,
    /// The share of budgets that gets them.
    pub holder: String,
    /// When points end.
    pub terms: Terms,
}

impl Command for ReverseTransaction {
    type Outcome = ReversalOutcome;

    const NAME: &'static str = "reverse_transaction";

    fn lane(&self) -> Lane {
        Lane::User(self.user_id.clone())
    }

    fn needs(&self, needs: &mut Needs) {
        if let Some((original, reversal)) = &self.original {
            let Activity { kind, source_id, .. } = &original.activity;
            ledger::need_entry(needs, &self.user_id, (kind, reversal), self.at);
            ledger::need_order_of(needs, kind, source_id);
            if let Some(returns) = self.returns() {
                needs.rows::<EntryRow>(returns);
            }
            self.terms.need_reversal(needs, &self.user_id, &self.id);
            self.awards.iter().for_each(|award| budget::need(needs, &award.campaign_id, &self.holder));
        }
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        self.terms.need_due(facts, needs, &self.user_id, self.at);
        // The source id of a return depends on those before.
        if let Some((original, _)) = &self.original
            && self.part.is_some()
            && let Ok(Ok(Step { source, .. })) = self.step(facts)
        {
            ledger::need_entry(needs, &self.user_id, (&original.activity.kind, &source), self.at);
        }
    }

    fn decide(&self, facts: &mut Facts) -> Result<ReversalOutcome, CommandError> {
        let Some((original, _)) = &self.original else { return Ok(ReversalOutcome::Unknown) };
        let Activity { kind, source_id, .. } = &original.activity;
        if ledger::is_of_an_order(facts, kind, source_id)? {
            return Ok(ReversalOutcome::OfOrder);
        }
        ledger::settle(facts, &self.user_id, &self.terms, self.at)?;
        let Step { source, given, from, to } = match self.step(facts)? {
            Ok(step) => step,
            Err(refused) => return Ok(refused),
        };
        let balance = ledger::balance(facts, &self.user_id)?;
        let taken = taken(given, balance, self.is_partial);
        if let Some(max) = self.max_points
            && max.get() < from.net(&original.activity).abs().saturating_add(taken.get().abs())
        {
            return Ok(ReversalOutcome::OverLimit(max));
        }
        let reversal = Arc::new(self.opposite(&original.activity, source, taken));
        let may_overdraw = self.may_overdraw && !self.is_partial;
        let overdraft = if may_overdraw { Overdraft::Allowed } else { Overdraft::Refused };
        let recording = Recording { at: self.at, overdraft, terms: &self.terms };
        let undone = Undone { moved: self.moved.as_ref(), before: from.net(&original.activity).abs() };
        let addition = recording.take_back(facts, &self.user_id, &reversal, undone)?;
        if let Addition::Added { seq } = addition {
            facts.tell_reversal(&self.user_id, seq);
            if taken == given {
                for award in &self.awards {
                    let of_award = |part: Part| part.of(award.points.get());
                    let points = of_award(to) - of_award(from);
                    budget::give_back(facts, &self.holder, award, (to.is_whole, points))?;
                }
            }
            facts.note(|| self.note(&original.id, taken));
        }
        let user_points = ledger::balance(facts, &self.user_id)?;
        let recorded = |transaction, seq| RecordedActivity { transaction, seq, user_points };
        Ok(match addition {
            Addition::Added { seq } => ReversalOutcome::Reversed(recorded(reversal, seq)),
            Addition::AlreadyRecorded(stored)
                if self.part.is_none() && is_opposite(&stored.transaction.activity, given) =>
            {
                ReversalOutcome::AlreadyReversed(recorded(stored.transaction, stored.seq))
            }
            Addition::AlreadyRecorded(_) => ReversalOutcome::Conflict,
            Addition::Refused(Refusal::TooFewPoints) => {
                let (shortfall, leaves_some) = (given.get() - balance.get(), balance > Points::ZERO);
                ReversalOutcome::TooFewPoints { shortfall, leaves_some }
            }
            Addition::Refused(Refusal::OutOfRange) => ReversalOutcome::OutOfRange,
        })
    }
}

/// The rows that have source ids of returns of a transaction.
pub(crate) fn returns_of(user_id: &UserId, kind: &ActivityType, id: &TransactionId) -> Option<Range> {
    let [first, last] = SourceId::returns_of(id).ok()?;
    let range = Range::default().equal("user_id", user_id).equal("type", kind);
    Some(range.between("source_id", [&first, &last]))
}

/// Whether pointbook made the row: a back office may have recorded another one under the source id of a return.
fn is_return(bonus_origin: BonusOrigin, bonuses: &Bonuses) -> bool {
    bonus_origin == BonusOrigin::Undecided && *bonuses == Bonuses::NONE
}

/// How much of a transaction is reversed: so many of its base points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    points: i64,
    /// All base points. 0 for a transaction that has only bonuses.
    whole: i64,
    is_whole: bool,
}

impl Part {
    /// The share of a number that all base points have. The shares of all parts are the number.
    fn of(self, number: i64) -> i64 {
        if self.is_whole || self.whole == 0 {
            return if self.is_whole { number } else { 0 };
        }
        let (points, whole, number) = (i128::from(self.points), i128::from(self.whole), i128::from(number));
        i64::try_from((number * points * 2 + whole) / (whole * 2)).unwrap_or_default()
    }

    /// The points with bonuses, below 0 when the transaction took some.
    fn net(self, activity: &Activity) -> i64 {
        let base = activity.points.get().signum() * self.points;
        base.saturating_add(self.of(activity.bonuses.total().get()))
    }
}

/// What a reversal does.
struct Step {
    source: SourceId,
    /// What the transaction gave of it, with bonuses. Below 0 when it took points.
    given: Points,
    /// What was reversed before, and what is reversed then.
    from: Part,
    to: Part,
}

impl ReverseTransaction {
    /// The returns of the transaction.
    fn returns(&self) -> Option<Range> {
        let (original, _) = self.original.as_ref()?;
        returns_of(&self.user_id, &original.activity.kind, &original.id)
    }

    /// Decides which part is reversed, or says why none is.
    fn step(&self, facts: &Facts) -> Result<Result<Step, ReversalOutcome>, CommandError> {
        let Some((original, reversal)) = &self.original else { return Ok(Err(ReversalOutcome::Unknown)) };
        let (activity, whole) = (&original.activity, original.activity.points.get().abs());
        let rows = match self.returns() {
            Some(returns) => facts.rows::<EntryRow>(&returns)?,
            None => Vec::new(),
        };
        let returns = || rows.iter().filter(|row| is_return(row.bonus_origin, &row.bonuses));
        if self.part.is_some() && returns().count() >= MAX_RETURNS {
            return Ok(Err(ReversalOutcome::TooManyReturns));
        }
        let returned = returns().filter_map(|row| row.source_id.returned()).filter(|points| *points <= whole);
        let returned = returned.max().unwrap_or_default();
        let is_reversed = facts.get::<EntryRow>(&(&self.user_id, &activity.kind, reversal))?.is_some();
        let (from, to, source) = match self.part {
            None if !is_reversed && whole > 0 && returned == whole => {
                return Ok(Err(ReversalOutcome::TooMuch { left: 0 }));
            }
            None => (returned, whole, reversal.clone()),
            Some(points) => {
                let from = if is_reversed { whole } else { returned };
                let left = whole - from;
                if points.get() > left {
                    return Ok(Err(ReversalOutcome::TooMuch { left }));
                }
                let to = from + points.get();
                let Ok(source) = SourceId::of_return(&original.id, to) else {
                    return Ok(Err(ReversalOutcome::Conflict));
                };
                (from, to, source)
            }
        };
        let from = Part { points: from, whole, is_whole: from == whole && whole > 0 };
        let to = Part { points: to, whole, is_whole: to == whole };
        let Ok(given) = Points::new(to.net(activity).saturating_sub(from.net(activity))) else {
            return Ok(Err(ReversalOutcome::OutOfRange));
        };
        Ok(Ok(Step { source, given, from, to }))
    }

    fn note(&self, original: &TransactionId, taken: Points) -> ChangeNote {
        let facts =
            json!({ "user_id": self.user_id.as_str(), "reversal": self.id.as_str(), "taken": taken.get() });
        ChangeNote::of_event("transaction.reverse", format!("transaction:{original}"), facts)
            .because(&self.reason)
    }

    fn opposite(&self, original: &Activity, source_id: SourceId, taken: Points) -> Transaction {
        let activity = Activity {
            source_id,
            points: taken.negated(),
            bonuses: Bonuses::NONE,
            subtitle: self.reason.clone(),
            created_at: self.at,
            ..original.clone()
        };
        Transaction { id: self.id.clone(), activity, bonus_origin: BonusOrigin::Undecided }
    }
}

/// The points that a reversal takes of those that were given; negative when it gives some back.
fn taken(given: Points, balance: Points, is_partial: bool) -> Points {
    let is_part = is_partial && min(given, balance) > Points::ZERO;
    if is_part { min(given, balance) } else { given }
}

fn is_beyond(limit: Points, taken: Points) -> bool {
    limit < max(taken, taken.negated())
}

/// Whether any reversal of the activity, also one of the points that are left, moves more than this limit.
pub fn reversal_is_beyond(limit: Points, activity: &Activity, balance: Points) -> bool {
    let Ok(given) = activity.net_points() else { return false };
    [false, true].iter().all(|is_partial| is_beyond(limit, taken(given, balance, *is_partial)))
}

/// Whether an activity takes back the given points, all or a part.
fn is_opposite(reversal: &Activity, given: Points) -> bool {
    let opposite = given.negated();
    let bounds = min(opposite, Points::ZERO)..=max(opposite, Points::ZERO);
    reversal.bonuses == Bonuses::NONE && bounds.contains(&reversal.points)
}

/// What takes back a transaction.
#[derive(Debug)]
pub struct Reversals {
    /// The returns, and the reversal of all that they left.
    pub rows: Vec<LedgerEntry>,
    /// Whether nothing is left to reverse.
    pub is_whole: bool,
}

/// What takes back a transaction so far.
///
/// # Errors
/// When the store fails.
pub async fn reversals_of(data: &dyn TenantData, entry: &LedgerEntry) -> StoreResult<Reversals> {
    let (id, activity) = (&entry.transaction.id, &entry.transaction.activity);
    let reversal = reversal_source(id)?;
    let [first, last] = SourceId::returns_of(id).map_err(|error| long_id(id, error))?;
    let rows = Query::of::<LedgerEntry>("returns", &["seq"]).equal("user_id", Some(&entry.user_id));
    let rows = rows.equal("type", Some(&activity.kind)).between("source_id", [&first, &last]);
    let mut rows: Vec<LedgerEntry> = read_all(data, rows).await?;
    rows.retain(|row| {
        let Transaction { activity, bonus_origin, .. } = &row.transaction;
        activity.source_id.returned().is_some() && is_return(*bonus_origin, &activity.bonuses)
    });
    let whole = activity.points.get().abs();
    let is_last = |row: &LedgerEntry| row.transaction.activity.source_id.returned() == Some(whole);
    let all = data.entries_with_source(&entry.user_id, &reversal, 1).await?;
    let is_whole = !all.is_empty() || rows.iter().any(is_last);
    rows.extend(all);
    Ok(Reversals { rows, is_whole })
}

fn long_id(id: &TransactionId, error: IdError) -> StoreError {
    StoreError::Corrupt(format!("transaction {id}: {error}"))
}

/// The source id of the reversal of a transaction.
///
/// # Errors
/// [`StoreError::Corrupt`] when the stored id is too long for the suffix. The service makes short ids.
pub fn reversal_source(id: &TransactionId) -> StoreResult<SourceId> {
    SourceId::of_reversal(id).map_err(|error| long_id(id, error))
}

/// Reverses a transaction of a user.
///
/// # Errors
/// When the store fails: nothing was recorded, or the key of the request tells.
pub async fn reverse_transaction(
    context: &Context<ReversalOutcome>,
    wanted: WantedReversal,
) -> StoreResult<Execution<ReversalOutcome>> {
    let WantedReversal { row: (user_id, transaction_id), reason, part, is_partial, max_points } = wanted;
    let original = context.tenant.data.entry(&user_id, &transaction_id).await?;
    let awards = match &original {
        Some(entry) => budgeted(context, awards_of(context, &user_id, entry.seq).await?).await?,
        None => Vec::new(),
    };
    let (original, moved) = match original {
        Some(LedgerEntry { transaction, moves, .. }) => {
            (Some((Arc::new(transaction), reversal_source(&transaction_id)?)), moves)
        }
        None => (None, None),
    };
    let command = ReverseTransaction {
        user_id,
        original,
        moved,
        id: context.ids.transaction_id(),
        reason,
        part,
        is_partial,
        max_points,
        may_overdraw: context.tenant.tenant.settings.returns_may_overdraw,
        at: context.now,
        awards,
        holder: holder(),
        terms: Terms::of(&context.tenant),
    };
    context.execute(command).await
}

/// The awards that a budget paid for. A campaign may have got its budget after an award.
async fn budgeted<T>(context: &Context<T>, awards: Vec<AwardRow>) -> StoreResult<Vec<AwardRow>> {
    if awards.is_empty() {
        return Ok(awards);
    }
    let rules = RulesCache::of(&context.tenant).await?;
    let is_budgeted = |award: &AwardRow| {
        CampaignId::new(&award.campaign_id).is_ok_and(|id| rules.has_budget(&id, award.version))
    };
    Ok(awards.into_iter().filter(is_budgeted).collect())
}

/// The awards of a ledger row.
pub(crate) async fn awards_of<T>(
    context: &Context<T>,
    user_id: &UserId,
    seq: u64,
) -> StoreResult<Vec<AwardRow>> {
    let awards = Query::of::<AwardRow>("awards_of_row", &["user_id", "campaign_id", "day", "seq"]);
    let awards = awards.equal("user_id", Some(user_id)).equal("seq", Some(&seq));
    read_all(&*context.tenant.data, awards).await
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{ActivityType, Bonus};

    use super::*;

    #[test]
    fn a_part_of_the_opposite_is_a_reversal_and_nothing_else_is() {
        let points = |amount| Points::new(amount).unwrap();
        let activity = |amount, bonuses| Activity {
            kind: ActivityType::order(),
            source_id: SourceId::new("s").unwrap(),
            points: points(amount),
            bonuses,
            title: String::new(),
            subtitle: String::new(),
            created_at: Timestamp::from_micros(0).unwrap(),
            attributes: pointbook_domain::Attributes::NONE,
        };
        let cases = [
            (60, -60, true),
            (60, -20, true),
            (60, -61, false),
            (60, 1, false),
            (-5, 5, true),
            (-5, -5, false),
        ];
        for (given, reversal, expected) in cases {
            let reversal = activity(reversal, Bonuses::NONE);
            assert_eq!(is_opposite(&reversal, points(given)), expected, "{reversal:?} for {given}");
        }
        let bonus = Bonus { kind: "campaign".to_owned(), points: points(60), title: String::new() };
        assert!(!is_opposite(&activity(-60, Bonuses::new(vec![bonus]).unwrap()), points(60)));
    }

    #[test]
    fn an_id_without_room_for_the_suffix_is_reported() {
        let id = |length| TransactionId::new("a".repeat(length)).unwrap();
        assert_eq!(reversal_source(&id(1)).unwrap().as_str(), "a:reversal");
        assert!(reversal_source(&id(250)).is_err());
    }
}
