//! Commands that wait at the same moment share transactions: a commit costs more than the rows of many.
//!
//! What waits when a group begins goes into it, so a command that comes alone waits for no other. No lane is in
//! two groups of this process at once. A group never waits for rows that another process holds: a command that
//! needs them is executed alone afterwards, and every caller hears of its command after the commit. A caller who has
//! left before the group begins is left out; what was begun is finished, whether or not its caller still waits.

mod queue;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pointbook_app::commands::{AnyCommand, Decided, Lane};
use pointbook_app::{StoreError, StoreResult};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use self::queue::GroupQueue;
use super::{execute_alone, execute_together};
use crate::access::Access;
use crate::permits::{Admission, Writer};

pub(crate) struct Groups {
    access: Access,
    tenant: Arc<str>,
    queue: Mutex<GroupQueue<Member>>,
}

struct Member {
    lane: Lane,
    command: Arc<dyn AnyCommand>,
    caller: oneshot::Sender<StoreResult<()>>,
    _admission: Admission,
}

#[derive(Debug, thiserror::Error)]
enum GroupError {
    #[error("the group was given up")]
    Ended,
    #[error("a group of commands failed: {0}")]
    Failed(#[source] Arc<StoreError>),
}

impl Groups {
    pub(crate) fn new(access: Access, tenant: Arc<str>) -> Self {
        Self { access, tenant, queue: Mutex::new(GroupQueue::new()) }
    }

    pub(super) async fn run(
        self: &Arc<Self>,
        lane: Lane,
        command: Arc<dyn AnyCommand>,
        admission: Admission,
    ) -> StoreResult<()> {
        let (caller, done) = oneshot::channel();
        let member = Member { lane: lane.clone(), command, caller, _admission: admission };
        self.queue().push(lane, member)?;
        self.call_group();
        done.await.unwrap_or_else(|_| Err(unavailable(GroupError::Ended)))
    }

    fn queue(&self) -> MutexGuard<'_, GroupQueue<Member>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls the next group, if one may begin and a command waits for it.
    fn call_group(self: &Arc<Self>) {
        // Without a runtime the process ends, and no caller waits.
        let Ok(runtime) = Handle::try_current() else { return };
        if self.queue().call() {
            runtime.spawn(run_group(self.clone()));
        }
    }
}

/// Lanes whose commands are under way, and in no other group of this process meanwhile.
struct UnderWay {
    groups: Arc<Groups>,
    lanes: BTreeSet<Lane>,
}

impl UnderWay {
    /// Takes what waits by now.
    fn begin(groups: Arc<Groups>) -> (Self, Vec<Member>) {
        let (members, lanes) = groups.queue().begin(Member::is_wanted);
        // For those that found no room.
        groups.call_group();
        (Self { groups, lanes }, members)
    }

    fn part(&mut self, lane: &Lane) -> Self {
        let lanes = self.lanes.take(lane).into_iter().collect();
        Self { groups: self.groups.clone(), lanes }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.groups.queue().end(&self.lanes);
        self.groups.call_group();
    }
}

async fn run_group(groups: Arc<Groups>) {
    let permit = groups.access.write_permit(Writer::Group).await;
    let (mut under_way, members) = UnderWay::begin(groups.clone());
    if members.is_empty() {
        return;
    }
    let commands: Vec<&dyn AnyCommand> = members.iter().map(|member| &*member.command).collect();
    let executed = match permit {
        Ok(_permit) => execute_together(&groups.access, &groups.tenant, &commands).await,
        Err(error) => Err(error),
    };
    let decided = match executed {
        Ok(decided) => decided,
        // The database was not reached, or it is unknown whether the group was committed: the request's key tells.
        Err(error @ (StoreError::Unavailable(_) | StoreError::Overloaded)) => {
            let error = Arc::new(error);
            return members.into_iter().for_each(|member| member.answer(failed(&error)));
        }
        // One of them may have failed: each is executed alone.
        Err(StoreError::Failed(_) | StoreError::Corrupt(_)) => Vec::new(),
    };
    let mut alone: BTreeMap<Lane, Vec<Member>> = BTreeMap::new();
    let decided = decided.into_iter().chain(std::iter::repeat(Decided::NotYet));
    for (member, decided) in members.into_iter().zip(decided) {
        match decided {
            Decided::Yes => member.answer(Ok(())),
            Decided::NotYet => alone.entry(member.lane.clone()).or_default().push(member),
        }
    }
    for (lane, members) in alone {
        tokio::spawn(run_one_by_one(under_way.part(&lane), members));
    }
}

/// Executes commands of one lane. Where one waited in vain, so would the others.
async fn run_one_by_one(under_way: UnderWay, members: Vec<Member>) {
    let Groups { access, tenant, .. } = &*under_way.groups;
    let mut given_up: Option<Arc<StoreError>> = None;
    for member in members {
        if let Some(error) = &given_up {
            member.answer(failed(error));
            continue;
        }
        let permit = access.write_permit(Writer::Alone).await;
        if !member.is_wanted() {
            continue;
        }
        let executed = match permit {
            Ok(_permit) => execute_alone(access, tenant, &*member.command).await,
            Err(error) => Err(error),
        };
        member.answer(match executed {
            Err(error @ StoreError::Unavailable(_)) => failed(given_up.insert(Arc::new(error))),
            executed => executed,
        });
    }
}

impl Member {
    fn is_wanted(&self) -> bool {
        !self.caller.is_closed()
    }

    fn answer(self, executed: StoreResult<()>) {
        // A caller who has left misses nothing but the response.
        let _ = self.caller.send(executed);
    }
}

fn failed(error: &Arc<StoreError>) -> StoreResult<()> {
    Err(unavailable(GroupError::Failed(error.clone())))
}

fn unavailable(error: GroupError) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}
