//! Activities that are recorded at the same time share transactions: a commit costs more than the rows of
//! many activities.
//!
//! Whatever waits when a group begins goes into it, so one that comes alone waits for nobody. No user is in
//! two groups of this process at once. A group never waits for a user whom another process holds: who cannot
//! be recorded in passing is recorded alone afterwards, and every answer goes out after its commit. Whoever
//! has left before their turn is left out; what was begun is done, whether or not its caller still waits.

mod commit;
mod queue;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pointbook_app::ports::{Execution, Once, RecordActivityOutcome};
use pointbook_app::{StoreError, StoreResult};
use pointbook_domain::UserId;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use self::queue::{Group, Queue, Stage};
use super::activity::{self, Recording};
use crate::access::TenantAccess;
use crate::once;
use crate::scoped::IntoScoped;
use crate::turns::{Lane, Place, Turn};

/// What a caller learns.
type Answer = StoreResult<Execution<RecordActivityOutcome>>;

/// The activities of one tenant that wait, and the groups that are under way.
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
    /// In the line of its user.
    place: Place,
}

/// Why an activity was not recorded, or nobody knows whether it was.
#[derive(Debug, thiserror::Error)]
enum GroupError {
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
        let place = self.tenant.access.turns().enter(Lane::User(user.clone()))?;
        self.tenant.queue().push(user, Member { recording, once, answer, place });
        self.tenant.call_group();
        answered.await.unwrap_or_else(|_| Err(unavailable(GroupError::Ended)))
    }
}

impl Tenant {
    fn queue(&self) -> MutexGuard<'_, Queue<Member>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls the next group, if there may be one and is work for it.
    fn call_group(self: &Arc<Self>) {
        // Without a runtime the process ends, and nobody waits for an answer.
        let Ok(runtime) = Handle::try_current() else { return };
        if self.queue().call() {
            let under_way =
                UnderWay { tenant: self.clone(), users: BTreeSet::new(), stage: Stage::CalledGroup };
            runtime.spawn(record_group(under_way));
        }
    }

    /// Records one by the ordinary way, however long its user has to be waited for.
    async fn record_alone(&self, turn: &Turn, member: &Member) -> Answer {
        let Member { recording, once, .. } = member;
        self.access
            .write_now(turn, "record_activity", |database| {
                let plan = activity::plan(database, &self.id, recording);
                once::carry_out(database, &self.id, once.as_ref(), plan).scoped()
            })
            .await
    }
}

/// Users whose activities are under way, and in no other group of this process meanwhile.
struct UnderWay {
    tenant: Arc<Tenant>,
    users: BTreeSet<UserId>,
    stage: Stage,
}

impl UnderWay {
    /// Takes what waits by now.
    fn begin(&mut self) -> Vec<Member> {
        let Group { members, users } = self.tenant.queue().begin(Member::is_wanted);
        (self.users, self.stage) = (users, Stage::Group);
        // Whoever found no room.
        self.tenant.call_group();
        members
    }

    /// Goes on with one of the users elsewhere.
    fn part(&mut self, user: &UserId) -> Self {
        let users = self.users.take(user).into_iter().collect();
        Self { tenant: self.tenant.clone(), users, stage: Stage::Alone }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.tenant.queue().end(&self.users, self.stage);
        self.tenant.call_group();
    }
}

async fn record_group(mut under_way: UnderWay) {
    let tenant = under_way.tenant.clone();
    let turn = tenant.access.turns().of_group().await;
    let members = under_way.begin();
    if members.is_empty() {
        return;
    }
    let outcomes = commit::record(&tenant, &turn, &members).await;
    drop(turn);
    let mut alone: BTreeMap<UserId, Vec<Member>> = BTreeMap::new();
    for (member, answer) in members.into_iter().zip(outcomes) {
        match answer {
            Some(answer) => member.answer(answer),
            None => alone.entry(member.recording.user_id().clone()).or_default().push(member),
        }
    }
    for (user, members) in alone {
        tokio::spawn(record_one_by_one(under_way.part(&user), members));
    }
}

/// Records activities of one user. Where one waited in vain, so would the others.
async fn record_one_by_one(under_way: UnderWay, members: Vec<Member>) {
    let mut given_up = None;
    for member in members {
        let answer = if let Some(error) = &given_up {
            Err(unavailable(GroupError::Failed(Arc::clone(error))))
        } else {
            let turn = member.place.turn_alone().await;
            if !member.is_wanted() {
                continue;
            }
            under_way.tenant.record_alone(&turn, &member).await
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
    /// Whether the caller still waits.
    fn is_wanted(&self) -> bool {
        !self.answer.is_closed()
    }

    /// A caller who has left meanwhile misses nothing but the answer.
    fn answer(self, answer: Answer) {
        let _ = self.answer.send(answer);
    }
}

fn unavailable(error: GroupError) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}
