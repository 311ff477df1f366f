//! Voids a held activity.

use pointbook_domain::{Points, Timestamp, TransactionId, UserId};
use pointbook_store::audit_log::ChangeNote;
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs};
use pointbook_store::ports::{Execution, Query, read_one};
use pointbook_store::schema::rows::{HeldActivity, UserRow};
use pointbook_store::{Context, StoreResult};
use serde_json::json;

use super::{move_pending, pending_points};
use crate::ledger;
use crate::ledger::Terms;

/// The result of voiding. Only the first outcome changes anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VoidOutcome {
    Voided(HeldActivity, Points),
    AlreadyVoided(HeldActivity, Points),
    /// It was released meanwhile: its transaction is in the ledger.
    Released,
    /// The user has no such held activity.
    Unknown,
}

/// Voids a held activity. Its business key stays used.
#[derive(Debug, Clone)]
pub struct VoidActivity {
    /// The held activity, as it was before the command. `None` when the user has none with this id.
    pub held: Option<HeldActivity>,
    pub user_id: UserId,
    /// Whether the ledger has a transaction with the id, without a hold.
    pub is_recorded: bool,
    pub reason: String,
    pub at: Timestamp,
    /// When points end.
    pub terms: Terms,
}

impl Command for VoidActivity {
    type Outcome = VoidOutcome;

    const NAME: &'static str = "void_activity";

    fn lane(&self) -> Lane {
        Lane::User(self.user_id.clone())
    }

    fn needs(&self, needs: &mut Needs) {
        needs.row::<UserRow>(&self.user_id);
        if let Some(HeldActivity { user_id, kind, source_id, .. }) = &self.held {
            needs.row::<HeldActivity>(&(user_id, kind, source_id));
        }
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        self.terms.need_due(facts, needs, &self.user_id, self.at);
    }

    fn decide(&self, facts: &mut Facts) -> Result<VoidOutcome, CommandError> {
        let Some(HeldActivity { user_id, kind, source_id, .. }) = &self.held else {
            return Ok(if self.is_recorded { VoidOutcome::Released } else { VoidOutcome::Unknown });
        };
        ledger::settle(facts, user_id, &self.terms, self.at)?;
        let user_points = ledger::balance(facts, user_id)?;
        let Some(held) = facts.get::<HeldActivity>(&(user_id, kind, source_id))?.cloned() else {
            return Ok(VoidOutcome::Released);
        };
        if held.release_at.is_none() {
            let is_voided = held.voided_at.is_some();
            return Ok(if is_voided {
                VoidOutcome::AlreadyVoided(held, user_points)
            } else {
                VoidOutcome::Released
            });
        }
        if let Some(user) = facts.get::<UserRow>(user_id)?.cloned() {
            move_pending(facts, user, -pending_points(&held))?;
        }
        let voided =
            HeldActivity { release_at: None, voided_at: Some(self.at), reason: self.reason.clone(), ..held };
        facts.note(|| {
            let fields = json!({ "user_id": user_id.as_str(), "points": pending_points(&voided) });
            ChangeNote::of_event("activity.void", format!("transaction:{}", voided.id), fields)
                .because(&self.reason)
        });
        facts.note_time(self.at);
        facts.put(voided.clone())?;
        Ok(VoidOutcome::Voided(voided, user_points))
    }
}

/// Voids the held activity with this id.
///
/// # Errors
/// When the store fails: nothing was saved, or the key of the request tells.
pub async fn void_activity(
    context: &Context<VoidOutcome>,
    (user_id, id): (UserId, TransactionId),
    reason: String,
) -> StoreResult<Execution<VoidOutcome>> {
    let data = &*context.tenant.data;
    let held = Query::of::<HeldActivity>("held_activity", &["user_id", "type", "source_id"]).limit(1);
    let held = read_one(data, held.equal("user_id", Some(&user_id)).equal("id", Some(&id))).await?;
    let is_recorded = held.is_none() && data.entry(&user_id, &id).await?.is_some();
    context
        .execute(VoidActivity {
            held,
            user_id,
            is_recorded,
            reason,
            at: context.now,
            terms: Terms::of(&context.tenant),
        })
        .await
}
