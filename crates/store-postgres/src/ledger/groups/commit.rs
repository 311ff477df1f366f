//! One transaction for a group.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pointbook_app::StoreError;
use pointbook_app::ports::{Execution, RecordActivityOutcome};

use super::{Answer, GroupError, Member, Tenant, unavailable};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::ledger::told::ToldRecorder;
use crate::ledger::user_state::Hold;
use crate::once::{self, Answered, KeyName};
use crate::pipeline::both;
use crate::scoped::IntoScoped;
use crate::turns::Turn;

/// How often a group is tried: whatever stands in its way then may stand in the way of one of them only.
const MAX_ATTEMPTS: u32 = 2;

/// Records those of the members who can be recorded in passing. For each an answer, or none where it is to
/// be recorded alone: all of them, where they failed together for a reason that one of them may have alone.
pub(super) async fn record(tenant: &Tenant, turn: &Turn, members: &[Member]) -> Vec<Option<Answer>> {
    let attempts = &AtomicU32::new(0);
    let recorded = tenant
        .access
        .write_now(turn, "record_activities", |database| {
            attempt(database, &tenant.id, members, attempts).scoped()
        })
        .await;
    match recorded {
        Ok(executions) => {
            let mut executions = executions.into_iter();
            members.iter().map(|_| executions.next().flatten().map(Ok)).collect()
        }
        // Nobody was reached, or nobody knows whether it was committed: the request's key tells later.
        Err(error @ (StoreError::Unavailable(_) | StoreError::Overloaded)) => {
            let error = Arc::new(error);
            members.iter().map(|_| Some(Err(unavailable(GroupError::Failed(error.clone()))))).collect()
        }
        Err(StoreError::Failed(_) | StoreError::Corrupt(_)) => members.iter().map(|_| None).collect(),
    }
}

/// What became of each member; none where it is to be recorded alone.
type Executions = Vec<Option<Execution<RecordActivityOutcome>>>;

async fn attempt(
    database: &Transaction,
    tenant: &str,
    members: &[Member],
    attempts: &AtomicU32,
) -> Outcome<Executions> {
    if attempts.fetch_add(1, Ordering::Relaxed) >= MAX_ATTEMPTS {
        return Ok(Executions::new());
    }
    let told: Vec<_> = members.iter().map(|member| member.recording.told()).collect();
    let keys: Vec<_> = members.iter().filter_map(|member| Some(&member.once.as_ref()?.key)).collect();
    let (recorder, taken) = both(
        ToldRecorder::begin(database, tenant, &told, Hold::Skipping),
        once::taken(database, tenant, &keys),
    )
    .await?;
    let mut deciding = Deciding { recorder, taken, answered: Vec::new() };
    let executions = members.iter().map(|member| deciding.decide(member)).collect::<Outcome<_>>()?;
    let Deciding { recorder, answered, .. } = deciding;
    both(recorder.finish().write(database, tenant), once::keep(database, tenant, &answered)).await?;
    Ok(executions)
}

struct Deciding<'m> {
    recorder: ToldRecorder<'m>,
    /// The keys of requests that were executed before, or are by now.
    taken: HashSet<KeyName<'m>>,
    answered: Vec<Answered<'m>>,
}

impl<'m> Deciding<'m> {
    fn decide(&mut self, member: &'m Member) -> Outcome<Option<Execution<RecordActivityOutcome>>> {
        let Member { recording, once, .. } = member;
        let is_new = once.as_ref().is_none_or(|once| self.taken.insert(KeyName::of(&once.key)));
        if !is_new || !self.recorder.holds(recording.user_id()) {
            return Ok(None);
        }
        let outcome = recording.decide(&mut self.recorder)?;
        if let Some(once) = once {
            self.answered.push(Answered::new(once, &outcome)?);
        }
        Ok(Some(Execution::Executed(outcome)))
    }
}
