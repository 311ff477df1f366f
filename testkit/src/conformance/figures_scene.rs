//! A tenant for the facts of figures.

use std::sync::Arc;
use std::time::Duration;

use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::{Activity, Day, Order, Product, Timestamp};
use pointbook_points::earning::reverse_transaction::reverse_transaction;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_points::orders::step::StepOrder;
use pointbook_reports::audit_figures;
use pointbook_reports::reports::{ReportTable, find_report, run_report};
use pointbook_store::Context;
use pointbook_store::ports::{Cell, Database, LedgerEntry, Query, Row, read_all};
use pointbook_store::schema::{
    CAMPAIGN_DAYS, COHORTS, DAILY_MEMBERS, DAILY_TOTALS, MEMBER_FIGURES, PRODUCT_DAYS, TRANSACTIONS, Table,
    VINTAGES,
};
use serde_json::json;

use super::campaign_helpers::CampaignFixture;
use super::campaign_races::wanted;
use super::figures_model::Model;
use crate::build;
use crate::build::{activity, on_day, price, product};

const FIGURES: [&Table; 7] =
    [&MEMBER_FIGURES, &DAILY_TOTALS, &DAILY_MEMBERS, &COHORTS, &VINTAGES, &CAMPAIGN_DAYS, &PRODUCT_DAYS];

/// How long counting may take.
pub(super) const PATIENCE: Duration = Duration::from_mins(1);

/// How many days the scenes have.
pub(super) const DAYS: i64 = 150;

/// A tenant whose members earn, order and cancel, whose points end, and whose back office reverses: the same for the same seed.
pub(super) struct Scene {
    pub(super) fixture: CampaignFixture,
    random: u64,
    orders: Vec<String>,
}

impl Scene {
    pub(super) async fn new(database: &Arc<dyn Database>, seed: u64) -> Self {
        let fixture = CampaignFixture::new(database).await;
        for (id, amount) in [("cup", 3), ("mug", 7), ("pin", 0)] {
            let product = Product { stock: None, regular_price: price(amount), ..product(id) };
            fixture.data.write(UpsertProducts(vec![build::upsert(product)])).await.unwrap();
        }
        fixture.start(&json!({"conditions": {"source_prefixes": ["s-1"]}, "reward": {"points": 5}})).await;
        Self { fixture, random: seed, orders: Vec::new() }
    }

    pub(super) fn context<T>(&self) -> Context<T> {
        self.fixture.context(on_day(DAYS))
    }

    /// A number below this one.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
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
    pub(super) async fn act(&mut self, number: usize) {
        let (user, at) = (self.user(), self.day());
        match self.below(11) {
            0..=5 => {
                let earned = self.below(20).cast_signed();
                let source = format!("s-{}-{number}", self.below(3));
                let activity = Activity { created_at: at, ..activity(&source, earned) };
                self.fixture.record(&user, activity, on_day(DAYS)).await;
            }
            6 | 7 => self.order(number, &user, at).await,
            8 => self.cancel(at).await,
            9 => {
                let ended = -1 - self.below(9).cast_signed();
                let end = Activity { created_at: at, ..activity(&format!("expiry:{number}"), ended) };
                self.fixture.record(&user, end, on_day(DAYS)).await;
            }
            _ => self.reverse(number).await,
        }
    }

    async fn order(&mut self, number: usize, user: &str, at: Timestamp) {
        let product = ["cup", "mug", "pin"][usize::try_from(self.below(3)).unwrap()];
        let id = format!("o{number}");
        let order = build::order(&id, user, product);
        let order = pointbook_store::ports::NewOrder { at, ..order };
        // Members without points are refused.
        self.fixture.data.execute(PlaceOrder::without_end(order), None).await.unwrap();
        self.orders.push(id);
    }

    async fn cancel(&mut self, at: Timestamp) {
        let Some(id) = self.orders.pop() else { return };
        let (id, step) = (build::order_id(&id), build::cancel(&id));
        self.fixture.data.execute(StepOrder::without_end(id, step, at), None).await.unwrap();
    }

    /// Takes back any row, as far as the rules allow.
    async fn reverse(&mut self, number: usize) {
        let rows = self.rows().await;
        if rows.is_empty() {
            return;
        }
        let row = &rows[usize::try_from(self.below(rows.len() as u64)).unwrap()];
        let transaction = (row.user_id.clone(), row.transaction.id.clone());
        let reversal = wanted(transaction, &format!("mistake {number}"));
        drop(reverse_transaction(&self.context(), reversal).await.unwrap());
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
    pub(super) async fn texts(&self, name: &str, left_out: &[&str]) -> Vec<Vec<String>> {
        let table = self.report(name).await;
        let is_kept = |column: &&str| !left_out.contains(column);
        let columns = table.report.columns;
        let row = |values: &Vec<pointbook_reports::reports::Value>| {
            let named = columns.iter().map(|column| column.name).zip(values);
            named.filter(|(name, _)| is_kept(name)).map(|(_, value)| value.to_string()).collect()
        };
        table.rows.iter().map(row).collect()
    }

    /// Adds a row after the last one, as another program might.
    pub(super) async fn add_row_without_event(&self) {
        let data = &self.fixture.data;
        let mut row = data.rows_after(&TRANSACTIONS, None, 100).await.unwrap().pop().unwrap();
        for (cell, column) in row.iter_mut().zip(TRANSACTIONS.columns) {
            match (column.name, &cell) {
                ("id", _) => *cell = Cell::Bytes([7; 16].into()),
                ("source_id", _) => *cell = Cell::Text("foreign".into()),
                ("seq", Cell::Integer(seq)) => *cell = Cell::Integer(seq + 1),
                _ => {}
            }
        }
        data.write_rows(&TRANSACTIONS, &[row]).await.unwrap();
    }

    pub(super) async fn figures(&self) -> Vec<Vec<Row>> {
        let mut all = Vec::new();
        for table in FIGURES {
            all.push(self.fixture.data.rows_after(table, None, 100_000).await.unwrap());
        }
        all
    }

    pub(super) async fn differences(&self) -> Vec<String> {
        audit_figures(&*self.fixture.data).await.unwrap()
    }

    /// Compares every report with the model.
    pub(super) async fn assert_right(&self) {
        let (rows, orders) = (self.rows().await, self.orders().await);
        let model = Model::new(&rows, &orders);
        let days: Vec<Day> = (-5..=DAYS + 40).map(|day| on_day(day).day()).collect();
        assert_eq!(self.texts("points", &["redemption_percent"]).await, model.points(&days));
        assert_eq!(self.texts("members", &[]).await, model.members(&days));
        let mut cohorts = self.texts("cohorts", &["active_percent"]).await;
        cohorts.retain(|row| row[2] != "0");
        assert_eq!(cohorts, model.cohorts());
        assert_eq!(self.texts("reversals", &[]).await, model.reversals(&days));
        assert_eq!(
            self.texts("vintages", &["redemption_percent", "expired_percent"]).await,
            model.vintages()
        );
        assert_eq!(self.texts("products", &["title"]).await, model.products());
        let balances: i64 = rows.iter().map(|row| row.transaction.activity.net_points().unwrap().get()).sum();
        let open =
            self.texts("vintages", &[]).await.iter().map(|row| row[5].parse::<i64>().unwrap()).sum::<i64>();
        assert_eq!(open, balances);
        let ends = self.texts("expiry", &["members"]).await;
        assert_eq!(ends.iter().map(|row| row[1].parse::<i64>().unwrap()).sum::<i64>(), balances);
        assert_eq!(self.differences().await, Vec::<String>::new());
    }
}
