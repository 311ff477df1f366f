//! The oracle of points that end: a naive program that keeps single points, written from `docs/operating/expiry.md` alone, and the
//! property that a store agrees with it.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicU32, Ordering};

use pointbook_domain::expiry::{ExpiryPolicy, Lots, never, owed};
use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::{Activity, CivilDate, Day, TimeZoneName, Timestamp, TransactionId};
use pointbook_points::earning::reverse_transaction::{ReversalOutcome, ReverseTransaction};
use pointbook_store::ports::{OrderStepOutcome, RecordOutcome};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, Strategy, any};
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use proptest::{prop_assert_eq, prop_oneof};

use crate::build;
use crate::build::activity;
use crate::conformance::expiry_scene::{Scene, is_placed, time};
use crate::conformance::{TestDatabase, add_tenant};

/// How many histories are tested. `PROPTEST_CASES` sets another number.
const CASES: u32 = 48;

const ZONE: &str = "Europe/Berlin";

const POLICIES: [&str; 6] = [
    "never",
    "after:10-days:day",
    "after:1-months:month",
    "after:45-days:quarter",
    "year-end:0",
    "inactivity:1-months",
];

const PRICES: [i64; 3] = [1, 20, 45];

/// What a member, the back office or the time does.
#[derive(Debug, Clone)]
enum Step {
    /// An activity that happened so many days ago. Negative points are taken, down to a debt.
    Import {
        points: i64,
        days_ago: u8,
    },
    Order {
        price: i64,
    },
    /// Of one of the rows so far.
    Cancel {
        row: usize,
    },
    Reverse {
        row: usize,
        /// How many points are returned.
        part: Option<i64>,
        is_partial: bool,
        may_overdraw: bool,
    },
    Wait {
        seconds: u32,
    },
    Sweep,
    Policy {
        text: &'static str,
        grace: u8,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (prop_oneof![3 => 1_i64..60, 1 => -40_i64..0], 0_u8..50)
            .prop_map(|(points, days_ago)| Step::Import { points, days_ago }),
        5 => select(&PRICES[..]).prop_map(|price| Step::Order { price }),
        2 => (0_usize..20).prop_map(|row| Step::Cancel { row }),
        3 => (0_usize..20, option::weighted(0.6, 1_i64..40), any::<bool>(), any::<bool>())
            .prop_map(|(row, part, is_partial, may_overdraw)| Step::Reverse { row, part, is_partial, may_overdraw }),
        4 => prop_oneof![1_u32..90, 40_000_u32..90_000, 400_000_u32..3_000_000].prop_map(|seconds| Step::Wait { seconds }),
        2 => Just(Step::Sweep),
        1 => (select(&POLICIES[..]), select(&[0_u8, 3, 30][..])).prop_map(|(text, grace)| Step::Policy { text, grace }),
    ]
}

/// A row, and the last days of the single points that it gave and took. What became a debt has no day.
#[derive(Debug, Clone, Default)]
struct Row {
    points: i64,
    gave: Vec<Day>,
    took: Vec<Day>,
    is_order: bool,
    is_taken_back: bool,
    /// How many points of it were returned.
    returned: i64,
}

/// Everything that a member has.
struct Naive {
    policy: ExpiryPolicy,
    grace: u8,
    /// The last day of each point. None before points end for the first time: then there is only a number.
    points: Option<Vec<Day>>,
    /// The number before that, and later the debt as a negative number.
    number: i64,
    rows: BTreeMap<String, Row>,
    /// The rows in which points ended.
    ended: Vec<(String, i64)>,
}

impl Naive {
    fn balance(&self) -> i64 {
        self.number + i64::try_from(self.points.as_ref().map_or(0, Vec::len)).unwrap()
    }

    fn has_end(&self) -> bool {
        self.policy != ExpiryPolicy::Never
    }

    /// Before each write: points begin to end, and what is over ends.
    fn begin(&mut self, today: Day) {
        if self.has_end() && self.points.is_none() {
            let count = usize::try_from(self.number).unwrap_or_default();
            // A full period: the balance does not end with the year in which points begin to end.
            let next_year = CivilDate { year: CivilDate::from(today).year + 1, month: 12, day: 31 };
            let last_day = match self.policy {
                ExpiryPolicy::YearEnd { .. } => next_year.to_day().unwrap(),
                policy => policy.last_day(today),
            };
            self.points = Some(vec![last_day; count]);
            self.number = self.number.min(0);
        }
        let Some(points) = &mut self.points else { return };
        let mut over: BTreeMap<Day, i64> = BTreeMap::new();
        for point in points.extract_if(.., |last| *last < today) {
            *over.entry(point).or_default() += 1;
        }
        self.ended.extend(over.into_iter().map(|(day, count)| (format!("expiry:{day}"), -count)));
    }

    fn give_one(&mut self, last_day: Day) -> Option<Day> {
        match &mut self.points {
            Some(points) if self.number == 0 => {
                points.push(last_day);
                Some(last_day)
            }
            _ => {
                self.number += 1;
                None
            }
        }
    }

    /// Takes a point of these days, or else the one that ends first.
    fn take_one(&mut self, own: &[Day]) -> Option<Day> {
        let first = |points: &[Day], is_own: bool| {
            let fit = (0..points.len()).filter(|place| !is_own || own.contains(&points[*place]));
            fit.min_by_key(|place| points[*place])
        };
        let taken = self.points.as_mut().and_then(|points| {
            let place = first(points, true).or_else(|| first(points, false))?;
            Some(points.swap_remove(place))
        });
        if taken.is_none() {
            self.number -= 1;
        }
        taken
    }

    fn take(&mut self, count: i64, own: &[Day]) -> Vec<Day> {
        (0..count).filter_map(|_| self.take_one(own)).collect()
    }

    fn import(&mut self, source: &str, points: i64, earned: Day, today: Day) {
        let mut last_day = self.policy.last_day(earned).max(today);
        if matches!(self.policy, ExpiryPolicy::Inactivity { .. })
            && let Some(all) = &mut self.points
        {
            for point in &mut *all {
                *point = (*point).max(last_day);
            }
            // The points come to those that are there: a late activity does not part them.
            last_day = all.iter().filter(|point| **point < never()).max().copied().unwrap_or(last_day);
        }
        let gave = (0..points.max(0)).filter_map(|_| self.give_one(last_day)).collect();
        let took = self.take(-points.min(0), &[]);
        self.rows.insert(source.to_owned(), Row { points, gave, took, ..Row::default() });
    }

    fn order(&mut self, id: &str, price: i64) -> bool {
        if self.balance() < price {
            return false;
        }
        let took = self.take(price, &[]);
        self.rows.insert(id.to_owned(), Row { points: -price, took, is_order: true, ..Row::default() });
        true
    }

    /// Gives back what a row took, or as many points of it. `id` is that of the row that does so.
    fn give_back(&mut self, row: &Row, part: Option<i64>, id: &str, today: Day) {
        let is_finite = |day: &&Day| **day < never();
        let latest = self.points.iter().flatten().filter(is_finite).max().copied();
        let moving = latest.filter(|_| matches!(self.policy, ExpiryPolicy::Inactivity { .. }));
        let mut took = row.took.clone();
        took.sort_unstable();
        let without_day = usize::try_from(-row.points).unwrap() - took.len();
        let all = took.into_iter().rev().map(Some).chain((0..without_day).map(|_| None));
        let part = usize::try_from(part.unwrap_or(-row.points - row.returned)).unwrap();
        let part: Vec<_> = all.skip(usize::try_from(row.returned).unwrap()).take(part).collect();
        let mut at_once = 0;
        for lot in part {
            let Some(lot) = lot else {
                self.give_one(self.policy.last_day(today));
                continue;
            };
            let last_day = match moving {
                Some(moving) => lot.max(moving),
                None if lot >= today => lot,
                None if self.grace > 0 => Day::from_days(today.as_days() + i32::from(self.grace)).unwrap(),
                None => {
                    at_once += i64::from(self.number == 0);
                    if self.number < 0 {
                        self.number += 1;
                    }
                    continue;
                }
            };
            self.give_one(last_day);
        }
        if at_once > 0 {
            self.ended.push((format!("expiry:{id}"), -at_once));
        }
    }

    /// What a reversal moves. `None` when the balance is too small, or when less of the row is left.
    fn reverse(
        &mut self,
        source: &str,
        part: Option<i64>,
        (is_partial, may_overdraw): (bool, bool),
        today: Day,
        reversal: &str,
    ) -> Option<()> {
        let row = self.rows[source].clone();
        let left = row.points.abs() - row.returned;
        if part.unwrap_or(1) > left && (part.is_some() || row.returned > 0) {
            return None;
        }
        let part = part.unwrap_or(left);
        if row.points <= 0 {
            self.give_back(&row, Some(part), reversal, today);
        } else {
            let balance = self.balance();
            let taken = if is_partial && balance > 0 { part.min(balance) } else { part };
            if balance < taken && (is_partial || !may_overdraw) {
                return None;
            }
            self.take(taken, &row.gave);
        }
        self.rows.get_mut(source).unwrap().returned += part;
        Some(())
    }

    fn lots(&self) -> String {
        let Some(points) = &self.points else { return "none".to_owned() };
        let debt = (owed(), self.number);
        points.iter().map(|day| (*day, 1)).chain([debt]).collect::<Lots>().to_string()
    }

    /// One of the rows that were not taken back.
    fn row(&self, number: usize, is_order: bool) -> Option<String> {
        let fit = self.rows.iter().filter(|(_, row)| row.is_order == is_order && !row.is_taken_back);
        fit.map(|(source, _)| source.clone()).nth(number)
    }
}

/// Tests random histories of one member, each on a new tenant: balances, lots and ends must equal those of the single points after each step,
/// and the audit must find nothing.
pub fn every_history_agrees_with_single_points<F>(make: impl Fn() -> F)
where
    F: Future<Output: Into<Option<TestDatabase>>>,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let Some(fresh) = runtime.block_on(make()).into() else { return };
    let tenants = AtomicU32::new(0);
    let outcome = runner().run(&vec(step(), 1..40), |steps| {
        let slug = format!("case-{}", tenants.fetch_add(1, Ordering::SeqCst));
        runtime.block_on(async {
            let scene = Scene::new(add_tenant(&fresh.database, &slug).await, &[]);
            scene.offer(&PRICES).await;
            History::new(scene).run(&steps).await
        })
    });
    outcome.unwrap();
}

fn runner() -> TestRunner {
    // The library reads the variable, and has this number without it.
    let cases = match Config::default().cases {
        256 => CASES,
        asked => asked,
    };
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// A running history.
struct History {
    scene: Scene,
    naive: Naive,
    zone: Zone,
    now: Timestamp,
    steps: u32,
}

impl History {
    fn new(scene: Scene) -> Self {
        let naive = Naive {
            policy: ExpiryPolicy::Never,
            grace: 30,
            points: None,
            number: 0,
            rows: BTreeMap::new(),
            ended: Vec::new(),
        };
        let zone = Zone::find(&TimeZoneName::new(ZONE).unwrap()).unwrap();
        Self { scene, naive, zone, now: time("2024-01-20T22:00:00Z"), steps: 0 }
    }

    async fn run(mut self, steps: &[Step]) -> Result<(), TestCaseError> {
        self.import("first", 100, 0).await?;
        for step in steps {
            self.steps += 1;
            self.take(step).await?;
            let user = self.scene.user().await;
            prop_assert_eq!(user.balance.get(), self.naive.balance());
            prop_assert_eq!(self.scene.lots().await, self.naive.lots());
        }
        self.scene.end(self.now).await;
        self.naive.begin(self.day(self.now));
        let mut ended: Vec<_> =
            self.scene.ended().await.into_iter().map(|(source, points, _)| (source, points)).collect();
        ended.sort();
        self.naive.ended.sort();
        prop_assert_eq!(&ended, &self.naive.ended);
        self.scene.audit().await;
        Ok(())
    }

    fn day(&self, at: Timestamp) -> Day {
        self.zone.local_time(at).day
    }

    async fn import(&mut self, source: &str, points: i64, days_ago: u8) -> Result<(), TestCaseError> {
        let created_at = self.now.minus_days(days_ago.into());
        let outcomes =
            self.scene.import([Activity { created_at, ..activity(source, points) }], self.now).await;
        prop_assert_eq!(outcomes, [RecordOutcome::Recorded]);
        let (earned, today) = (self.day(created_at), self.day(self.now));
        self.naive.begin(today);
        self.naive.import(source, points, earned, today);
        Ok(())
    }

    async fn take(&mut self, step: &Step) -> Result<(), TestCaseError> {
        let (number, today) = (self.steps, self.day(self.now));
        match step {
            Step::Import { points, days_ago } => {
                self.import(&format!("s{number:02}"), *points, *days_ago).await?;
            }
            Step::Order { price } => {
                let id = format!("o{number:02}");
                let placed = is_placed(&self.scene.order(&id, *price, self.now).await);
                self.naive.begin(today);
                prop_assert_eq!(placed, self.naive.order(&id, *price));
            }
            Step::Cancel { row } => {
                let Some(id) = self.naive.row(*row, true) else { return Ok(()) };
                let outcome = self.scene.cancel(&id, self.now).await;
                prop_assert_eq!(matches!(outcome, OrderStepOutcome::Done(_)), true, "{:?}", outcome);
                self.naive.begin(today);
                let order = self.naive.rows[&id].clone();
                self.naive.give_back(&order, None, &format!("{id}/refund"), today);
                self.naive.rows.get_mut(&id).unwrap().is_taken_back = true;
            }
            Step::Reverse { row, part, is_partial, may_overdraw } => {
                let (part, is_partial, may_overdraw) = (*part, *is_partial, *may_overdraw);
                let Some(source) = self.naive.row(*row, false) else { return Ok(()) };
                let id = format!("{source}/{number}");
                let change = |reversal| ReverseTransaction {
                    id: TransactionId::new(&*id).unwrap(),
                    part: part.map(build::points),
                    is_partial,
                    may_overdraw,
                    ..reversal
                };
                let outcome = self.scene.reverse_as(&source, self.now, change).await;
                self.naive.begin(today);
                let how = (is_partial, may_overdraw);
                let expected = self.naive.reverse(&source, part, how, today, &id);
                // Without a part, nothing of the row is left to reverse.
                if part.is_none() && expected.is_some() {
                    self.naive.rows.get_mut(&source).unwrap().is_taken_back = true;
                }
                prop_assert_eq!(
                    matches!(outcome, ReversalOutcome::Reversed(_)),
                    expected.is_some(),
                    "{:?}",
                    outcome
                );
            }
            Step::Wait { seconds } => self.now = self.now.plus_seconds(*seconds),
            Step::Sweep => {
                self.scene.end(self.now).await;
                self.naive.begin(today);
            }
            Step::Policy { text, grace } => {
                let days = grace.to_string();
                let settings = [
                    ("points_expire", *text),
                    ("refund_grace_days", &days),
                    ("points_active_types", "code"),
                    ("time_zone", ZONE),
                ];
                self.scene.set(&settings);
                self.naive.policy = ExpiryPolicy::parse(text).unwrap();
                self.naive.grace = *grace;
            }
        }
        Ok(())
    }
}
