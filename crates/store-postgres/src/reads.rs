//! Whose turn it is to read over the shared connections.
//!
//! Few reads are under way at once, so that a connection which is stuck holds up few; the others wait here, as many
//! as are worth waiting for. One tenant has half of all at most, so that another one finds room.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use pointbook_app::StoreError;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::pool::READS_ON_A_CONNECTION;

/// How many reads wait or are under way at most, of all tenants: a tenth of a second's work of a server that is slow.
const MAX_PLACES: usize = 1_024;

/// The readers of a process at one database.
pub(crate) struct Reads {
    under_way: Semaphore,
    /// How many wait or are under way.
    places: AtomicUsize,
    max_under_way_of_tenant: usize,
    wait_at_most: Duration,
}

impl Reads {
    /// Over so many connections. Nobody waits for longer than this.
    pub(crate) fn new(connections: usize, wait_at_most: Duration) -> Self {
        let under_way = connections * READS_ON_A_CONNECTION;
        Self {
            under_way: Semaphore::new(under_way),
            places: AtomicUsize::new(0),
            max_under_way_of_tenant: under_way / 2,
            wait_at_most,
        }
    }
}

/// The readers of one tenant.
pub(crate) struct TenantReads {
    all: Arc<Reads>,
    under_way: Semaphore,
    places: AtomicUsize,
}

impl TenantReads {
    /// Those of one more tenant.
    pub(crate) fn new(all: Arc<Reads>) -> Self {
        let under_way = Semaphore::new(all.max_under_way_of_tenant);
        Self { all, under_way, places: AtomicUsize::new(0) }
    }

    /// Waits for the turn to read.
    pub(crate) async fn turn(&self) -> Result<ReadTurn<'_>, Full> {
        let place = self.enter()?;
        let doors = [&self.under_way, &self.all.under_way];
        if let [Some(first), Some(second)] = doors.map(|door| door.try_acquire().ok()) {
            return Ok(ReadTurn { _place: place, _permits: [first, second] });
        }
        let passed = async { Ok([pass(doors[0]).await?, pass(doors[1]).await?]) };
        let permits = tokio::time::timeout(self.all.wait_at_most, passed).await.map_err(|_| Full)??;
        Ok(ReadTurn { _place: place, _permits: permits })
    }

    fn enter(&self) -> Result<Place<'_>, Full> {
        let places = [&self.places, &self.all.places];
        let taken = places.map(|places| places.fetch_add(1, Ordering::Relaxed));
        let place = Place { places };
        if taken[0] < MAX_PLACES / 2 && taken[1] < MAX_PLACES { Ok(place) } else { Err(Full) }
    }
}

/// The tenant's door comes first, so that who waits at the other one keeps nobody else from it.
async fn pass(door: &Semaphore) -> Result<SemaphorePermit<'_>, Full> {
    door.acquire().await.map_err(|_| Full)
}

/// The right to read, until it is dropped.
pub(crate) struct ReadTurn<'r> {
    _place: Place<'r>,
    _permits: [SemaphorePermit<'r>; 2],
}

/// From the question to the answer: of the tenant, and of all.
struct Place<'r> {
    places: [&'r AtomicUsize; 2],
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        for places in self.places {
            places.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Whoever asks for more than may wait is told at once.
#[derive(Debug, thiserror::Error)]
#[error("too many reads wait")]
pub(crate) struct Full;

impl From<Full> for StoreError {
    fn from(full: Full) -> Self {
        Self::Unavailable(Box::new(full))
    }
}
