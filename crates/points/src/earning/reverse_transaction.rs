//! Reverses a transaction for a back office: one opposite row, once for ever.

use std::cmp::{max, min};
use std::sync::Arc;

use pointbook_campaigns::CampaignId;
use pointbook_domain::expiry::Moves;
use pointbook_domain::{Activity, Bonuses, Points, SourceId, Timestamp, Transaction, TransactionId, UserId};
use pointbook_store::audit_log::ChangeNote;
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs};
use pointbook_store::ports::{Execution, Query, RecordedActivity, read_all};
use pointbook_store::schema::rows::{AwardRow, LedgerEntry};
use pointbook_store::{Context, StoreError, StoreResult};
use serde_json::json;

use crate::campaigns::rules_cache::RulesCache;
use crate::earning::bonuses::holder;
use crate::earning::budget;
use crate::ledger;
use crate::ledger::{Addition, Overdraft, Recording, Refusal, Terms};

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
    /// It would move more points than the operator may move.
    OverLimit(Points),
}

/// What a back office or an operator wants reversed.
#[derive(Debug, Clone)]
pub struct WantedReversal {
    /// The user, and the transaction.
    pub row: (UserId, TransactionId),
    pub reason: String,
    /// Whether to take the points that are left when the balance is too small.
    pub is_partial: bool,
    /// The most points that it may take or give back. `None` for no limit.
    pub max_points: Option<Points>,
}

/// Records the opposite of a transaction under the same type and the source id `{transaction_id}:reversal`. It reverses bonuses
/// with the base points. Rows of the ledger never change, so the use case reads the original before the command.
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
    /// Whether to take the points that are left, down to 0, when the balance is too small. With no points left it is refused,
    /// because a transaction can be reversed only once.
    pub is_partial: bool,
    /// As in [`WantedReversal`].
    pub max_points: Option<Points>,
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
            self.terms.need_reversal(needs, &self.user_id, &self.id);
            self.awards.iter().for_each(|award| budget::need(needs, &award.campaign_id, &self.holder));
        }
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        self.terms.need_due(facts, needs, &self.user_id, self.at);
    }

    fn decide(&self, facts: &mut Facts) -> Result<ReversalOutcome, CommandError> {
        let Some((original, source)) = &self.original else { return Ok(ReversalOutcome::Unknown) };
        let Activity { kind, source_id, .. } = &original.activity;
        if ledger::is_of_an_order(facts, kind, source_id)? {
            return Ok(ReversalOutcome::OfOrder);
        }
        let Ok(given) = original.activity.net_points() else { return Ok(ReversalOutcome::OutOfRange) };
        ledger::settle(facts, &self.user_id, &self.terms, self.at)?;
        let balance = ledger::balance(facts, &self.user_id)?;
        let taken = taken(given, balance, self.is_partial);
        if let Some(max) = self.max_points
            && is_beyond(max, taken)
        {
            return Ok(ReversalOutcome::OverLimit(max));
        }
        let reversal = Arc::new(self.opposite(&original.activity, source.clone(), taken));
        let recording = Recording { at: self.at, overdraft: Overdraft::Refused, terms: &self.terms };
        let addition = recording.take_back(facts, &self.user_id, &reversal, self.moved.as_ref())?;
        if let Addition::Added { seq } = addition {
            facts.tell_reversal(&self.user_id, seq);
            if taken == given {
                self.awards.iter().try_for_each(|award| budget::give_back(facts, &self.holder, award))?;
            }
            facts.note(|| self.note(&original.id, taken));
        }
        let user_points = ledger::balance(facts, &self.user_id)?;
        let recorded = |transaction, seq| RecordedActivity { transaction, seq, user_points };
        Ok(match addition {
            Addition::Added { seq } => ReversalOutcome::Reversed(recorded(reversal, seq)),
            Addition::AlreadyRecorded(stored) if is_opposite(&stored.transaction.activity, given) => {
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

impl ReverseTransaction {
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
        Transaction { id: self.id.clone(), activity, bonus_origin: pointbook_domain::BonusOrigin::Undecided }
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

/// The source id of the reversal of a transaction.
///
/// # Errors
/// [`StoreError::Corrupt`] when the stored id is too long for the suffix. The service makes short ids.
pub fn reversal_source(id: &TransactionId) -> StoreResult<SourceId> {
    SourceId::of_reversal(id).map_err(|error| StoreError::Corrupt(format!("transaction {id}: {error}")))
}

/// Reverses a transaction of a user.
///
/// # Errors
/// When the store fails: nothing was recorded, or the key of the request tells.
pub async fn reverse_transaction(
    context: &Context<ReversalOutcome>,
    wanted: WantedReversal,
) -> StoreResult<Execution<ReversalOutcome>> {
    let WantedReversal { row: (user_id, transaction_id), reason, is_partial, max_points } = wanted;
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
        is_partial,
        max_points,
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
