//! Who waits, who is next, and who is refused.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::rounds::{Queue, Rounds};

/// How long something may wait.
///
/// A burst is waited for: all of it is answered, a little later. A queue that has not been empty for that
/// long is no burst: more is asked for than can be given, and whoever waits any longer makes only the others
/// wait as well. Once somebody was refused, it needs as long again without a refusal to count as a burst:
/// refusals empty it, and it would fill again with those who are refused in the end.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For how long a queue may be a burst, and how long something may wait in it.
    pub burst: Duration,
    /// How long something may wait in a queue that is none.
    pub standing: Duration,
}

/// How many may wait on behalf of one tenant in one queue: the second line, should each of them take so
/// long that time alone would let too many in.
pub const MAX_WAITING_OF_TENANT: usize = 512;

/// Whoever waits in a [`FairQueue`].
pub trait Waiter {
    /// Whether somebody still wants it.
    fn is_wanted(&self) -> bool;
    /// Tells whoever wants it that it will not be.
    fn refuse(self);
}

/// A queue for each tenant, and one for the service itself. They take turns, whoever asks how much: a tenant
/// that asks for more than its share makes only its own queue longer. What the service itself wants is
/// never refused. Has no clock: whoever asks says when.
pub struct FairQueue<W> {
    patience: Patience,
    tenants: Rounds<Option<Arc<str>>, Waiting<W>>,
    /// Who was refused lately, and when most recently.
    refused: HashMap<Arc<str>, Instant>,
}

struct Waiting<W> {
    /// Until when it counts as a burst, unless it is empty before.
    burst_until: Instant,
    /// Each since when, the oldest first.
    waiters: VecDeque<(Instant, W)>,
}

impl<W: Waiter> FairQueue<W> {
    /// An empty queue.
    pub fn new(patience: Patience) -> Self {
        Self { patience, tenants: Rounds::default(), refused: HashMap::new() }
    }

    /// Lets somebody wait for their turn on behalf of a tenant, or of the service itself.
    ///
    /// # Errors
    /// Gives back who came to a full queue.
    pub fn push(&mut self, tenant: Option<&Arc<str>>, now: Instant, waiter: W) -> Result<(), W> {
        let Self { patience: Patience { burst, .. }, tenants, refused } = self;
        let new = || {
            let refused_at = tenant.and_then(|tenant| refused.get(tenant));
            let is_burst = refused_at.is_none_or(|at| now.duration_since(*at) > *burst);
            Waiting { burst_until: if is_burst { now + *burst } else { now }, waiters: VecDeque::new() }
        };
        let waiters = &mut tenants.queue(tenant.cloned(), new).waiters;
        if tenant.is_some() && waiters.len() >= MAX_WAITING_OF_TENANT {
            waiters.retain(|(_, waiter)| waiter.is_wanted());
            if waiters.len() >= MAX_WAITING_OF_TENANT {
                return Err(waiter);
            }
        }
        waiters.push_back((now, waiter));
        Ok(())
    }

    /// Who is next. Those who waited for too long are refused on the way, and cost their tenant no turn.
    pub fn next(&mut self, now: Instant) -> Option<W> {
        let Self { patience, tenants, refused } = self;
        loop {
            let next = tenants.turn(|tenant, waiting| {
                let limit = if tenant.is_some() { waiting.limit(*patience, now) } else { Duration::MAX };
                let (next, is_any_refused) = waiting.next(now, limit);
                if let (Some(tenant), true) = (tenant, is_any_refused) {
                    refused.retain(|_, at| now.duration_since(*at) <= patience.burst);
                    refused.insert(tenant.clone(), now);
                }
                next
            })?;
            if next.is_some() {
                return next;
            }
        }
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.tenants.is_empty()
    }
}

impl<W: Waiter> Waiting<W> {
    /// How long something may have waited by now.
    fn limit(&self, patience: Patience, now: Instant) -> Duration {
        if now > self.burst_until { patience.standing } else { patience.burst }
    }

    /// The oldest who did not wait for longer than this, and whether any were refused.
    fn next(&mut self, now: Instant, limit: Duration) -> (Option<W>, bool) {
        let mut is_any_refused = false;
        while let Some((since, waiter)) = self.waiters.pop_front() {
            if !waiter.is_wanted() {
                continue;
            }
            if now.duration_since(since) <= limit {
                return (Some(waiter), is_any_refused);
            }
            waiter.refuse();
            is_any_refused = true;
        }
        (None, is_any_refused)
    }
}

impl<W> Queue for Waiting<W> {
    fn is_empty(&self) -> bool {
        self.waiters.is_empty()
    }
}
