//! The property of concurrent writes: each succeeds or fails alone, and the result equals that of executing them one after
//! the other in some order.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};

use futures_util::future::join_all;
use pointbook_domain::Timestamp;
use pointbook_store::ports::{Execution, RequestKey, TenantData};
use pointbook_store::{StoreError, StoreResult};
use proptest::collection::vec;
use proptest::prop_assert;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use super::NaiveTenant;
use super::plan::{Request, USERS, opening, request};
use super::property::{audit, time_of};
use super::write::Write;
use crate::build;
use crate::conformance::state::{TenantState, tenant_state};
use crate::conformance::{TestDatabase, add_tenant};

/// How many random sequences of batches are tested, each on a new tenant.
const CASES: u32 = 64;

/// The most writes of a batch. For a wrong result, the test tries all their permutations.
const MAX_TOGETHER: usize = 7;

/// Sends random batches of writes while `hold` keeps the store from writing, so that they wait together. Some writes are
/// orders that fail halfway because their number is taken. After each batch, outcomes and state must equal those of the
/// lists in some order of the writes. At the end, the audit must find nothing.
pub fn writes_sent_together_agree_with_the_naive_tenant<H>(fresh: &TestDatabase, hold: impl Fn() -> H) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let batch = vec((request(), proptest::bool::weighted(0.4)), 2..=MAX_TOGETHER);
    let tenants = AtomicU32::new(0);
    let outcome = TestRunner::new_with_rng(config, rng).run(&vec(batch, 1..8), |batches| {
        let slug = format!("case-{}", tenants.fetch_add(1, Ordering::SeqCst));
        runtime.block_on(async {
            let data = add_tenant(&fresh.database, &slug).await;
            let mut batched = Batched::begin(data).await;
            for batch in &batches {
                batched.send(batch, &hold).await?;
            }
            audit(&batched.data, &batched.naive).await
        })
    });
    outcome.unwrap();
}

/// A tenant and its lists between the batches.
struct Batched {
    data: Arc<dyn TenantData>,
    naive: NaiveTenant,
    attempts: u32,
}

/// A prepared write.
#[derive(Debug)]
struct Sent {
    write: Write,
    now: Timestamp,
    key: Option<RequestKey>,
    /// Whether it is an order with a number that is taken.
    clashes: bool,
}

type Answer = StoreResult<Execution<String>>;

impl Batched {
    async fn begin(data: Arc<dyn TenantData>) -> Self {
        data.write(build::import(USERS.map(build::profile).clone())).await.unwrap();
        let mut batched = Self { data, naive: NaiveTenant::default(), attempts: 0 };
        for plan in opening() {
            let (attempt, now) = batched.next_attempt();
            let write = plan.write(attempt, now, &batched.naive);
            batched.naive.execute(&write, now, None);
            write.execute(&*batched.data, now, None).await.unwrap();
        }
        batched
    }

    fn next_attempt(&mut self) -> (u32, Timestamp) {
        self.attempts += 1;
        (self.attempts, time_of(self.attempts))
    }

    async fn send<H>(
        &mut self,
        batch: &[(Request, bool)],
        hold: impl Fn() -> H,
    ) -> Result<(), TestCaseError> {
        let sent: Vec<_> = batch.iter().map(|(request, clashes)| self.prepare(request, *clashes)).collect();
        let guard = hold();
        let asked = sent.iter().map(|one| one.write.execute(&*self.data, one.now, one.key.as_ref()));
        let mut asked = pin!(join_all(asked));
        let early = asked.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        drop(guard);
        let answers = match early {
            Poll::Ready(answers) => answers,
            Poll::Pending => asked.await,
        };
        let mut answered: Vec<_> = sent.iter().zip(&answers).collect();
        let state = tenant_state(&self.data).await;
        let after = self.naive.after_all(&mut answered, &state);
        prop_assert!(after.is_some(), "no order of {answered:#?} gives {state:#?} after {:#?}", self.naive);
        self.naive = after.unwrap();
        Ok(())
    }

    fn prepare(&mut self, request: &Request, clashes: bool) -> Sent {
        let (attempt, now) = self.next_attempt();
        let mut write = request.plan.write(attempt, now, &self.naive);
        let taken = self.naive.orders.last().filter(|_| clashes);
        let clashes = match (&mut write, taken) {
            (Write::Order(new), Some(taken)) => {
                new.number.clone_from(&taken.number);
                true
            }
            _ => false,
        };
        Sent { write, now, key: request.key(), clashes }
    }
}

impl NaiveTenant {
    /// The lists after these writes, in an order that gives these outcomes and this state. `None` when no order does.
    fn after_all(&self, sent: &mut Vec<(&Sent, &Answer)>, state: &TenantState) -> Option<Self> {
        if sent.is_empty() {
            return self.agree(state.clone()).is_ok().then(|| self.clone());
        }
        for place in 0..sent.len() {
            let next = sent.remove(place);
            let after = self.after(next.0, next.1).and_then(|after| after.after_all(sent, state));
            sent.insert(place, next);
            if after.is_some() {
                return after;
            }
        }
        None
    }

    /// The lists after a write. `None` when it has another outcome now.
    fn after(&self, sent: &Sent, answer: &Answer) -> Option<Self> {
        let mut after = self.clone();
        let expected = after.execute(&sent.write, sent.now, sent.key.as_ref());
        let is_placed = matches!(&expected, Execution::Executed(outcome) if outcome.starts_with("Placed"));
        match answer {
            Err(StoreError::Failed(_)) if sent.clashes && is_placed => Some(self.clone()),
            Ok(execution) if !(sent.clashes && is_placed) && *execution == expected => Some(after),
            Ok(_) | Err(_) => None,
        }
    }
}
