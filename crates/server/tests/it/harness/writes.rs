//! Helpers for tests of writes: requests with bodies, points to spend, and direct access to the database.

use std::sync::Arc;

use http::Method;
use pointbook_domain::zones::timestamp_text::parse_day;
use pointbook_domain::{Locale, Product, Timestamp, TokenKind, Webhook, WebhookProgress};
use pointbook_events::webhooks::AddWebhook;
use pointbook_points::audit::ledger::audit_ledger;
use pointbook_points::audit::stock::audit_stock;
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::members::put::ImportUsers;
use pointbook_server::jobs::{JOBS, Run, Runner, find};
use pointbook_store::ports::{Database, NewTransaction, UserProfile};
use pointbook_store::schema::{Cell, TABLES, WEBHOOK_PROGRESS, cells};
use pointbook_store::{Actor, Clock, Context, Next, ServedTenant};
use pointbook_testkit::build::user_id;
use pointbook_testkit::{FaultyDatabase, build};
use serde_json::{Value, json};

use super::serving::roomy_limits;
use super::{Act, ForeignTransaction, TestServer, base_path, sample};
use crate::client::{Answer, Call};

impl TestServer {
    /// A server with long timeouts, and a token of the back office.
    pub(crate) async fn with_back_office() -> (Self, String) {
        let server = Self::start_with(roomy_limits(), |database| database).await;
        let token = server.issue_super_user().await;
        (server, token)
    }

    /// The same on a database that can be made to fail.
    pub(crate) async fn with_faults() -> (Self, String, Arc<FaultyDatabase>) {
        let mut faulty = None;
        let wrap = |database| {
            let database = Arc::new(FaultyDatabase::healthy(database));
            faulty = Some(database.clone());
            database as Arc<dyn Database>
        };
        let server = Self::start_with(roomy_limits(), wrap).await;
        let token = server.issue_super_user().await;
        (server, token, faulty.unwrap())
    }

    /// Runs the job that deletes old idempotency keys of production. Returns how many it deleted.
    pub(crate) async fn clean_request_keys(&self) -> u64 {
        let before = self.count_request_keys().await;
        let run = self.run_job("clean-request-keys").await;
        assert!(matches!(run, Run::Ended(Ok(Next::After(_)))), "{run:?}");
        before - self.count_request_keys().await
    }

    pub(crate) async fn count_request_keys(&self) -> u64 {
        let table = TABLES.iter().find(|table| table.name == "request_keys").unwrap();
        self.service.database.count_tenant_rows(&self.production().tenant.id, table).await.unwrap()
    }

    /// Writes the draft of a campaign.
    pub(crate) async fn put_campaign(&self, token: &str, definition: Value) {
        let path = format!("/v1/manage/campaigns/{}", definition["id"].as_str().unwrap());
        let answer = self.request(Method::PUT, &path, token).json(&definition).send().await;
        assert_eq!(answer.status, 201, "{}", answer.text());
    }

    /// Writes a campaign that gives bonuses for events since 1 February 2026.
    pub(crate) async fn start_campaign(&self, token: &str, definition: Value) {
        let path = format!("/v1/manage/campaigns/{}/state", definition["id"].as_str().unwrap());
        self.put_campaign(token, definition).await;
        let step = json!({"step": "schedule", "takes_over_at": "2026-02-01T00:00:00Z"});
        let answer = self.request(Method::POST, &path, token).json(&step).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }

    /// Adds the webhook `wh_1`, whose delivery failed at the first event.
    pub(crate) async fn add_failing_webhook(&self) {
        let (data, webhook) = (self.production().data.clone(), build::webhook("wh_1"));
        let webhook = Webhook { start_position: 0, ..webhook };
        let progress = WebhookProgress {
            failures: 1,
            failed_position: Some(1),
            ..WebhookProgress::begin(&webhook, None)
        };
        data.write(AddWebhook(webhook)).await.unwrap();
        let row = cells(&progress).into_iter().map(Cell::from).collect();
        data.write_rows(&WEBHOOK_PROGRESS, &[row]).await.unwrap();
    }

    /// The context of a command at the command line.
    pub(crate) fn command_line_of(&self, served: Arc<ServedTenant>) -> Context {
        Context::new(served, Actor::CommandLine, self.now(), self.ids.clone())
    }

    /// The time of the server's clock.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Runs a job of production now.
    pub(crate) async fn run_job(&self, name: &str) -> Run {
        self.job_runner().run_now(self.production(), find(name).unwrap()).await.unwrap()
    }

    /// A runner for the jobs of an instance on the database of this server.
    pub(crate) fn job_runner(&self) -> Runner {
        Runner {
            service: self.service.clone(),
            ids: self.ids.clone(),
            owner: "the test".to_owned(),
            lease_seconds: 300,
            jobs: &JOBS,
        }
    }

    /// Blocks all writes until it is dropped, as another process may do.
    pub(crate) async fn lock(&self) -> ForeignTransaction {
        self.storage.lock().await
    }

    /// A request of production with this token.
    pub(crate) fn request(&self, method: Method, path: &str, token: &str) -> Call {
        Call::new(self.address, method, format!("{}{path}", base_path())).bearer(token)
    }

    /// A POST of production with this token, and no body.
    pub(crate) fn post(&self, path: &str, token: &str) -> Call {
        self.request(Method::POST, path, token)
    }

    /// An order of `u1`.
    pub(crate) async fn order(&self, body: &Value) -> Answer {
        self.post("/v1/store/orders", &self.token).json(body).send().await
    }

    /// The id of a new, valid order of `u1` for this many pieces.
    pub(crate) async fn ordered(&self, product_id: &str, quantity: u32) -> String {
        let body = serde_json::json!({"product_id": product_id, "quantity": quantity});
        let answer = self.order(&body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()["data"]["id"].as_str().unwrap().to_owned()
    }

    /// Gives `u1` points.
    pub(crate) async fn award(&self, points: i64) {
        self.record(&[Act::new("code", points, "2026-02-01T10:00:00Z")]).await;
    }

    /// A token of a user in production, who gets these points.
    pub(crate) async fn issue_with_points(&self, user: &str, points: i64) -> String {
        let transaction = Act::new("code", points, "2026-02-01T10:00:00Z").transaction(&self.ids);
        let new = NewTransaction { user_id: user_id(user), transaction };
        self.production().data.write(RecordHistory::new(vec![new], self.clock.now())).await.unwrap();
        self.issue(user).await
    }

    /// The balance of `u1`.
    pub(crate) async fn balance(&self) -> i64 {
        self.get("/v1/user").await.json()["data"]["user_points"].as_i64().unwrap()
    }

    /// Adds a product to production with this change, and refreshes the server.
    pub(crate) async fn add_changed_product(&self, id: &str, change: impl FnOnce(&mut Product)) {
        let mut product = sample::product(id);
        change(&mut product);
        self.store(&[product]).await;
    }

    /// Adds a user to production.
    pub(crate) async fn know_user(&self, user: &str, birth_date: &str, locale: Locale) {
        let (birth_date, locale) = (parse_day(birth_date), Some(locale));
        let profile = UserProfile { id: user_id(user), birth_date, locale };
        self.production()
            .data
            .write(ImportUsers { profiles: vec![profile], now: self.clock.now() })
            .await
            .unwrap();
    }

    pub(crate) async fn issue_super_user_in_staging(&self) -> String {
        self.issue_kind("shop/staging", TokenKind::SuperUser, None).await
    }

    /// Whether the database contains these bytes anywhere.
    pub(crate) async fn holds(&self, bytes: &[u8]) -> bool {
        self.storage.holds(bytes).await
    }

    /// Every row of every table as text, without idempotency keys and jobs: everything that requests can change.
    pub(crate) async fn stored(&self) -> Vec<String> {
        self.storage.rows().await
    }

    /// Recomputes balances, days and stock of production from the ledger and the orders.
    pub(crate) async fn assert_audit_is_clean(&self) {
        let data = self.production().data.clone();
        let mut differences = Vec::new();
        let ledger = audit_ledger(&*data, |user| differences.extend(user.differences.clone())).await.unwrap();
        assert_eq!(ledger.differences, 0, "{differences:?}");
        let stock = audit_stock(&*data, |_| {}).await.unwrap();
        assert_eq!(stock.differences, 0);
    }
}
