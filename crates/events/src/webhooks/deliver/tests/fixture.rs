//! A tenant with a webhook.

use std::hash::RandomState;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pointbook_domain::{Tenant, Webhook, WebhookAttempt, WebhookProgress};
use pointbook_points::members::put::ChangeUser;
use pointbook_store::ports::{Database, TenantData};
use pointbook_store::schema::{Cell, Group, Row, Write, cells};
use pointbook_store::{Clock, ServedTenant, Service, ServiceLimits};
use pointbook_testkit::build::noon;
use pointbook_testkit::{FixedClock, OneSecret, Receiver, SequentialIds, TestDatabase, build, sqlite};

use super::super::{Ahead, LeaseState, deliver};
use super::lanes::lane_of_user;
use crate::webhooks::engine::{Due, due_in};
use crate::webhooks::manage::{
    AddWebhook, ChangeWebhook, WebhookChange, WebhookStatus, list_attempts, show_webhook, webhooks_to_deliver,
};
use crate::webhooks::sender::{AddressPolicy, RootCertStore, Sender, SenderOptions, SystemResolver};
use crate::webhooks::{Deliveries, Outbox};

/// It sends over http to this machine.
pub(crate) fn outbox() -> Outbox {
    let sender = Sender::new(SenderOptions::default(), RootCertStore::empty(), Arc::new(SystemResolver));
    Outbox::new(sender.unwrap(), AddressPolicy::default().with_http_to_loopback())
}

pub(crate) struct Fixture {
    pub(crate) receiver: Receiver,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) store: TestDatabase,
    pub(crate) served: Arc<ServedTenant>,
    pub(crate) deliveries: Deliveries,
    /// What the process remembers between runs.
    pub(crate) ahead: Mutex<Ahead>,
}

impl Fixture {
    /// The tenant acme with the webhook `wh_1` for all events.
    pub(crate) async fn new(receiver: Receiver) -> Self {
        Self::with(receiver, build::webhook("wh_1")).await
    }

    /// The same with this webhook, which gets the URL of the receiver.
    pub(crate) async fn with(receiver: Receiver, webhook: Webhook) -> Self {
        Self::of(build::tenant("acme"), receiver, webhook).await
    }

    pub(crate) async fn of(tenant: Tenant, receiver: Receiver, webhook: Webhook) -> Self {
        let (store, clock) = (sqlite::database_of([tenant]).await, Arc::new(FixedClock::new(noon())));
        let deliveries = instance(&store.database, &clock, "one").await;
        let served = deliveries.service.directory().tenants()[0].clone();
        served.data.write(AddWebhook(Webhook { url: receiver.url(), ..webhook })).await.unwrap();
        Self { receiver, clock, store, served, deliveries, ahead: Mutex::default() }
    }

    /// The tenant acme without a webhook.
    pub(crate) async fn empty() -> Self {
        let fixture = Self::new(Receiver::responding(&["200 OK"]).await).await;
        let (store, clock) = (sqlite::database_of([build::tenant("acme")]).await, fixture.clock.clone());
        let deliveries = instance(&store.database, &clock, "one").await;
        let served = deliveries.service.directory().tenants()[0].clone();
        Self { store, served, deliveries, ..fixture }
    }

    /// Writes a row as a copy does.
    pub(crate) async fn put_row<T: Group + Write>(&self, value: &T) {
        let row: Row = cells(value).into_iter().map(Cell::from).collect();
        self.data().write_rows(T::TABLE, &[row]).await.unwrap();
    }

    /// Adds an event of another user for each of these lanes, of two.
    pub(crate) async fn add_users_in_lanes(&self, lanes: &[usize]) {
        let mut users = (0..).map(|number| format!("u{number}"));
        let mut next = |lane| users.find(|user| lane_of_user(user, &self.deliveries.random) == lane).unwrap();
        let users: Vec<String> = lanes.iter().map(|lane| next(*lane)).collect();
        self.add_users(users.iter().map(String::as_str)).await;
    }

    pub(crate) fn data(&self) -> &dyn TenantData {
        &*self.served.data
    }

    /// Adds an event per user. Positions count from 1.
    pub(crate) async fn add_users(&self, users: impl IntoIterator<Item = &str>) {
        add_users(&*self.served.data, users).await;
    }

    /// One run, if one is due.
    pub(crate) async fn deliver(&self) {
        let Some(seen) = self.due().await else { return };
        let mut ahead = self.ahead.lock().unwrap().clone();
        assert!(deliver(&self.deliveries, &self.served, "wh_1", seen, &mut ahead).await.unwrap());
        *self.ahead.lock().unwrap() = ahead;
    }

    /// What a process sees of the webhook. `None` when no delivery is due.
    pub(crate) async fn due(&self) -> Option<LeaseState> {
        let all = webhooks_to_deliver(self.data()).await.unwrap()?;
        let status = all.into_iter().find(|status| status.webhook.id == "wh_1")?;
        let progress = WebhookProgress::current(&status.webhook, status.progress.clone());
        (due_in(&status, self.clock.now()) == Due::In(Duration::ZERO)).then(|| LeaseState::from(&progress))
    }

    pub(crate) async fn status(&self) -> WebhookStatus {
        show_webhook(self.data(), "wh_1").await.unwrap().unwrap()
    }

    pub(crate) async fn progress(&self) -> WebhookProgress {
        self.status().await.progress.unwrap()
    }

    pub(crate) async fn attempts(&self) -> Vec<WebhookAttempt> {
        list_attempts(self.data(), "wh_1", 100, self.clock.now()).await.unwrap().unwrap()
    }

    pub(crate) async fn change(&self, change: WebhookChange) {
        change_of(&*self.served.data, change).await;
    }

    /// The positions of the sent events.
    pub(crate) fn sent(&self) -> Vec<u64> {
        self.receiver.ids().iter().map(|id| id.rsplit('_').next().unwrap().parse().unwrap()).collect()
    }
}

pub(crate) async fn add_users(data: &dyn TenantData, users: impl IntoIterator<Item = &str>) {
    for user in users {
        let command = ChangeUser { change: build::user_change(user), now: noon() };
        data.execute_by(Some(build::author()), command, None).await.unwrap();
    }
}

/// Changes the webhook at noon.
pub(crate) async fn change_of(data: &dyn TenantData, change: WebhookChange) {
    data.write(ChangeWebhook { id: "wh_1".to_owned(), change, at: noon() }).await.unwrap();
}

/// A process that delivers.
pub(crate) async fn instance(
    database: &Arc<dyn Database>,
    clock: &Arc<FixedClock>,
    owner: &str,
) -> Deliveries {
    let limits = ServiceLimits {
        principal_max_age_seconds: 0,
        principal_max_age_when_away_seconds: 0,
        refresh_interval_ms: 500,
        catalogue_bytes: 0,
    };
    let service = Service::open(database.clone(), clock.clone(), Arc::new(OneSecret), limits).await.unwrap();
    let ids = Arc::new(SequentialIds::default());
    Deliveries::new(Arc::new(service), Arc::new(outbox()), ids, owner.to_owned(), RandomState::new())
}
