//! Records one activity for a back office, once for ever: repeats change nothing.

use std::sync::Arc;

use pointbook_domain::{Activity, BonusOrigin, Points, Timestamp, Transaction, UserId};
use pointbook_store::audit_log::ChangeNote;
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs};
use pointbook_store::ports::{
    ActivityToRecord, Execution, NewTransaction, RecordActivityOutcome, RecordedActivity,
};
use pointbook_store::{Actor, Context, StoreResult};
use serde_json::json;

use crate::earning::bonuses::{Earning, current_rules};
use crate::earning::record_activities::NewActivity;
use crate::ledger;
use crate::ledger::{Addition, Overdraft, Recording, Refusal, Reported, StoredEntry, Terms};

/// Records an activity. It creates an unknown user, unless the activity is refused. The balance may fall to 0 but not below.
/// Only an order moves its own points. So under the type `order` and a source id of an order, an activity either is in the
/// ledger already or is a conflict.
pub struct RecordActivity {
    reported: Reported,
    has_own_time: bool,
    recorded_at: Timestamp,
    /// The campaigns that add bonuses. `None` when the request decides about them.
    earning: Option<Earning>,
    terms: Terms,
    /// Whether an operator records it in the console. Back offices record all day, and the ledger tells about those.
    is_by_hand: bool,
}

impl Command for RecordActivity {
    type Outcome = RecordActivityOutcome;

    const NAME: &'static str = "record_activity";

    fn lane(&self) -> Lane {
        Lane::User(self.reported.user_id.clone())
    }

    fn needs(&self, needs: &mut Needs) {
        ledger::need_reported(needs, &self.reported);
        if let Some(earning) = &self.earning {
            earning.needs(&self.reported.user_id, &self.reported.transaction.activity, needs);
        }
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        self.terms.need_due(facts, needs, &self.reported.user_id, self.recorded_at);
        ledger::need_held(facts, needs, &self.reported);
    }

    fn decide(&self, facts: &mut Facts) -> Result<RecordActivityOutcome, CommandError> {
        let recording = Recording { at: self.recorded_at, overdraft: Overdraft::Refused, terms: &self.terms };
        let addition = record(&self.reported, self.earning.as_ref(), recording, self.recorded_at, facts)?;
        let user_points = ledger::balance(facts, &self.reported.user_id)?;
        if let Some((Addition::Added { .. }, recorded)) = &addition
            && self.is_by_hand
        {
            facts.note(|| note(&self.reported.user_id, recorded));
        }
        Ok(match addition {
            Some((addition, recorded)) => self.outcome(addition, recorded, user_points),
            None => RecordActivityOutcome::Conflict,
        })
    }
}

fn note(user_id: &UserId, recorded: &Transaction) -> ChangeNote {
    let Activity { kind, points, bonuses, .. } = &recorded.activity;
    let facts = json!({
        "user_id": user_id.as_str(),
        "type": kind.as_str(),
        "points": points.get(),
        "bonus_points": bonuses.total().get(),
    });
    ChangeNote::of_event("transaction.record", format!("transaction:{}", recorded.id), facts)
}

/// Records a reported transaction with the bonuses of campaigns, which decide as of `reported_at`. Returns what was added, or would be. `None` as of
/// [`Recording::record_reported`].
pub(crate) fn record(
    reported: &Reported,
    earning: Option<&Earning>,
    recording: Recording<'_>,
    reported_at: Timestamp,
    facts: &mut Facts,
) -> Result<Option<(Addition, Arc<Transaction>)>, CommandError> {
    let Reported { user_id, transaction } = reported;
    let is_new = earning.is_some() && ledger::is_new(facts, reported)?;
    let Some(earning) = earning.filter(|_| is_new) else {
        let addition = recording.record_reported(facts, reported)?;
        return Ok(addition.map(|addition| (addition, transaction.clone())));
    };
    let Some(earned) = earning.decide(user_id, transaction, reported_at, facts)? else {
        return Ok(Some((Addition::Refused(Refusal::OutOfRange), transaction.clone())));
    };
    let addition = recording.record(facts, user_id, &earned.transaction)?;
    if let Addition::Added { seq } = addition {
        earning.keep(user_id, seq, &earned, facts)?;
        earning.tell_budgets(&transaction.activity, facts)?;
    }
    Ok(Some((addition, earned.transaction)))
}

impl RecordActivity {
    pub fn new(activity: ActivityToRecord, recorded_at: Timestamp, terms: Terms) -> Self {
        let (ActivityToRecord { new, has_own_time }, earning) = (activity, None);
        Self { reported: new.into(), has_own_time, recorded_at, earning, terms, is_by_hand: false }
    }

    /// For a tenant whose points never ended.
    pub fn without_end(activity: ActivityToRecord, recorded_at: Timestamp) -> Self {
        Self::new(activity, recorded_at, Terms::default())
    }

    /// The same, with the bonuses of campaigns.
    #[must_use]
    pub fn earning(self, earning: Earning) -> Self {
        Self { earning: Some(earning), ..self }
    }

    fn outcome(
        &self,
        addition: Addition,
        added: Arc<Transaction>,
        user_points: Points,
    ) -> RecordActivityOutcome {
        let recorded = |transaction, seq| RecordedActivity { transaction, seq, user_points };
        match addition {
            Addition::Added { seq } => RecordActivityOutcome::Recorded(recorded(added, seq)),
            Addition::AlreadyRecorded(StoredEntry { seq, transaction: stored }) => {
                let repeat = &self.reported.transaction.activity;
                if is_same(&stored, repeat, self.has_own_time) && asks_as(self.earning.is_some(), &stored) {
                    RecordActivityOutcome::AlreadyRecorded(recorded(stored, seq))
                } else {
                    RecordActivityOutcome::Conflict
                }
            }
            Addition::Refused(Refusal::TooFewPoints) => RecordActivityOutcome::TooFewPoints,
            Addition::Refused(Refusal::OutOfRange) => RecordActivityOutcome::OutOfRange,
        }
    }
}

/// Whether a request leaves the bonuses to the campaigns, or gives none itself, as the first one did. Bonuses of a request are
/// part of its content, whether campaigns add some or not.
pub(crate) fn asks_as(asks_campaigns: bool, first: &Transaction) -> bool {
    let gives_bonuses = !first.requested_bonuses().is_empty();
    gives_bonuses
        || match first.bonus_origin {
            BonusOrigin::BackOffice => !asks_campaigns,
            BonusOrigin::Campaigns { .. } => asks_campaigns,
            BonusOrigin::Undecided | BonusOrigin::Import | BonusOrigin::BackFill => true,
        }
}

/// Whether a repeat has the content of the first request. What campaigns added does not count. If the request gave no time, the time
/// does not count either.
pub(crate) fn is_same(first: &Transaction, repeat: &Activity, has_own_time: bool) -> bool {
    let Activity { kind, source_id, points, bonuses, title, subtitle, created_at, attributes } = repeat;
    let requested = first.requested_bonuses();
    let first = &first.activity;
    let is_same_time = !has_own_time || first.created_at == *created_at;
    is_same_time
        && (&first.kind, &first.source_id, first.points) == (kind, source_id, *points)
        && (&first.title, &first.subtitle, &first.attributes) == (title, subtitle, attributes)
        && requested == bonuses.breakdown()
}

/// Records an activity of a type that the tenant has. `has_own_time` says whether the request gave a time. Without one, a repeat
/// at any time is the same activity.
///
/// # Errors
/// When the store fails: nothing was recorded, or the key of the request tells.
pub async fn record_activity(
    context: &Context<RecordActivityOutcome>,
    new: NewActivity,
    has_own_time: bool,
) -> StoreResult<Execution<RecordActivityOutcome>> {
    let NewActivity { user_id, activity, asks_campaigns, has_breakdown: _ } = new;
    let bonus_origin = BonusOrigin::BackOffice;
    let transaction = Transaction { id: context.ids.transaction_id(), activity, bonus_origin };
    let activity = ActivityToRecord { new: NewTransaction { user_id, transaction }, has_own_time };
    let command = RecordActivity::new(activity, context.now, Terms::of(&context.tenant));
    let command = RecordActivity { is_by_hand: matches!(context.actor, Actor::Operator { .. }), ..command };
    let command = if asks_campaigns { command.earning(current_rules(context).await?) } else { command };
    context.execute(command).await
}
