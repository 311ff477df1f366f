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

/// The right to be at work, until it is dropped. The semaphores are never closed, so that there always is one.
pub(crate) type WorkPermit = Option<OwnedSemaphorePermit>;

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

    /// Waits for a permit to search for titles, in the order of asking: as many searches go on as there are cores.
    pub(crate) async fn search_permit(&self) -> WorkPermit {
        self.searches.clone().acquire_owned().await.ok()
    }

    /// Waits for a permit to tend a catalogue, which takes up to seconds that no request waits for: half of the cores
    /// do.
    pub(crate) async fn tending_permit(&self) -> WorkPermit {
        self.tending.clone().acquire_owned().await.ok()
    }
}
