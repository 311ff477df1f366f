//! Facts of figures: each row of the ledger counts once, whenever it is counted.

use std::sync::Arc;
use std::time::Duration;

use pointbook_app::ports::{Cell, Database, LedgerEntry, Query, Row, read_all};
use pointbook_app::{Context, PlaceOrder, StepOrder, UpsertProducts};
use pointbook_domain::{Activity, Day, Order, Product, Timestamp, UserId};
use pointbook_earning::runs::tell_runs;
use pointbook_earning::{current_rules, reverse_transaction};
use pointbook_feed::clean_feed;
use pointbook_figures::reports::{ReportTable, find_report, run_report};
use pointbook_figures::{audit_figures, catch_up, rebuild, step};
use pointbook_schema::rows::{DailyTotal, MemberRow};
use pointbook_schema::{
    CAMPAIGN_DAYS, COHORTS, DAILY_MEMBERS, DAILY_TOTALS, MEMBER_FIGURES, PRODUCT_DAYS, TRANSACTIONS, Table,
    VINTAGES, Write, cells,
};
use serde_json::json;

use super::campaign_helpers::CampaignFixture;
use super::figures_model::Model;
use crate::build::{self, activity, on_day, price, product, recorded};

const FIGURES: [&Table; 7] =
    [&MEMBER_FIGURES, &DAILY_TOTALS, &DAILY_MEMBERS, &COHORTS, &VINTAGES, &CAMPAIGN_DAYS, &PRODUCT_DAYS];

/// How long counting may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// How many days the scenes have.
const DAYS: i64 = 150;

/// A tenant whose members earn, order and cancel, and whose back office reverses: the same for the same seed.
struct Scene {
    fixture: CampaignFixture,
    random: u64,
    orders: Vec<String>,
}

impl Scene {
    async fn new(database: &Arc<dyn Database>, seed: u64) -> Self {
        let fixture = CampaignFixture::new(database).await;
        for (id, amount) in [("cup", 3), ("mug", 7), ("pin", 0)] {
            let product = Product { stock: None, regular_price: price(amount), ..product(id) };
            fixture.data.write(UpsertProducts(vec![build::upsert(product)])).await.unwrap();
        }
        fixture.start(&json!({"conditions": {"source_prefixes": ["s-1"]}, "reward": {"points": 5}})).await;
        Self { fixture, random: seed, orders: Vec::new() }
    }

    fn context<T>(&self) -> Context<T> {
        self.fixture.context(on_day(DAYS))
    }

    /// A number below this one.
    fn below(&mut self, bound: u64) -> u64 {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % bound
    }

    /// A day of the scene: activities come late and early.
    fn day(&mut self) -> Timestamp {
        let day = self.below(DAYS.unsigned_abs());
        on_day(day.cast_signed())
    }

    fn user(&mut self) -> String {
        format!("u{}", self.below(5))
    }

    /// Does one thing.
    async fn act(&mut self, number: usize) {
        let (user, at) = (self.user(), self.day());
        match self.below(10) {
            0..=5 => {
                let earned = self.below(20).cast_signed();
                let source = format!("s-{}-{number}", self.below(3));
                let activity = Activity { created_at: at, ..activity(&source, earned) };
                self.fixture.record(&user, activity, on_day(DAYS)).await;
            }
            6 | 7 => self.order(number, &user, at).await,
            8 => self.cancel(at).await,
            _ => self.reverse(number).await,
        }
    }

    async fn order(&mut self, number: usize, user: &str, at: Timestamp) {
        let product = ["cup", "mug", "pin"][usize::try_from(self.below(3)).unwrap()];
        let id = format!("o{number}");
        let order = build::order(&id, user, product);
        let order = pointbook_app::ports::NewOrder { at, ..order };
        // Members without points are refused.
        self.fixture.data.execute(PlaceOrder(order), None).await.unwrap();
        self.orders.push(id);
    }

    async fn cancel(&mut self, at: Timestamp) {
        let Some(id) = self.orders.pop() else { return };
        let (id, step) = (build::order_id(&id), build::cancel(&id));
        self.fixture.data.execute(StepOrder { id, step, at }, None).await.unwrap();
    }

    /// Takes back any row, as far as the rules allow.
    async fn reverse(&mut self, number: usize) {
        let rows = self.rows().await;
        if rows.is_empty() {
            return;
        }
        let row = &rows[usize::try_from(self.below(rows.len() as u64)).unwrap()];
        let transaction = (row.user_id.clone(), row.transaction.id.clone());
        let reason = format!("mistake {number}");
        drop(reverse_transaction(&self.context(), transaction, reason, false).await.unwrap());
    }

    /// All rows of the ledger, by user and `seq`.
    async fn rows(&self) -> Vec<LedgerEntry> {
        self.fixture.data.entries_after(None, 10_000).await.unwrap()
    }

    async fn orders(&self) -> Vec<Order> {
        read_all(&*self.fixture.data, Query::of::<Order>("orders", &["id"])).await.unwrap()
    }

    async fn report(&self, name: &str) -> ReportTable {
        let (from, until) = (Some(on_day(-5).day()), Some(on_day(DAYS + 40).day()));
        let report = find_report(name).unwrap();
        let table = run_report(&self.context(), report, from, until, PATIENCE).await.unwrap();
        assert!(table.is_complete);
        table
    }

    /// The rows of a report, without these columns.
    async fn texts(&self, name: &str, left_out: &[&str]) -> Vec<Vec<String>> {
        let table = self.report(name).await;
        let is_kept = |column: &&str| !left_out.contains(column);
        let columns = table.report.columns;
        let row = |values: &Vec<pointbook_figures::reports::Value>| {
            let named = columns.iter().map(|column| column.name).zip(values);
            named.filter(|(name, _)| is_kept(name)).map(|(_, value)| value.to_string()).collect()
        };
        table.rows.iter().map(row).collect()
    }

    /// Adds a row after the last one, as another program might.
    async fn add_row_without_event(&self) {
        let data = &self.fixture.data;
        let mut row = data.rows_after(&TRANSACTIONS, None, 100).await.unwrap().pop().unwrap();
        for (cell, column) in row.iter_mut().zip(TRANSACTIONS.columns) {
            match (column.name, &cell) {
                ("id" | "source_id", _) => *cell = Cell::Text("foreign".into()),
                ("seq", Cell::Integer(seq)) => *cell = Cell::Integer(seq + 1),
                _ => {}
            }
        }
        data.write_rows(&TRANSACTIONS, &[row]).await.unwrap();
    }

    async fn figures(&self) -> Vec<Vec<Row>> {
        let mut all = Vec::new();
        for table in FIGURES {
            all.push(self.fixture.data.rows_after(table, None, 100_000).await.unwrap());
        }
        all
    }

    async fn differences(&self) -> Vec<String> {
        audit_figures(&*self.fixture.data).await.unwrap()
    }

    /// Compares every report with the model.
    async fn assert_right(&self) {
        let (rows, orders) = (self.rows().await, self.orders().await);
        let model = Model::new(&rows, &orders);
        let days: Vec<Day> = (-5..=DAYS + 40).map(|day| on_day(day).day()).collect();
        assert_eq!(self.texts("points", &["redemption_percent"]).await, model.points(&days));
        assert_eq!(self.texts("members", &[]).await, model.members(&days));
        let mut cohorts = self.texts("cohorts", &["active_percent"]).await;
        cohorts.retain(|row| row[2] != "0");
        assert_eq!(cohorts, model.cohorts());
        assert_eq!(self.texts("vintages", &["redemption_percent"]).await, model.vintages());
        assert_eq!(self.texts("products", &["title"]).await, model.products());
        let balances: i64 = rows.iter().map(|row| row.transaction.activity.net_points().unwrap().get()).sum();
        let open =
            self.texts("vintages", &[]).await.iter().map(|row| row[4].parse::<i64>().unwrap()).sum::<i64>();
        assert_eq!(open, balances);
        assert_eq!(self.differences().await, Vec::<String>::new());
    }
}

/// Rows come late, are counted one by one and many at once, and some are taken back.
pub async fn figures_are_what_the_ledger_gives(database: Arc<dyn Database>) {
    let mut scene = Scene::new(&database, 7).await;
    for number in 0..300 {
        scene.act(number).await;
        if scene.below(4) == 0 {
            step(&scene.context()).await.unwrap();
        }
        if number == 150 {
            scene.assert_right().await;
        }
    }
    scene.assert_right().await;
    let counted = scene.figures().await;
    assert!(counted.iter().all(|rows| !rows.is_empty()), "each table has rows");
    rebuild(&scene.context()).await.unwrap();
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    assert!(scene.figures().await == counted, "counting again gives the same bytes");
    scene.assert_right().await;
}

/// An instance that was slow writes nothing over the figures of another.
pub async fn of_two_instances_one_counts(database: Arc<dyn Database>) {
    let mut scene = Scene::new(&database, 11).await;
    for number in 0..40 {
        scene.act(number).await;
    }
    for _ in 0..30 {
        let (one, two) = (scene.context(), scene.context());
        let (one, two) = tokio::join!(step(&one), step(&two));
        one.and(two).unwrap();
    }
    scene.assert_right().await;
}

/// Events that were removed before they were counted are in the ledger, and so are those of an earlier generation.
pub async fn figures_go_on_after_a_gap_in_the_feed(database: Arc<dyn Database>) {
    let mut scene = Scene::new(&database, 5).await;
    for number in 0..20 {
        scene.act(number).await;
    }
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    for number in 20..60 {
        scene.act(number).await;
    }
    let later: Context = scene.fixture.context(on_day(DAYS + 200));
    assert!(clean_feed(&later).await.unwrap().removed > 0);
    scene.assert_right().await;
    pointbook_feed::restart_feed(&scene.context::<()>()).await.unwrap();
    for number in 60..80 {
        scene.act(number).await;
    }
    scene.assert_right().await;
}

/// Each figure that another program changed is found.
pub async fn the_audit_finds_wrong_figures(database: Arc<dyn Database>) {
    let scene = Scene::new(&database, 3).await;
    let rows = [("ann", 10), ("ben", 20)];
    for (user, points) in rows {
        scene.fixture.earn(user, activity("s-9", points)).await;
    }
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    assert_eq!(scene.differences().await, Vec::<String>::new());
    // What is not counted yet is no difference.
    scene.fixture.earn("ann", activity("s-8", 5)).await;
    assert_eq!(scene.differences().await, Vec::<String>::new());
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    scene.add_row_without_event().await;
    assert_eq!(scene.differences().await, ["user \"ben\": rows were never counted"]);
    let data = &scene.fixture.data;
    let totals: Vec<DailyTotal> =
        read_all(&**data, Query::of::<DailyTotal>("totals", &["day"])).await.unwrap();
    let wrong = DailyTotal { earned_points: 31, ..totals.into_iter().next().unwrap() };
    data.write_rows(&DAILY_TOTALS, &[row(&wrong)]).await.unwrap();
    let found = scene.differences().await;
    assert!(found.len() == 2 && found[1].contains("daily_totals") && found[1].contains("31"), "{found:?}");
    let members: Vec<MemberRow> =
        read_all(&**data, Query::of::<MemberRow>("members", &["user_id"])).await.unwrap();
    let wrong = MemberRow { spent_points: 9, ..members.into_iter().next().unwrap() };
    data.write_rows(&MEMBER_FIGURES, &[row(&wrong)]).await.unwrap();
    let found = scene.differences().await;
    assert!(found.len() == 3 && found[1].contains("\"ann\""), "{found:?}");
    rebuild(&scene.context()).await.unwrap();
    assert!(catch_up(&scene.context(), PATIENCE).await.unwrap());
    assert_eq!(scene.differences().await, Vec::<String>::new());
}

fn row<T: Write>(value: &T) -> Row {
    cells(value).into_iter().map(Into::into).collect()
}

/// Points that an imported history spends before it earns them are owed, and new ones pay them.
pub async fn an_imported_debt_is_paid_by_new_points(database: Arc<dyn Database>) {
    let scene = Scene::new(&database, 1).await;
    let spent = Activity { created_at: on_day(0), ..activity("x-1", -30) };
    let earned = Activity { created_at: on_day(40), ..activity("x-2", 50) };
    for (new, expected) in [(spent, "-30"), (earned, "20")] {
        scene.fixture.data.write(build::history([recorded("ann", new)])).await.unwrap();
        let vintages = scene.texts("vintages", &["redemption_percent"]).await;
        let open: Vec<&str> = vintages.iter().map(|row| row[4].as_str()).collect();
        assert_eq!(open, [expected], "{vintages:?}");
    }
}

/// The members with the most points come first, by what they earned in the days of the report.
pub async fn earners_come_by_points(database: Arc<dyn Database>) {
    let scene = Scene::new(&database, 1).await;
    let rows = [("ann", 10, 0), ("ben", 30, 1), ("ben", 4, 1), ("cid", 99, DAYS + 60), ("dan", 10, 2)];
    let new = |(number, (user, points, day)): (usize, (&str, i64, i64))| {
        recorded(user, Activity { created_at: on_day(day), ..activity(&format!("e-{number}"), points) })
    };
    scene.fixture.data.write(build::history(rows.into_iter().enumerate().map(new))).await.unwrap();
    let expected = [["ben", "34", "0", "1", "0"], ["ann", "10", "0", "1", "0"], ["dan", "10", "0", "1", "0"]];
    assert_eq!(scene.texts("earners", &[]).await, expected);
}

/// Members outside of the control group are active on one day more. The report finds that, and finds nothing else.
pub async fn uplift_compares_with_the_control_group(database: Arc<dyn Database>) {
    let scene = Scene::new(&database, 1).await;
    let fields = json!({"id": "half", "control_percent": 50, "conditions": {"types": ["quiz"]}});
    scene.fixture.start(&fields).await;
    tell_runs(&scene.context()).await.unwrap();
    let earning = current_rules(&scene.context::<()>()).await.unwrap();
    let users: Vec<_> = (0..1_000).map(|number| build::user_id(&format!("m{number:04}"))).collect();
    let is_control = |user: &&UserId| earning.is_control("half", user, 50);
    let controls = users.iter().filter(is_control).count();
    let day = |user: &UserId, day: i64| {
        let new = Activity { created_at: on_day(day), ..activity(&format!("d-{day}"), 6) };
        recorded(user.as_str(), new)
    };
    let all = users.iter().map(|user| day(user, 3));
    let others = users.iter().filter(|user| !is_control(user)).map(|user| day(user, 4));
    scene.fixture.data.write(build::history(all.chain(others))).await.unwrap();
    let rows = scene.texts("uplift", &["from", "until"]).await;
    let (members, controls) = ((users.len() - controls).to_string(), controls.to_string());
    let row = |measure: &str, numbers: [&str; 5], result: &str| {
        let start = ["half", measure, &members, &controls];
        start.into_iter().chain(numbers).chain([result]).map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = [
        row("active_days", ["2000", "1000", "1000", "1000", "1000"], "more"),
        row("earned_points", ["12000", "6000", "6000", "6000", "6000"], "more"),
        row("orders", ["0"; 5], "no_difference_shown"),
    ];
    assert_eq!(rows, expected);
}
