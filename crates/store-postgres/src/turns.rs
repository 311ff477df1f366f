//! Whose turn it is to write.
//!
//! A write waits in a line of this process before it takes a connection: whoever writes much, or waits for a
//! row that somebody holds, keeps nobody else from a connection. Writers never take the last connections, so
//! that reads find one. The bounds are those of SQLite's writer (docs/adr/0006).

mod places;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex};

use metrics::Gauge;
use pointbook_app::StoreError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use self::places::Lines;
pub(crate) use self::places::Place;

/// How many writes wait or are under way at most, of all tenants.
const MAX_PLACES: usize = 4_096;

/// How many of them may be one tenant's, so that no tenant takes the place of all others.
const MAX_PLACES_OF_TENANT: usize = MAX_PLACES / 2;

/// How many of them may stand in one line.
const MAX_PLACES_IN_LINE: usize = 256;

/// How many writes of a back office are under way at once: they wait for rows of others, not for each other's.
const BACK_OFFICE: usize = 4;

/// How many activities of a tenant that found no place in a group are under way at once: they wait for
/// users whom somebody holds.
const ALONE: usize = 4;

/// The writers of a process at one database.
pub(crate) struct Turns {
    /// One permit for each connection that may write.
    writers: Arc<Semaphore>,
    /// How many of them may be one tenant's.
    max_writers_of_tenant: usize,
    places: Mutex<usize>,
    waiting: Gauge,
}

impl Turns {
    /// Of these connections, which short reads have no need of, five sixths may write, and two thirds may write for
    /// one tenant.
    pub(crate) fn new(connections: usize) -> Self {
        Self {
            writers: doors(connections * 5 / 6),
            max_writers_of_tenant: connections * 2 / 3,
            places: Mutex::new(0),
            waiting: metrics::gauge!("pointbook_writer_waiting"),
        }
    }
}

/// The writers of one tenant.
pub(crate) struct TenantTurns {
    all: Arc<Turns>,
    writers: Arc<Semaphore>,
    alone: Arc<Semaphore>,
    lines: Mutex<Lines>,
}

impl TenantTurns {
    /// Those of one more tenant.
    pub(crate) fn new(all: Arc<Turns>) -> Self {
        let writers = doors(all.max_writers_of_tenant);
        Self { all, writers, alone: doors(ALONE), lines: Mutex::default() }
    }

    /// Waits for the turn of a group, whose members have their places.
    pub(crate) async fn of_group(&self) -> Turn {
        pass(&[&self.writers, &self.all.writers]).await
    }
}

impl Place {
    /// Waits until it is this one's turn.
    pub(crate) async fn turn(&self) -> Turn {
        let (tenant, line) = (self.tenant(), self.line());
        pass(&[line, &tenant.writers, &tenant.all.writers]).await
    }

    /// As [`Self::turn`], for an activity whose user is probably held by somebody.
    pub(crate) async fn turn_alone(&self) -> Turn {
        let (tenant, line) = (self.tenant(), self.line());
        pass(&[line, &tenant.alone, &tenant.writers, &tenant.all.writers]).await
    }
}

/// The right to write, until it is dropped.
pub(crate) struct Turn {
    _permits: Vec<OwnedSemaphorePermit>,
}

/// Whoever asks for more than may wait is told at once.
#[derive(Debug, thiserror::Error)]
#[error("too many writes wait")]
pub(crate) struct Full;

impl From<Full> for StoreError {
    fn from(full: Full) -> Self {
        Self::Unavailable(Box::new(full))
    }
}

/// As many as may pass at once, and at least one.
fn doors(width: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(width.max(1)))
}

/// Passes one door after the other, the narrowest first, in the order of asking. Everybody takes them in this
/// order, so nobody waits for somebody who waits for them.
async fn pass(doors: &[&Arc<Semaphore>]) -> Turn {
    let mut permits = Vec::with_capacity(doors.len());
    for &door in doors {
        // None is ever closed.
        permits.extend(door.clone().acquire_owned().await.ok());
    }
    Turn { _permits: permits }
}
