//! Groups of commands that share one transaction, because a commit costs more than the rows of many commands.
//!
//! A group takes all commands that wait when it begins, so a single command does not wait for others. A lane is in at most
//! one group of this process at a time. A group never waits for rows that another process has locked: a command that needs
//! them is executed alone afterwards. Every caller gets its outcome after the commit. A command whose caller left before
//! the group began is skipped. A command that has begun is finished, even if its caller left.

mod queue;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use self::queue::GroupQueue;
use super::{execute_alone, execute_together};
use crate::commands::{AnyCommand, Decided, Lane};
use crate::ports::{StoreError, StoreResult};
use crate::postgres::access::Access;
use crate::postgres::permits::{Admission, Writer};

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
    #[error("the group ended without a result")]
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

    /// Starts the next group, if one may begin and a command waits.
    fn call_group(self: &Arc<Self>) {
        // Without a runtime the process is ending, and no caller waits.
        let Ok(runtime) = Handle::try_current() else { return };
        if self.queue().call() {
            runtime.spawn(run_group(self.clone()));
        }
    }
}

/// The lanes whose commands are running. No other group of this process takes them meanwhile.
struct RunningLanes {
    groups: Arc<Groups>,
    lanes: BTreeSet<Lane>,
}

impl RunningLanes {
    /// Takes all waiting commands, up to the size of a group.
    fn begin(groups: Arc<Groups>) -> (Self, Vec<Member>) {
        let (members, lanes) = groups.queue().begin(Member::is_wanted);
        // For the commands that did not fit.
        groups.call_group();
        (Self { groups, lanes }, members)
    }

    fn split_off(&mut self, lane: &Lane) -> Self {
        let lanes = self.lanes.take(lane).into_iter().collect();
        Self { groups: self.groups.clone(), lanes }
    }
}

impl Drop for RunningLanes {
    fn drop(&mut self) {
        self.groups.queue().end(&self.lanes);
        self.groups.call_group();
    }
}

async fn run_group(groups: Arc<Groups>) {
    let permit = groups.access.write_permit(Writer::Group).await;
    let (mut running, members) = RunningLanes::begin(groups.clone());
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
        // The group was not executed, or it is unknown whether it was committed. A retry with the same idempotency key is safe.
        Err(error @ (StoreError::Unavailable(_) | StoreError::Overloaded)) => {
            let error = Arc::new(error);
            return members.into_iter().for_each(|member| member.answer(failed(&error)));
        }
        // A single command may have caused the failure, so each is executed alone.
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
        tokio::spawn(run_one_by_one(running.split_off(&lane), members));
    }
}

/// Executes the commands of one lane. After one found the database unavailable, the others fail with the same error.
async fn run_one_by_one(running: RunningLanes, members: Vec<Member>) {
    let Groups { access, tenant, .. } = &*running.groups;
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
        // The caller may have stopped waiting.
        let _ = self.caller.send(executed);
    }
}

fn failed(error: &Arc<StoreError>) -> StoreResult<()> {
    Err(unavailable(GroupError::Failed(error.clone())))
}

fn unavailable(error: GroupError) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}
