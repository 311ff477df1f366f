//! Activities that are recorded at the same time share transactions: a commit costs more than the rows of
//! many activities.
//!
//! Whatever waits when a group begins goes into it, so one that comes alone waits for nobody. No user is in
//! two groups of this process at once. A group never waits for a user whom another process holds: who cannot
//! be recorded in passing is recorded alone afterwards, and every answer goes out after its commit. What was
//! begun is done, whether or not its caller still waits.

mod commit;
mod queue;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pointbook_app::ports::{Execution, Once, RecordActivityOutcome};
use pointbook_app::{StoreError, StoreResult};
use pointbook_domain::UserId;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use self::queue::{Group, Queue};
use super::activity::{self, Recording};
use crate::access::TenantAccess;
use crate::once;
use crate::scoped::IntoScoped;

/// What a caller learns.
type Answer = StoreResult<Execution<RecordActivityOutcome>>;

/// The activities of one tenant that wait, and the groups that are under way.
#[derive(Clone)]
pub(crate) struct Groups {
    tenant: Arc<Tenant>,
}

struct Tenant {
    access: TenantAccess,
    id: Arc<str>,
    queue: Mutex<Queue<Member>>,
}

/// An activity and who waits for its answer.
struct Member {
    recording: Recording,
    once: Option<Once<RecordActivityOutcome>>,
    answer: oneshot::Sender<Answer>,
}

/// Why an activity was not recorded, or nobody knows whether it was.
#[derive(Debug, thiserror::Error)]
enum GroupError {
    #[error("too many activities wait")]
    Full,
    #[error("the group was given up")]
    Ended,
    #[error("a group of activities failed: {0}")]
    Failed(#[source] Arc<StoreError>),
}

impl Groups {
    pub(crate) fn new(access: TenantAccess, id: Arc<str>) -> Self {
        Self { tenant: Arc::new(Tenant { access, id, queue: Mutex::new(Queue::new()) }) }
    }

    /// Records an activity in the next group.
    pub(in crate::ledger) async fn record(
        &self,
        recording: Recording,
        once: Option<Once<RecordActivityOutcome>>,
    ) -> Answer {
        let (answer, answered) = oneshot::channel();
        let user = recording.user_id().clone();
        let member = Member { recording, once, answer };
        self.tenant.queue().push(user, member).map_err(|_| unavailable(GroupError::Full))?;
        self.tenant.begin_groups();
        answered.await.unwrap_or_else(|_| Err(unavailable(GroupError::Ended)))
    }
}

impl Tenant {
    fn queue(&self) -> MutexGuard<'_, Queue<Member>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins as many groups as there may be and as there is work for.
    fn begin_groups(self: &Arc<Self>) {
        // Without a runtime the process ends, and nobody waits for an answer.
        let Ok(runtime) = Handle::try_current() else { return };
        loop {
            let begun = self.queue().begin_group();
            let Some(Group { members, users }) = begun else { return };
            let turn = Turn { tenant: self.clone(), users, is_group: true };
            runtime.spawn(record_group(turn, members));
        }
    }

    /// Records one by the ordinary way, however long its user has to be waited for.
    async fn record_alone(&self, member: &Member) -> Answer {
        let Member { recording, once, .. } = member;
        self.access
            .write("record_activity", |database| {
                let plan = activity::plan(database, &self.id, recording);
                once::carry_out(database, &self.id, once.as_ref(), plan).scoped()
            })
            .await
    }
}

/// Users whose activities are under way, and nobody else's in this process meanwhile.
struct Turn {
    tenant: Arc<Tenant>,
    users: BTreeMap<UserId, usize>,
    is_group: bool,
}

impl Turn {
    /// Goes on with one of the users elsewhere.
    fn part(&mut self, user: &UserId) -> Self {
        let users = self.users.remove_entry(user).into_iter().collect();
        Self { tenant: self.tenant.clone(), users, is_group: false }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.tenant.queue().end(&self.users, self.is_group);
        self.tenant.begin_groups();
    }
}

async fn record_group(mut turn: Turn, members: Vec<Member>) {
    let outcomes = commit::record(&turn.tenant, &members).await;
    let mut alone: BTreeMap<UserId, Vec<Member>> = BTreeMap::new();
    for (member, answer) in members.into_iter().zip(outcomes) {
        match answer {
            Some(answer) => member.answer(answer),
            None => alone.entry(member.recording.user_id().clone()).or_default().push(member),
        }
    }
    for (user, members) in alone {
        tokio::spawn(record_one_by_one(turn.part(&user), members));
    }
}

/// Records activities of one user. Where one waited in vain, so would the others.
async fn record_one_by_one(turn: Turn, members: Vec<Member>) {
    let mut given_up = None;
    for member in members {
        let answer = match &given_up {
            Some(error) => Err(unavailable(GroupError::Failed(Arc::clone(error)))),
            None => turn.tenant.record_alone(&member).await,
        };
        member.answer(match answer {
            Err(error @ StoreError::Unavailable(_)) => {
                let error = given_up.insert(Arc::new(error));
                Err(unavailable(GroupError::Failed(error.clone())))
            }
            answer => answer,
        });
    }
}

impl Member {
    /// A caller who has left meanwhile misses nothing but the answer.
    fn answer(self, answer: Answer) {
        let _ = self.answer.send(answer);
    }
}

fn unavailable(error: GroupError) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}
