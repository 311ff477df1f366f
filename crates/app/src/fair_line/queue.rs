//! Who waits, who is next, and who is refused.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::rounds::{Queue, Rounds};

/// How long something may wait.
///
/// A burst is waited for: all of it is answered, a little later. A queue that has not been empty for that
/// long is no burst. More is asked for than can be given, and whoever waits in it any longer makes only the
/// others wait as well.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For how long a queue may be a burst, and how long something may wait in it.
    pub burst: Duration,
    /// How long something may wait in a queue that has been standing for longer than that.
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
}

struct Waiting<W> {
    /// When it was empty, most recently.
    standing_since: Instant,
    /// Each since when, the oldest first.
    waiters: VecDeque<(Instant, W)>,
}

impl<W: Waiter> FairQueue<W> {
    /// An empty queue.
    pub fn new(patience: Patience) -> Self {
        Self { patience, tenants: Rounds::default() }
    }

    /// Lets somebody wait for their turn on behalf of a tenant, or of the service itself.
    ///
    /// # Errors
    /// Gives back who came to a full queue.
    pub fn push(&mut self, tenant: Option<&Arc<str>>, now: Instant, waiter: W) -> Result<(), W> {
        let empty = || Waiting { standing_since: now, waiters: VecDeque::new() };
        let waiters = &mut self.tenants.queue(tenant.cloned(), empty).waiters;
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
        loop {
            let patience = self.patience;
            let next = self.tenants.turn(|tenant, waiting| match tenant {
                Some(_) => waiting.next(now, patience.at(now, waiting.standing_since)),
                None => waiting.next(now, Duration::MAX),
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

impl Patience {
    /// How long something may have waited by now in a queue that was empty then.
    fn at(self, now: Instant, empty_at: Instant) -> Duration {
        if now.duration_since(empty_at) > self.burst { self.standing } else { self.burst }
    }
}

impl<W: Waiter> Waiting<W> {
    fn next(&mut self, now: Instant, limit: Duration) -> Option<W> {
        while let Some((since, waiter)) = self.waiters.pop_front() {
            if !waiter.is_wanted() {
                continue;
            }
            if now.duration_since(since) <= limit {
                return Some(waiter);
            }
            waiter.refuse();
        }
        None
    }
}

impl<W> Queue for Waiting<W> {
    fn is_empty(&self) -> bool {
        self.waiters.is_empty()
    }
}
