//! One client: sends its next write after each response, and keeps a journal.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use xtask::operate::http_client::Connection;
use xtask::operate::numbers::Numbers;

use super::book::Book;
use super::request::{Activity, OrderRequest, Outcome, Request, Step, StepRequest};
use super::setup::{CUSTOMERS_PER_CLIENT, CrashSetup, PRODUCTS, SHARED_USERS};
use super::shift::Shift;

/// Requests without a response that were sent again.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Resolved {
    pub(super) unanswered: usize,
    /// Those that had happened although their response was lost.
    pub(super) happened: usize,
}

/// A client that writes in many shifts.
pub(super) struct Client {
    number: usize,
    numbers: Numbers,
    /// How many requests it has generated.
    made: u64,
    /// Its placed orders without a pending step, as far as it knows.
    placed: Vec<String>,
    pub(super) book: Book,
}

impl Client {
    pub(super) fn new(number: usize, seed: u64) -> Self {
        let numbers = Numbers::new(seed ^ ((number as u64 + 1) << 32));
        Self { number, numbers, made: 0, placed: Vec::new(), book: Book::default() }
    }

    /// Writes until the shift is over.
    ///
    /// # Errors
    /// When a response is wrong, or is missing although the server was not killed.
    pub(super) fn write(&mut self, setup: &CrashSetup, shift: &Shift) -> Result<()> {
        let mut senders = shift.senders();
        while shift.goes_on() {
            let request = self.next_request();
            self.book.begin(request.clone());
            let first = self.numbers.place(senders.len());
            let sent = shift.send(&mut senders, first, &request.call(setup));
            let Some(answer) = sent.with_context(|| format!("no response to {request:?}"))? else {
                return Ok(());
            };
            let outcome = request.read(&answer)?;
            shift.count(&outcome).with_context(|| format!("{} {}", answer.status, answer.text()))?;
            self.acknowledge(outcome)?;
        }
        Ok(())
    }

    fn acknowledge(&mut self, outcome: Outcome) -> Result<()> {
        if let Outcome::Placed { id, .. } = &outcome
            && !self.book.orders.contains_key(id)
        {
            self.placed.push(id.clone());
        }
        self.book.acknowledge(outcome)
    }

    fn next_request(&mut self) -> Request {
        self.made += 1;
        match self.numbers.next(100) {
            0..45 => self.activity(),
            45..55 => self.shared_activity(),
            55..65 => self.repeat(),
            65..85 => self.order(),
            dice => self.step(if dice < 93 { Step::Cancel } else { Step::Fulfil }),
        }
    }

    fn activity(&mut self) -> Request {
        let user = if self.numbers.one_in(3) {
            format!("shared-{}", self.numbers.place(SHARED_USERS))
        } else {
            format!("customer-{}", self.customer())
        };
        let source_id = format!("c{}-{}", self.number, self.made);
        let (points, bonus) = (1 + i64::from(self.numbers.next(20)), i64::from(self.numbers.next(3)));
        Request::Activity(Activity { user, source_id, points, bonus })
    }

    /// An activity that other clients send too, some at the same time.
    fn shared_activity(&mut self) -> Request {
        let source_id = format!("shared-{}", self.made / 4);
        let user = format!("shared-{}", self.made / 4 % SHARED_USERS as u64);
        Request::Activity(Activity { user, source_id, points: 5, bonus: 0 })
    }

    /// A request that was acknowledged before.
    fn repeat(&mut self) -> Request {
        let repeatable = |request: &&Request| !matches!(request, Request::Step(_));
        let place = self.numbers.place(self.book.fresh.len().max(1));
        self.book.fresh.get(place).filter(repeatable).cloned().unwrap_or_else(|| self.activity())
    }

    fn order(&mut self) -> Request {
        let (product, ..) = PRODUCTS[self.numbers.place(PRODUCTS.len())];
        let key = format!("c{}-{}", self.number, self.made);
        let quantity = 1 + i64::from(self.numbers.next(3));
        Request::Order(OrderRequest { customer: self.customer(), key, product, quantity })
    }

    /// A step of a placed order, or an order when the client has no placed one.
    fn step(&mut self, step: Step) -> Request {
        if self.placed.is_empty() {
            return self.order();
        }
        let order = self.placed.swap_remove(self.numbers.place(self.placed.len()));
        let key = self.numbers.one_in(2).then(|| format!("c{}-{}", self.number, self.made));
        Request::Step(StepRequest { order, step, key })
    }

    /// One of this client's customers, by its index in the setup.
    fn customer(&mut self) -> usize {
        self.number * CUSTOMERS_PER_CLIENT + self.numbers.place(CUSTOMERS_PER_CLIENT)
    }

    /// Sends each request without a response again, until it has one.
    pub(super) fn resolve(&mut self, setup: &CrashSetup, address: SocketAddr) -> Result<Resolved> {
        let requests = std::mem::take(&mut self.book.pending);
        let happened = self.send_again(&requests, setup, address)?;
        Ok(Resolved { unanswered: requests.len(), happened })
    }

    /// Sends the requests acknowledged since the last call again. Each must have happened before. Steps are
    /// left out, because their orders show them.
    pub(super) fn repeat_fresh(&mut self, setup: &CrashSetup, address: SocketAddr) -> Result<Vec<Request>> {
        let fresh = std::mem::take(&mut self.book.fresh);
        let repeatable: Vec<Request> =
            fresh.iter().filter(|request| !matches!(request, Request::Step(_))).cloned().collect();
        let happened = self.send_again(&repeatable, setup, address)?;
        ensure!(happened == repeatable.len(), "{} acknowledged writes are lost", repeatable.len() - happened);
        self.book.fresh.clear();
        Ok(fresh)
    }

    /// Returns how many of the requests had happened already.
    fn send_again(&mut self, requests: &[Request], setup: &CrashSetup, address: SocketAddr) -> Result<usize> {
        let mut connection = Connection::new(address);
        let mut happened = 0;
        for request in requests {
            self.book.begin(request.clone());
            let answer = connection.send(&request.call(setup))?;
            let outcome = request.read(&answer)?;
            ensure!(outcome != Outcome::Failed, "{request:?} again: {} {}", answer.status, answer.text());
            happened += usize::from(had_happened(&outcome));
            self.acknowledge(outcome)?;
        }
        Ok(happened)
    }
}

/// Whether the response to a repeated request says that the first one had its effect.
fn had_happened(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Recorded { is_new, .. } => !is_new,
        Outcome::Placed { is_replay, .. }
        | Outcome::Refused { is_replay }
        | Outcome::Stepped { is_replay } => *is_replay,
        Outcome::WrongStep => true,
        Outcome::Failed => false,
    }
}
