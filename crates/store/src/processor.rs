//! Bounds CPU-heavy work, so that short requests always find a free core.

use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The processor, shared by all tenants.
#[derive(Debug)]
pub struct Processor {
    searches: Arc<Semaphore>,
    tending: Arc<Semaphore>,
}

/// The right to work, until it is dropped. The semaphores are never closed, so a permit always comes.
pub type WorkPermit = Option<OwnedSemaphorePermit>;

impl Default for Processor {
    /// That of this machine.
    fn default() -> Self {
        Self::with_cores(available_parallelism().map_or(1, Into::into))
    }
}

impl Processor {
    pub fn with_cores(cores: usize) -> Self {
        let permits = |count: usize| Arc::new(Semaphore::new(count.max(1)));
        Self { searches: permits(cores), tending: permits(cores / 2) }
    }

    /// Waits for a permit to search for titles, in order. As many searches run as there are cores.
    pub async fn search_permit(&self) -> WorkPermit {
        self.searches.clone().acquire_owned().await.ok()
    }

    /// Waits for a permit to tend a catalogue. That takes up to seconds, and no request waits for it. It uses at most half of
    /// the cores.
    pub async fn tending_permit(&self) -> WorkPermit {
        self.tending.clone().acquire_owned().await.ok()
    }
}
