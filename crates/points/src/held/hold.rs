//! Holds an activity.

use pointbook_domain::{BonusOrigin, Points, Timestamp, Transaction};
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs};
use pointbook_store::ports::{Execution, NewTransaction, RecordedActivity};
use pointbook_store::schema::rows::{EntryRow, HeldActivity, UserRow};
use pointbook_store::{Context, StoreResult};

use super::release::{HOUR_SECONDS, RELEASE_JOB};
use super::{held_activity, move_pending, pending_points, transaction};
use crate::earning::record_activities::NewActivity;
use crate::earning::record_activity::{asks_as, is_same};
use crate::ledger;
use crate::ledger::{Reported, Terms};

/// The result of holding an activity. Only the first outcome changes anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HoldOutcome {
    /// It waits now.
    Held(HeldActivity, Points),
    /// It waits already, or was voided.
    AlreadyHeld(HeldActivity, Points),
    /// It was released, or recorded without waiting.
    AlreadyRecorded(RecordedActivity),
    /// Another activity has the business key.
    Conflict,
    /// The points that wait would be out of range.
    OutOfRange,
}

/// Keeps an activity until its time. It creates an unknown user.
pub struct HoldActivity {
    /// With its time of release.
    pub held: HeldActivity,
    /// Whether the request gave the time of the activity. Without one, a repeat at any time is the same activity.
    pub has_own_time: bool,
    /// Whether the request gave the time of the release, or so many days after a time that it gave.
    pub has_own_release: bool,
    pub now: Timestamp,
    /// The real time of the release.
    pub due_at: Timestamp,
    pub terms: Terms,
}

impl HoldActivity {
    fn reported(&self) -> Reported {
        Reported { user_id: self.held.user_id.clone(), transaction: transaction(&self.held).into() }
    }

    /// Whether the request is the one that was held. The time of release does not count where it follows from that of the request, and of an
    /// activity that was voided.
    fn is_repeat_of(&self, held: &HeldActivity) -> bool {
        let repeat = transaction(&self.held).activity;
        is_same(&transaction(held), &repeat, self.has_own_time)
            && held.asks_campaigns == self.held.asks_campaigns
            && (!self.has_own_release || held.release_at.is_none() || held.release_at == self.held.release_at)
    }
}

impl Command for HoldActivity {
    type Outcome = HoldOutcome;

    const NAME: &'static str = "hold_activity";

    fn lane(&self) -> Lane {
        Lane::User(self.held.user_id.clone())
    }

    fn needs(&self, needs: &mut Needs) {
        ledger::need_reported(needs, &self.reported());
        let HeldActivity { user_id, kind, source_id, .. } = &self.held;
        needs.row::<HeldActivity>(&(user_id, kind, source_id));
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        self.terms.need_due(facts, needs, &self.held.user_id, self.now);
    }

    fn decide(&self, facts: &mut Facts) -> Result<HoldOutcome, CommandError> {
        let HeldActivity { user_id, kind, source_id, .. } = &self.held;
        ledger::settle(facts, user_id, &self.terms, self.now)?;
        let user_points = ledger::balance(facts, user_id)?;
        let key = (user_id, kind, source_id);
        if let Some(stored) = facts.get::<EntryRow>(&key)? {
            let (first, seq) = (stored.transaction(), stored.seq);
            let is_repeat = is_same(&first, &transaction(&self.held).activity, self.has_own_time)
                && asks_as(self.held.asks_campaigns, &first);
            return Ok(if is_repeat {
                HoldOutcome::AlreadyRecorded(RecordedActivity { transaction: first.into(), seq, user_points })
            } else {
                HoldOutcome::Conflict
            });
        }
        if let Some(held) = facts.get::<HeldActivity>(&key)? {
            let is_repeat = self.is_repeat_of(held);
            return Ok(if is_repeat {
                HoldOutcome::AlreadyHeld(held.clone(), user_points)
            } else {
                HoldOutcome::Conflict
            });
        }
        if ledger::is_of_an_order(facts, kind, source_id)? {
            return Ok(HoldOutcome::Conflict);
        }
        let known = facts.get::<UserRow>(user_id)?.cloned();
        let is_new = known.is_none();
        let user = known.unwrap_or_else(|| ledger::new_user(&self.terms, user_id, self.now));
        let points = pending_points(&self.held);
        if Points::new(user.state.pending.map_or(0, Points::get).saturating_add(points)).is_err() {
            return Ok(HoldOutcome::OutOfRange);
        }
        if is_new {
            ledger::tell_new_user(facts, user_id);
        }
        move_pending(facts, user, points)?;
        facts.put(self.held.clone())?;
        facts.note_time(self.now);
        // The job looks once an hour.
        if self.held.release_at <= Some(self.now.plus_seconds(HOUR_SECONDS)) {
            facts.make_due(RELEASE_JOB, self.due_at);
        }
        Ok(HoldOutcome::Held(self.held.clone(), user_points))
    }
}

/// Holds an activity of a type that the tenant has until this time. If it is over, the job releases the activity at once.
///
/// # Errors
/// When the store fails: nothing was saved, or the key of the request tells.
pub async fn hold_activity(
    context: &Context<HoldOutcome>,
    new: NewActivity,
    has_own_time: bool,
    (release_at, has_own_release): (Timestamp, bool),
) -> StoreResult<Execution<HoldOutcome>> {
    let NewActivity { user_id, activity, asks_campaigns, has_breakdown: _ } = new;
    let (id, bonus_origin) = (context.ids.transaction_id(), BonusOrigin::BackOffice);
    let new = NewTransaction { user_id, transaction: Transaction { id, activity, bonus_origin } };
    context
        .execute(HoldActivity {
            held: held_activity(new, asks_campaigns, context.now, release_at),
            has_own_time,
            has_own_release,
            now: context.now,
            due_at: context.tenant.tenant.clock.to_real(release_at),
            terms: Terms::of(&context.tenant),
        })
        .await
}
