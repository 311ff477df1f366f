//! The oracle of a history: a naive program that sorts and folds a list of activities, and the property that a store
//! agrees with it.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::Arc;

use pointbook_domain::history::group_by_day;
use pointbook_domain::{Activity, ActivityType, Day, HistoryRows, Timestamp, Transaction};
use pointbook_store::ports::{NewTransaction, RecordOutcome, TenantData};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use proptest::sample::select;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use crate::build;
use crate::build::{activity, recorded};
use crate::conformance::{TestDatabase, add_tenant};

/// How many random histories are tested, each on a new database.
const CASES: u32 = 24;

/// Every user of the random histories.
const USERS: [&str; 4] = ["u1", "u10", "U1", "か"];

/// The state of the naive program: a list.
#[derive(Debug, Default)]
pub struct NaiveLedger {
    rows: Vec<NewTransaction>,
}

impl NaiveLedger {
    /// Records a transaction after a search through the list. Balances stay within their bounds here.
    pub fn record(&mut self, new: &NewTransaction) -> RecordOutcome {
        let key = |row: &NewTransaction| {
            let Activity { kind, source_id, .. } = &row.transaction.activity;
            (row.user_id.clone(), kind.clone(), source_id.clone())
        };
        match self.rows.iter().find(|row| key(row) == key(new)) {
            Some(row) if row.transaction.activity == new.transaction.activity => {
                RecordOutcome::AlreadyRecorded
            }
            Some(_) => RecordOutcome::Conflict,
            None => {
                self.rows.push(new.clone());
                RecordOutcome::Recorded
            }
        }
    }

    fn of<'l>(&'l self, user: &'l str) -> impl Iterator<Item = &'l Transaction> {
        self.rows.iter().filter(move |row| row.user_id.as_str() == user).map(|row| &row.transaction)
    }

    /// The sum of a user's base and bonus points.
    pub fn balance(&self, user: &str) -> i64 {
        self.of(user).map(|row| row.activity.net_points().unwrap().get()).sum()
    }

    /// A user's days, newest first.
    pub fn days(&self, user: &str) -> Vec<Day> {
        let days: BTreeSet<Day> = self.of(user).map(|row| row.activity.created_at.day()).collect();
        days.into_iter().rev().collect()
    }

    /// A user's rows on some days.
    pub fn on_days(&self, user: &str, days: &[Day]) -> HistoryRows {
        build::history_rows(self.of(user).filter(|row| days.contains(&row.activity.created_at.day())))
    }
}

/// Records random activities in random batches, and reads them page by page. The store and the list must agree on every
/// outcome, balance, day and row.
pub fn every_page_equals_the_naive_fold<F>(make: impl Fn() -> F)
where
    F: Future<Output: Into<Option<TestDatabase>>>,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let history = (vec(vec(transaction(), 0..30), 1..8), 1_u32..6);
    let outcome = TestRunner::new_with_rng(config, deterministic()).run(&history, |(batches, page_size)| {
        let batches = with_new_ids(batches);
        runtime.block_on(async {
            let Some(fresh) = make().await.into() else { return Ok(()) };
            let data = add_tenant(&fresh.database, "acme").await;
            compare(&data, &batches, page_size).await
        })
    });
    outcome.unwrap();
}

fn deterministic() -> proptest::test_runner::TestRng {
    proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha)
}

/// Few users, types, sources and days, so that keys and days collide. Each day has a few times, including its first and
/// last microsecond.
fn transaction() -> impl Strategy<Value = NewTransaction> {
    let moment = (0_i64..9, select(vec![0, 1, build::DAY_MICROS / 2, build::DAY_MICROS - 1]));
    let created_at = moment.prop_map(|(day, micros)| {
        Timestamp::from_micros(build::on_day(day).day().start().as_micros() + micros).unwrap()
    });
    let amounts = (-500_i64..500, vec(0_i64..50, 0..3));
    let key = (select(&USERS[..]), select(vec!["code", "quiz", "checkin"]), 0_u8..60);
    // Half of the activities are functions of their key, so that both repetitions and conflicts occur.
    (key, created_at, amounts, any::<bool>()).prop_map(
        |((user, kind, source), created_at, amounts, plain)| {
            let kind = ActivityType::new(kind).unwrap();
            let (points, bonuses) = amounts;
            let base = Activity { kind, ..activity(&source.to_string(), 1) };
            let varied = || Activity {
                points: build::points(points),
                bonuses: build::bonuses(&bonuses),
                created_at,
                ..base.clone()
            };
            recorded(user, if plain { base.clone() } else { varied() })
        },
    )
}

fn with_new_ids(batches: Vec<Vec<NewTransaction>>) -> Vec<Vec<NewTransaction>> {
    let mut ids = 0..;
    let mut renew = |new| build::again(&new, &format!("{:04}", ids.next().unwrap_or(0)));
    batches.into_iter().map(|batch| batch.into_iter().map(&mut renew).collect()).collect()
}

async fn compare(
    data: &Arc<dyn TenantData>,
    batches: &[Vec<NewTransaction>],
    page_size: u32,
) -> Result<(), TestCaseError> {
    let mut naive = NaiveLedger::default();
    for batch in batches {
        let expected: Vec<_> = batch.iter().map(|new| naive.record(new)).collect();
        let outcomes = data.write(build::history(batch.clone())).await.unwrap();
        proptest::prop_assert_eq!(outcomes, expected);
    }
    for user in USERS {
        let days = naive.days(user);
        let mut pages: Vec<&[Day]> = days.chunks(page_size as usize).collect();
        pages.push(&[]);
        for (number, page) in (1..).zip(pages) {
            let read =
                data.history_page(&build::user_id(user), build::page(number, page_size)).await.unwrap();
            proptest::prop_assert_eq!(read.user_points.get(), naive.balance(user));
            proptest::prop_assert_eq!(read.day_count, days.len() as u64);
            proptest::prop_assert_eq!(&read.rows, &naive.on_days(user, page));
            let grouped = group_by_day(read.rows);
            proptest::prop_assert_eq!(grouped.days().map(|day| day.day).collect::<Vec<_>>(), page);
        }
    }
    Ok(())
}
