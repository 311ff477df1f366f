//! A client that writes, and retries a request until it gets a response.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::client::{Answer, Call};
use crate::pause;
use crate::setup::{Customer, FleetSetup, Row};

/// How long a request may take while the database is unavailable.
const FAIL_FAST: Duration = Duration::from_secs(5);

/// How long a client waits before a retry. It is less than `Retry-After`, to cause more load.
const COME_BACK_AFTER: Duration = Duration::from_millis(20);

/// The progress of a writer or reader, for the test.
#[derive(Default)]
pub(crate) struct Progress {
    good: AtomicUsize,
    unavailable: AtomicUsize,
}

impl Progress {
    /// The number of successful responses.
    pub(crate) fn good(&self) -> usize {
        self.good.load(Ordering::SeqCst)
    }

    /// The number of responses during an outage.
    pub(crate) fn unavailable(&self) -> usize {
        self.unavailable.load(Ordering::SeqCst)
    }

    /// Retries a request until it succeeds; `None` when the test ends before.
    /// The only allowed failure is a fast 503 with `Retry-After`.
    fn send(&self, call: &Call, address: SocketAddr, is_over: &AtomicBool) -> Option<Answer> {
        while !is_over.load(Ordering::SeqCst) {
            let answer = call.send(address).unwrap();
            if answer.status < 300 {
                self.good.fetch_add(1, Ordering::SeqCst);
                return Some(answer);
            }
            assert_eq!(answer.status, 503, "{call:?}: {answer:?}");
            assert!(answer.has_header("retry-after: ") && answer.took < FAIL_FAST, "{call:?}: {answer:?}");
            self.unavailable.fetch_add(1, Ordering::SeqCst);
            pause(COME_BACK_AFTER);
        }
        None
    }

    /// Reads a history again and again.
    pub(crate) fn read(&self, customer: &Customer, address: SocketAddr, is_over: &AtomicBool) {
        let call = Call::new("GET", "/v1/user/point-history", &customer.token);
        while self.send(&call, address, is_over).is_some() {}
    }
}

/// A client of one customer, with a number for each request.
pub(crate) struct Writer {
    customer: Customer,
    back_office: String,
    /// Every request, and the id of what it created, once that is known.
    made: HashMap<u32, Option<String>>,
    pub(crate) progress: Arc<Progress>,
}

impl Writer {
    pub(crate) fn new(setup: &FleetSetup, user: &str) -> Self {
        let (customer, back_office) = (setup.customer(user, 1_000_000), setup.back_office.clone());
        Self { customer, back_office, made: HashMap::new(), progress: Arc::default() }
    }

    fn call(&self, number: u32) -> Call {
        let user = &self.customer.user;
        if is_order(number) {
            let body = json!({"product_id": "mug", "quantity": 1});
            let key = format!("{user}-{number}");
            return Call::new("POST", "/v1/store/orders", &self.customer.token).json(body).key(&key);
        }
        let source_id = format!("scan-{number}");
        let body = json!({"type": "code", "source_id": source_id, "points": 3, "title": "QR code scan"});
        Call::new("POST", &format!("/v1/manage/users/{user}/activities"), &self.back_office).json(body)
    }

    pub(crate) fn write(&mut self, address: SocketAddr, is_over: &AtomicBool) {
        for number in 0.. {
            self.made.insert(number, None);
            let Some(answer) = self.progress.send(&self.call(number), address, is_over) else { return };
            self.made.insert(number, Some(answer.id()));
        }
    }

    /// Sends all requests again. Acknowledged requests must have the same outcome; for the others, this settles the outcome.
    pub(crate) fn settle(&mut self, address: SocketAddr) {
        for (number, known) in std::mem::take(&mut self.made) {
            let call = self.call(number);
            let answer = call.send(address).unwrap();
            let had_happened = answer.is_replay() || answer.status == 200;
            assert!(answer.status < 300, "{call:?}: {answer:?}");
            if let Some(id) = known {
                assert!(had_happened && answer.id() == id, "{call:?} made {id}: {answer:?}");
            }
            self.made.insert(number, Some(answer.id()));
        }
    }

    /// The ledger rows of its requests, when each was executed once.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row> {
        let user = &self.customer.user;
        let opening = (user.clone(), "code".to_owned(), "opening".to_owned());
        let made = self.made.iter().map(|(number, id)| {
            let (kind, source) = if is_order(*number) {
                ("order", id.clone().unwrap())
            } else {
                ("code", format!("scan-{number}"))
            };
            (user.clone(), kind.to_owned(), source)
        });
        made.chain([opening])
    }
}

/// Sends orders and activities in turn.
fn is_order(number: u32) -> bool {
    number.is_multiple_of(2)
}
