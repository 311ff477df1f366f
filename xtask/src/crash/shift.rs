//! One period of writing, shared by all clients: the addresses of the servers, and what happens to them.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use anyhow::{Result, ensure};
use xtask::operate::http_client::{Answer, Call, Connection};
use xtask::operate::pointbook::pause;

use super::request::Outcome;

/// How often a client sends one request while servers are killed one after the other.
const MAX_ATTEMPTS: usize = 20;

/// How long a client waits after it found no server.
const NEXT_ATTEMPT_AFTER: Duration = Duration::from_millis(10);

/// What happens to the servers while clients write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hazard {
    /// The only server is killed. From then on connections break.
    Kill,
    /// One of several servers is killed now and then. Its clients continue at another one.
    KillOneOfSeveral,
    /// The disk fails. The server responds with errors and survives.
    Fault,
}

/// One period of writing.
pub(super) struct Shift {
    hazard: Hazard,
    addresses: RwLock<Vec<SocketAddr>>,
    is_over: AtomicBool,
    acknowledged: AtomicUsize,
    failed: AtomicUsize,
    sent_again: AtomicUsize,
}

impl Shift {
    pub(super) fn new(hazard: Hazard, addresses: &[SocketAddr]) -> Self {
        let none = || AtomicUsize::new(0);
        let (addresses, is_over) = (RwLock::new(addresses.to_vec()), AtomicBool::new(false));
        Self { hazard, addresses, is_over, acknowledged: none(), failed: none(), sent_again: none() }
    }

    /// Ends the shift: the only server is being killed, or clients have written enough.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// Sets the address of a server that was started again.
    pub(super) fn move_server(&self, place: usize, address: SocketAddr) {
        let mut addresses = self.addresses.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = addresses.get_mut(place) {
            *known = address;
        }
    }

    /// How many requests got a response with their outcome.
    pub(super) fn acknowledged(&self) -> usize {
        self.acknowledged.load(Ordering::SeqCst)
    }

    /// How many requests got an error of the server.
    pub(super) fn failed(&self) -> usize {
        self.failed.load(Ordering::SeqCst)
    }

    /// How often a request was sent again, because a server died or was not running.
    pub(super) fn sent_again(&self) -> usize {
        self.sent_again.load(Ordering::SeqCst)
    }

    /// Whether clients send more requests. Clients of a killed server notice its end by their connections.
    pub(super) fn goes_on(&self) -> bool {
        self.hazard == Hazard::Kill || !self.is_over.load(Ordering::SeqCst)
    }

    /// A client's connections, one to each server.
    pub(super) fn senders(&self) -> Vec<Connection> {
        self.addresses().into_iter().map(Connection::new).collect()
    }

    /// Sends a request to the server at this index. Where servers may die, sends it to the next one until a response
    /// arrives. Returns `None` when the only server was killed.
    pub(super) fn send(
        &self,
        senders: &mut [Connection],
        first: usize,
        call: &Call<'_>,
    ) -> Result<Option<Answer>> {
        for attempt in 0.. {
            let place = (first + attempt) % senders.len();
            if senders[place].address != self.addresses()[place] {
                senders[place] = Connection::new(self.addresses()[place]);
            }
            match senders[place].send(call) {
                Ok(answer) => return Ok(Some(answer)),
                Err(_) if self.hazard == Hazard::Kill && self.is_over.load(Ordering::SeqCst) => break,
                Err(_) if self.hazard == Hazard::KillOneOfSeveral && attempt < MAX_ATTEMPTS => {
                    self.sent_again.fetch_add(1, Ordering::SeqCst);
                    // The first retry is immediate, because the next server may be running.
                    pause(if attempt < senders.len() { Duration::ZERO } else { NEXT_ATTEMPT_AFTER });
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(None)
    }

    pub(super) fn count(&self, outcome: &Outcome) -> Result<()> {
        if *outcome != Outcome::Failed {
            self.acknowledged.fetch_add(1, Ordering::SeqCst);
            return Ok(());
        }
        self.failed.fetch_add(1, Ordering::SeqCst);
        ensure!(self.hazard == Hazard::Fault, "the server responded with an error although its disk works");
        Ok(())
    }

    fn addresses(&self) -> Vec<SocketAddr> {
        self.addresses.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
