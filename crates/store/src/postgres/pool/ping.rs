//! Pings the server on a separate connection.
//!
//! The connection does not belong to the pool, because a busy pool says nothing about the server. While no host accepts a
//! connection, the pool refuses requests at once, so that each request does not wait for a timeout.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use deadpool::managed::Manager as _;
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::timeout;
use tokio_postgres::SimpleQueryMessage;

use super::manager::{Manager, Pooled};
use crate::postgres::error::{Lost, NoConnection, Outcome, StoreFailure};

const RESPOND_WITHIN: Duration = Duration::from_secs(2);

/// How long requests are refused after the last ping without a response. The next ping comes sooner, and requests are refused
/// until it has a response. If no check pings any more, requests try to connect again.
const REFUSE_FOR: Duration = Duration::from_secs(10);

/// Reads a table of pointbook, and asks whether the server accepts writes.
const QUESTION: &str =
    "SHOW transaction_read_only; SELECT number FROM schema_migrations ORDER BY number DESC LIMIT 1";

#[derive(Default)]
pub(super) struct Pinger {
    connection: AsyncMutex<Option<Pooled>>,
    refusal: Mutex<PingRefusal>,
}

#[derive(Default)]
struct PingRefusal {
    /// How many pings wait for a response.
    asking: usize,
    /// When requests are no longer refused, unless a ping is waiting; `None` after a response.
    until: Option<Instant>,
}

impl PingRefusal {
    fn holds_at(&self, now: Instant) -> bool {
        self.until.is_some_and(|until| self.asking > 0 || now < until)
    }
}

impl Pinger {
    pub(super) async fn ping(&self, manager: &Manager) -> Outcome<bool> {
        let mut question = Question::begin(self);
        let outcome = self.ask(manager).await;
        question.has_response = outcome.is_ok();
        outcome
    }

    /// Whether the last ping got no response, and it was recent or another ping is waiting.
    pub(super) fn refuses(&self) -> bool {
        self.refusal().holds_at(Instant::now())
    }

    /// Pings on the open connection, or on a new one.
    async fn ask(&self, manager: &Manager) -> Outcome<bool> {
        let mut open = self.connection.lock().await;
        if let Some(connection) = open.take().filter(Pooled::is_usable) {
            match question(&connection).await {
                Ok(takes_writes) if takes_writes || !manager.wants_primary() => {
                    *open = Some(connection);
                    return Ok(takes_writes);
                }
                // The other connections lead to the same server.
                Ok(_) | Err(_) => connection.lose(Lost::All),
            }
        }
        let connection = manager.create().await.map_err(NoConnection::NoHost)?;
        let takes_writes = question(&connection).await?;
        *open = Some(connection);
        Ok(takes_writes)
    }

    fn refusal(&self) -> MutexGuard<'_, PingRefusal> {
        // A panic under the lock cannot leave the value inconsistent, so a poisoned lock is usable.
        self.refusal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A ping that waits for its response. It stays without one when the check gives up.
struct Question<'p> {
    pinger: &'p Pinger,
    has_response: bool,
}

impl<'p> Question<'p> {
    fn begin(pinger: &'p Pinger) -> Self {
        pinger.refusal().asking += 1;
        Self { pinger, has_response: false }
    }
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        let mut refusal = self.pinger.refusal();
        refusal.asking = refusal.asking.saturating_sub(1);
        refusal.until = (!self.has_response).then(|| Instant::now() + REFUSE_FOR);
    }
}

async fn question(connection: &Pooled) -> Outcome<bool> {
    let response = connection.client().simple_query(QUESTION);
    let rows = timeout(RESPOND_WITHIN, response).await.map_err(|_elapsed| StoreFailure::TimedOut)??;
    let is_read_only = rows.iter().any(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0) == Some("on"),
        _ => false,
    });
    Ok(!is_read_only)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(pinger: &Pinger, has_response: bool) {
        Question::begin(pinger).has_response = has_response;
    }

    /// Makes the refusal expire now.
    fn pass_time(pinger: &Pinger) {
        pinger.refusal().until = Some(Instant::now());
    }

    #[test]
    fn requests_are_refused_until_server_responds_to_waiting_ping() {
        let pinger = Pinger::default();
        let first = Question::begin(&pinger);
        assert!(!pinger.refuses(), "no ping has failed yet");
        drop(first);
        assert!(pinger.refuses());
        let slow = Question::begin(&pinger);
        pass_time(&pinger);
        assert!(pinger.refuses());
        drop(slow);
        assert!(pinger.refuses());
        answered(&pinger, true);
        assert!(!pinger.refuses());
    }

    #[test]
    fn refusal_expires_without_further_pings() {
        let pinger = Pinger::default();
        answered(&pinger, false);
        assert!(pinger.refuses());
        pass_time(&pinger);
        assert!(!pinger.refuses());
    }
}
