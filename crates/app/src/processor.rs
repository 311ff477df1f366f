//! Work that takes processor time instead of waiting: never so much of it at once that nothing is left for
//! what is quick.

use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The processor as all tenants share it.
#[derive(Debug)]
pub struct Processor {
    searches: Arc<Semaphore>,
    tending: Arc<Semaphore>,
}

/// The right to be at work, until it is dropped.
#[derive(Debug)]
pub(crate) struct WorkTurn {
    _permit: Option<OwnedSemaphorePermit>,
}

impl Default for Processor {
    /// That of this machine.
    fn default() -> Self {
        Self::with_cores(available_parallelism().map_or(1, Into::into))
    }
}

impl Processor {
    /// One with so many cores.
    pub fn with_cores(cores: usize) -> Self {
        let turns = |count: usize| Arc::new(Semaphore::new(count.max(1)));
        Self { searches: turns(cores), tending: turns(cores / 2) }
    }

    /// Waits for the turn to search for titles, in the order of asking: as many do as there are cores.
    pub(crate) async fn search_turn(&self) -> WorkTurn {
        turn(&self.searches).await
    }

    /// Waits for the turn to tend a catalogue, which takes up to seconds that nobody waits for: half of the
    /// cores do.
    pub(crate) async fn tending_turn(&self) -> WorkTurn {
        turn(&self.tending).await
    }
}

async fn turn(turns: &Arc<Semaphore>) -> WorkTurn {
    // None is ever closed.
    WorkTurn { _permit: turns.clone().acquire_owned().await.ok() }
}
