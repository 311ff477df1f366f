//! A tenant whose points end, for the facts and for the model of lots.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::join_all;
use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::expiry::Lots;
use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::{Activity, Product, Timestamp, Transaction, TransactionId, User};
use pointbook_points::audit::ledger::audit_ledger;
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_points::earning::reverse_transaction::{ReversalOutcome, ReverseTransaction};
use pointbook_points::ledger::Terms;
use pointbook_points::members::read::EndPoints;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_points::orders::step::StepOrder;
use pointbook_store::ports::{
    ActivityToRecord, LedgerEntry, NewOrder, OrderStepOutcome, PlaceOrderOutcome, RecordActivityOutcome,
    RecordOutcome, TenantData,
};

use crate::build;
use crate::build::{activity, price, product, recorded};

/// Points end after a day, at the midnight of Berlin.
pub(crate) const ONE_DAY: [(&str, &str); 2] =
    [("points_expire", "after:1-days:day"), ("time_zone", "Europe/Berlin")];

/// A time in UTC, with microseconds.
pub(crate) fn time(text: &str) -> Timestamp {
    pointbook_domain::zones::timestamp_text::parse_timestamp(text).unwrap()
}

/// The terms of these settings.
pub fn terms(settings: &[(&str, &str)]) -> Terms {
    let mut tenant = build::tenant("terms");
    for (key, value) in settings {
        tenant.settings.set(key, value).unwrap();
    }
    let zone = Zone::find(&tenant.settings.time_zone).unwrap();
    Terms::of_tenant(&tenant, zone)
}

/// The user `u1` of a tenant.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) data: Arc<dyn TenantData>,
    pub(crate) terms: Terms,
    pub(crate) ids: Arc<AtomicU32>,
}

pub(crate) const USER: &str = "u1";

impl Scene {
    pub(crate) fn new(data: Arc<dyn TenantData>, settings: &[(&str, &str)]) -> Self {
        Self { data, terms: terms(settings), ids: Arc::default() }
    }

    /// Changes the settings.
    pub(crate) fn set(&mut self, settings: &[(&str, &str)]) {
        self.terms = terms(settings);
    }

    pub(crate) fn id(&self) -> TransactionId {
        let number = self.ids.fetch_add(1, Ordering::Relaxed);
        TransactionId::new(format!("{number:06}")).unwrap()
    }

    pub(crate) async fn give(&self, given: Activity, now: Timestamp) -> RecordActivityOutcome {
        let mut new = recorded(USER, given);
        new.transaction.id = self.id();
        let record =
            RecordActivity::new(ActivityToRecord { new, has_own_time: true }, now, self.terms.clone());
        self.data.write(record).await.unwrap()
    }

    /// Records an activity of this moment. It must not be refused.
    pub(crate) async fn earn(&self, source: &str, points: i64, now: Timestamp) {
        let outcome = self.give(Activity { created_at: now, ..activity(source, points) }, now).await;
        assert!(matches!(outcome, RecordActivityOutcome::Recorded(_)), "{outcome:?}");
    }

    /// Imports activities.
    pub(crate) async fn import(
        &self,
        given: impl IntoIterator<Item = Activity>,
        now: Timestamp,
    ) -> Vec<RecordOutcome> {
        let new = |given| {
            let mut new = recorded(USER, given);
            new.transaction.id = self.id();
            new
        };
        let history = RecordHistory::new(given.into_iter().map(new).collect(), now);
        self.data.write(history.ending(self.terms.clone())).await.unwrap()
    }

    /// Offers gifts for these points, each with its price as its id.
    pub(crate) async fn offer(&self, prices: &[i64]) {
        let gift = |points: &i64| {
            build::upsert(Product {
                regular_price: price(*points),
                published_at: time("2020-01-01T00:00:00Z"),
                ..product(&points.to_string())
            })
        };
        self.data.write(UpsertProducts(prices.iter().map(gift).collect())).await.unwrap();
    }

    pub(crate) async fn order(&self, id: &str, points: i64, now: Timestamp) -> PlaceOrderOutcome {
        let new = build::order(id, USER, &points.to_string());
        let order = NewOrder { at: now, transaction_id: self.id(), ..new };
        self.data.write(PlaceOrder::new(order, self.terms.clone())).await.unwrap()
    }

    pub(crate) async fn cancel(&self, id: &str, now: Timestamp) -> OrderStepOutcome {
        let step = build::cancel(id);
        let step = StepOrder::new(build::order_id(id), step, now, self.terms.clone());
        self.data.write(step).await.unwrap()
    }

    /// Reverses the row with this source id.
    pub(crate) async fn reverse(&self, name: &str, is_partial: bool, now: Timestamp) -> ReversalOutcome {
        self.reverse_as(name, now, |reversal| ReverseTransaction { is_partial, ..reversal }).await
    }

    /// Reverses the row with this source id, all of it unless `change` says otherwise.
    pub(crate) async fn reverse_as(
        &self,
        name: &str,
        now: Timestamp,
        change: impl FnOnce(ReverseTransaction) -> ReverseTransaction,
    ) -> ReversalOutcome {
        let of_source = |row: &LedgerEntry| row.transaction.activity.source_id.as_str() == name;
        let row = self.rows().await.into_iter().find(of_source).unwrap();
        let LedgerEntry { user_id, transaction, moves, .. } = row;
        let whole = build::reversal(user_id, Some(transaction.into()), reversal_id(name), now);
        let whole = ReverseTransaction { moved: moves, terms: self.terms.clone(), ..whole };
        self.data.write(change(whole)).await.unwrap()
    }

    /// Ends what is over.
    pub(crate) async fn end(&self, now: Timestamp) -> u32 {
        let users = vec![build::user_id(USER)];
        self.data.write(EndPoints { users, terms: self.terms.clone(), at: now }).await.unwrap()
    }

    pub(crate) async fn user(&self) -> User {
        self.data.user(&build::user_id(USER)).await.unwrap().unwrap()
    }

    pub(crate) async fn lots(&self) -> String {
        self.user().await.lots.as_ref().map_or("none".to_owned(), Lots::to_string)
    }

    /// All rows, the first one first.
    pub(crate) async fn rows(&self) -> Vec<LedgerEntry> {
        let page = self.data.entries_of(&build::user_id(USER), build::page(1, 1_000)).await.unwrap();
        page.items.into_iter().rev().collect()
    }

    /// The rows in which points ended: source id, points and time.
    pub(crate) async fn ended(&self) -> Vec<(String, i64, String)> {
        let is_end = |row: &Transaction| {
            row.activity.source_id.as_str().starts_with("expiry:") && row.activity.title == "Points expired"
        };
        let rows = self.rows().await.into_iter().map(|row| row.transaction).filter(is_end);
        let row = |row: Transaction| {
            let Activity { source_id, points, created_at, .. } = row.activity;
            (source_id.to_string(), points.get(), created_at.to_string())
        };
        rows.map(row).collect()
    }

    /// Fails when the audit finds a difference.
    pub(crate) async fn audit(&self) {
        let mut differences = Vec::new();
        audit_ledger(&*self.data, |user| differences.extend(user.differences.clone())).await.unwrap();
        assert_eq!(differences, []);
    }
}

/// Whether an order was placed.
pub(crate) fn is_placed(outcome: &PlaceOrderOutcome) -> bool {
    matches!(outcome, PlaceOrderOutcome::Placed(_))
}

/// The id of the reversal of the row with this source id.
pub(crate) fn reversal_id(source: &str) -> TransactionId {
    TransactionId::new(format!("{source}/reversal")).unwrap()
}

/// Orders and ends at the midnight at which the points end. The handles may belong to two instances.
pub async fn keep_points_to_their_end(handles: [Arc<dyn TenantData>; 2]) {
    let [data, other] = handles;
    let scene = Scene::new(data, &ONE_DAY);
    scene.offer(&[60]).await;
    let user = scene.data.user(&build::user_id(USER)).await.unwrap();
    if let Some(user) = user {
        scene.import([activity("before", -user.balance.get())], build::noon()).await;
    }
    let (before, midnight) = (time("2024-03-01T22:59:59.999999Z"), time("2024-03-01T23:00:00Z"));
    for round in 0..10 {
        scene.earn(&format!("s{round}"), 100, time("2024-02-29T12:00:00Z")).await;
        let instances = [scene.clone(), Scene { data: other.clone(), ..scene.clone() }];
        let orders = (0..6).map(|number: usize| {
            let (scene, id) = (instances[number % 2].clone(), format!("o{round}-{number}"));
            let at = if number < 3 { before } else { midnight };
            tokio::spawn(async move { is_placed(&scene.order(&id, 60, at).await) })
        });
        let ends = (0..4).map(|number: usize| {
            let scene = instances[number % 2].clone();
            tokio::spawn(async move { scene.end(midnight).await == 99 })
        });
        let placed: Vec<bool> =
            join_all(orders.chain(ends).collect::<Vec<_>>()).await.into_iter().map(Result::unwrap).collect();
        assert!(placed.iter().filter(|placed| **placed).count() <= 1, "{placed:?}");
        assert!(!placed[3..6].contains(&true), "{placed:?}");
        assert_eq!(scene.user().await.balance.get(), 0);
        assert_eq!(scene.lots().await, "");
    }
    scene.audit().await;
}
