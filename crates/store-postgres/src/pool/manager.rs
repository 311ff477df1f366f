//! Which connections are opened, kept and thrown away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use deadpool::managed::{self, Metrics, RecycleError, RecycleResult};
use deadpool_postgres::{ClientWrapper, ManagerConfig, RecyclingMethod};
use tokio_postgres::{Config, Error, NoTls};

use crate::error::{ConnectError, Lost};
use crate::url::PostgresUrl;

/// Opens connections.
pub(super) struct Manager {
    opener: deadpool_postgres::Manager,
    generation: Generation,
    /// For how long a connection may owe an answer that nobody waits for any more.
    answer_within: Duration,
}

/// Counts how often all connections that are open were found to lead nowhere.
type Generation = Arc<AtomicU64>;

impl Manager {
    pub(super) fn new(
        config: Config,
        url: &PostgresUrl,
        answer_within: Duration,
    ) -> Result<Self, ConnectError> {
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let opener = match url.tls()? {
            Some(tls) => deadpool_postgres::Manager::from_config(config, tls, recycling),
            None => deadpool_postgres::Manager::from_config(config, NoTls, recycling),
        };
        Ok(Self { opener, generation: Generation::default(), answer_within })
    }
}

impl managed::Manager for Manager {
    type Type = Pooled;
    type Error = Error;

    async fn create(&self) -> Result<Pooled, Error> {
        // Before it is opened: what is found out meanwhile may be true of it too.
        let opened_in = self.generation.load(Ordering::Relaxed);
        let client = self.opener.create().await?;
        let generation = self.generation.clone();
        Ok(Pooled {
            client,
            generation,
            opened_in,
            is_lost: AtomicBool::new(false),
            owes_since: Mutex::default(),
        })
    }

    async fn recycle(&self, pooled: &mut Pooled, metrics: &Metrics) -> RecycleResult<Error> {
        if pooled.is_worn(self.answer_within) {
            return Err(RecycleError::message("it leads nowhere"));
        }
        self.opener.recycle(&mut pooled.client, metrics).await
    }

    fn detach(&self, pooled: &mut Pooled) {
        self.opener.detach(&mut pooled.client);
    }
}

/// An open connection.
pub(super) struct Pooled {
    client: ClientWrapper,
    generation: Generation,
    opened_in: u64,
    is_lost: AtomicBool,
    /// Since when nobody waits for an answer that has not come.
    owes_since: Mutex<Option<Instant>>,
}

impl Pooled {
    pub(super) fn client(&self) -> &ClientWrapper {
        &self.client
    }

    /// Sees to it that this connection is not used again, and neither are those opened before now where they
    /// have to be like it.
    pub(super) fn lose(&self, lost: Lost) {
        match lost {
            Lost::None => {}
            Lost::This => self.is_lost.store(true, Ordering::Relaxed),
            Lost::All => {
                self.is_lost.store(true, Ordering::Relaxed);
                let (now, next) = (self.opened_in, self.opened_in + 1);
                // Of many that find it out, the first is enough.
                let _ = self.generation.compare_exchange(now, next, Ordering::Relaxed, Ordering::Relaxed);
            }
        }
    }

    /// Notes whether an answer is still to come when a user leaves; none that came meanwhile is owed.
    pub(super) fn note_debt(&self, owes: bool, has_answered: bool) {
        let mut since = self.owes_since.lock().unwrap_or_else(PoisonError::into_inner);
        if has_answered {
            *since = None;
        }
        if owes {
            since.get_or_insert_with(Instant::now);
        }
    }

    fn is_worn(&self, answer_within: Duration) -> bool {
        let since = *self.owes_since.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_lost.load(Ordering::Relaxed)
            || self.opened_in != self.generation.load(Ordering::Relaxed)
            || since.is_some_and(|since| since.elapsed() >= answer_within)
    }
}
