//! The property that the store and the lists agree after any sequence of requests, losses and retries.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pointbook_domain::Timestamp;
use pointbook_points::audit::audit_sums;
use pointbook_points::audit::ledger::audit_ledger;
use pointbook_points::audit::stock::audit_stock;
use pointbook_store::StoreError;
use pointbook_store::ports::{Database, RequestKey, TenantData};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use proptest::{prop_assert, prop_assert_eq};

use super::NaiveTenant;
use super::plan::{Mishap, Plan, Request, USERS, opening, requests};
use crate::build;
use crate::conformance::state::tenant_state;
use crate::conformance::{TestDatabase, add_tenant};
use crate::faulty::{Fault, FaultyDatabase, WriteFault};

/// How many random sequences are tested, each on a new tenant.
const CASES: u32 = 160;

/// The time between two attempts, so that a day has several.
const SECONDS_BETWEEN_ATTEMPTS: u32 = 18_000;

/// Sends random sequences of requests. Some requests are lost and sent again. After each request, outcomes, balances, days,
/// histories, orders, stock and catalogue must equal those of the lists. At the end of each sequence, the audit must
/// find nothing.
pub fn every_sequence_agrees_with_the_naive_tenant<F>(make: impl Fn() -> F)
where
    F: Future<Output: Into<Option<TestDatabase>>>,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let Some(fresh) = runtime.block_on(make()).into() else { return };
    let database = FaultyDatabase::healthy(fresh.database.clone());
    let tenants = AtomicU32::new(0);
    let outcome = runner().run(&requests(), |requests| {
        let slug = format!("case-{}", tenants.fetch_add(1, Ordering::SeqCst));
        runtime.block_on(async {
            add_tenant(&fresh.database, &slug).await;
            let data = database.tenant(&build::tenant(&slug).id);
            Sequence::begin(&database, data).await.run(&requests).await
        })
    });
    outcome.unwrap();
}

/// Generates the same sequences in each run.
pub(super) fn runner() -> TestRunner {
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// The time of an attempt.
pub(super) fn time_of(attempt: u32) -> Timestamp {
    build::noon().plus_seconds(attempt * SECONDS_BETWEEN_ATTEMPTS)
}

/// Fails when the audit finds a difference, or misses a user or a product.
pub(super) async fn audit(data: &Arc<dyn TenantData>, naive: &NaiveTenant) -> Result<(), TestCaseError> {
    let (mut of_users, mut of_stock) = (Vec::new(), Vec::new());
    let ledger = audit_ledger(&**data, |user| of_users.extend(user.differences.clone())).await;
    let stock = audit_stock(&**data, |difference| of_stock.push(difference.clone())).await;
    prop_assert_eq!(of_users, []);
    prop_assert_eq!(of_stock, []);
    prop_assert_eq!(audit_sums(&**data).await.unwrap(), [""; 0]);
    let audited = (ledger.unwrap().users, stock.unwrap().products);
    prop_assert_eq!(audited, (USERS.len() as u64, naive.products.len() as u64));
    Ok(())
}

/// A running sequence.
struct Sequence<'d> {
    database: &'d FaultyDatabase,
    data: Arc<dyn TenantData>,
    naive: NaiveTenant,
    attempts: u32,
}

impl<'d> Sequence<'d> {
    async fn begin(database: &'d FaultyDatabase, data: Arc<dyn TenantData>) -> Self {
        data.write(build::import(USERS.map(build::profile).clone())).await.unwrap();
        Self { database, data, naive: NaiveTenant::default(), attempts: 0 }
    }

    async fn run(mut self, requests: &[Request]) -> Result<(), TestCaseError> {
        for plan in opening() {
            self.send(&plan, None).await?;
        }
        for request in requests {
            let key = request.key();
            if let Some(mishap) = request.mishap {
                self.send_in_vain(&request.plan, key.as_ref(), mishap).await?;
                self.naive.agree(tenant_state(&self.data).await)?;
            }
            self.send(&request.plan, key.as_ref()).await?;
            self.naive.agree(tenant_state(&self.data).await)?;
        }
        audit(&self.data, &self.naive).await
    }

    fn next_attempt(&mut self) -> (u32, Timestamp) {
        self.attempts += 1;
        (self.attempts, time_of(self.attempts))
    }

    async fn send(&mut self, plan: &Plan, key: Option<&RequestKey>) -> Result<(), TestCaseError> {
        let (attempt, now) = self.next_attempt();
        let write = plan.write(attempt, now, &self.naive);
        let expected = self.naive.execute(&write, now, key);
        let execution = write.execute(&*self.data, now, key).await.unwrap();
        prop_assert_eq!(execution, expected, "{:?}", write);
        Ok(())
    }

    /// Sends a write with a mishap. The sender does not learn the outcome; the lists know whether the write happened.
    async fn send_in_vain(
        &mut self,
        plan: &Plan,
        key: Option<&RequestKey>,
        mishap: Mishap,
    ) -> Result<(), TestCaseError> {
        let (attempt, now) = self.next_attempt();
        let write = plan.write(attempt, now, &self.naive);
        let fault = match mishap {
            Mishap::RequestLost => WriteFault::Before(Fault::Unavailable),
            Mishap::AnswerLost => {
                self.naive.execute(&write, now, key);
                WriteFault::AnswerLost
            }
        };
        self.database.fail_next_write(Some(fault));
        let lost = write.execute(&*self.data, now, key).await;
        prop_assert!(matches!(lost, Err(StoreError::Unavailable(_))), "{:?} of {:?}", lost, write);
        Ok(())
    }
}
