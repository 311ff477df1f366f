//! The use of a connection, and the cleanup after a user that left early.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use deadpool::managed::{Manager as _, Object};
use deadpool_postgres::ClientWrapper;
use tokio::runtime::Handle;
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::timeout;
use tokio_postgres::SimpleQueryMessage;

use super::connections::{Manager, Pooled, SHARED_READ_TIMEOUT, SharedRead};
use crate::postgres::error::{Lost, NoConnection, Outcome, StoreFailure};

/// How long to wait for a running statement before it is cancelled. Most statements end within this time.
const GRACE: Duration = Duration::from_millis(50);

/// How long a server may take to cancel a statement.
const CANCEL_WITHIN: Duration = Duration::from_secs(2);

/// How long to wait for a commit whose caller left.
const COMMIT_WITHIN: Duration = Duration::from_mins(1);

/// A connection in use. On drop it returns to the pool, which discards an unusable one, or stays with the shared connections.
/// If its user left before all responses came, the pool does not reuse it while a statement runs. A shared connection stays
/// shared, unless the statement takes longer than others.
pub(crate) struct Lease {
    client: Arc<ClientWrapper>,
    /// `None` only during the drop.
    held: Option<HeldConnection>,
    pending_responses: AtomicU32,
    is_committing: AtomicBool,
}

pub(super) enum HeldConnection {
    Alone(Object<Manager>),
    Shared(SharedRead),
}

impl HeldConnection {
    fn pooled(&self) -> &Pooled {
        match self {
            Self::Alone(pooled) => pooled,
            Self::Shared(shared_read) => shared_read.pooled(),
        }
    }
}

impl Lease {
    pub(super) fn new(held: HeldConnection) -> Self {
        Self {
            client: held.pooled().client().clone(),
            held: Some(held),
            pending_responses: AtomicU32::new(0),
            is_committing: AtomicBool::new(false),
        }
    }

    pub(crate) fn client(&self) -> &ClientWrapper {
        &self.client
    }

    /// The lock for sending a unit of several statements; `None` on a connection with one user.
    pub(crate) fn sending(&self) -> Option<MutexGuard<'_, ()>> {
        match &self.held {
            Some(HeldConnection::Shared(shared_read)) => Some(shared_read.sending()),
            Some(HeldConnection::Alone(_)) | None => None,
        }
    }

    /// Call this before a statement is sent.
    pub(crate) fn note_sent(&self) {
        self.pending_responses.fetch_add(1, Ordering::Relaxed);
    }

    /// Call this when a commit was sent. From then on nothing may be cancelled: a commit that waits for a standby and is
    /// cancelled succeeds without the standby.
    pub(crate) fn note_commit(&self) {
        self.is_committing.store(true, Ordering::Relaxed);
    }

    pub(crate) fn note_response(&self) {
        self.pending_responses.fetch_sub(1, Ordering::Relaxed);
    }

    /// Call this when a statement failed, the connection failed, or no response came in time.
    pub(crate) fn note_failure(&self, failure: &StoreFailure) {
        if !matches!(failure, StoreFailure::TimedOut) {
            self.note_response();
        }
        if let Some(held) = &self.held {
            held.pooled().lose(failure.lost());
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(held) = self.held.take().filter(|_| *self.pending_responses.get_mut() > 0) else { return };
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(settle(held, *self.is_committing.get_mut()))),
            // Without a runtime the process is ending, and so are its connections.
            Err(_) => held.pooled().lose(Lost::This),
        }
    }
}

/// Waits for the pending responses of a connection and returns it for reuse. If they do not come soon, discards the connection
/// and cancels its statement. It is not reused then, because a late cancel request would hit the statement of the next user.
async fn settle(held: HeldConnection, is_committing: bool) {
    let client = held.pooled().client().clone();
    // An empty statement, which the server completes after all earlier ones.
    let mut last = pin!(client.batch_execute(""));
    let grace = match &held {
        _ if held.pooled().is_lost() => Duration::ZERO,
        HeldConnection::Alone(_) => GRACE,
        // A statement on a shared connection waits for those before it.
        HeldConnection::Shared(_) => SHARED_READ_TIMEOUT,
    };
    if timeout(grace, &mut last).await.is_ok() {
        return;
    }
    match held {
        HeldConnection::Alone(pooled) => end(&Object::take(pooled), is_committing, last).await,
        HeldConnection::Shared(shared_read) => end_shared(&shared_read).await,
    }
}

async fn end<E>(pooled: &Pooled, is_committing: bool, last: impl Future<Output = Result<(), E>>) {
    if is_committing {
        let _ = timeout(COMMIT_WITHIN, last).await;
        return;
    }
    let cancelled = async {
        pooled.cancel().await;
        let _ = last.await;
    };
    if timeout(CANCEL_WITHIN, cancelled).await.is_err() {
        // A server that does not even cancel a statement counts as gone.
        pooled.lose(Lost::All);
    }
}

/// Discards a stuck shared connection. The first reader that notices cancels the remaining statements. A reader whose statement
/// only waited behind them repeats it on another connection.
async fn end_shared(shared_read: &SharedRead) {
    shared_read.pooled().lose(Lost::This);
    if shared_read.must_cancel_statements() {
        // This does not decide whether the server is gone. Reads on unshared connections find that out.
        let _ = timeout(CANCEL_WITHIN, end_all(shared_read)).await;
    }
}

/// Cancels one statement after the other, until the connection has no other reads.
async fn end_all(shared_read: &SharedRead) {
    loop {
        // If no other reads exist now, no statement can follow the empty one.
        let is_last = !shared_read.has_other_reads();
        let mut last = pin!(shared_read.pooled().client().batch_execute(""));
        while timeout(GRACE, &mut last).await.is_err() {
            shared_read.pooled().cancel().await;
        }
        if is_last {
            return;
        }
        tokio::time::sleep(GRACE).await;
    }
}

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
