//! The virtual clock of a staging tenant, and what follows it.

use std::sync::Arc;

use http::Method;
use pointbook_access::tokens::issue::list_tokens;
use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::{Product, TokenKind};
use pointbook_server::jobs::{Run, find};
use pointbook_store::ServedTenant;
use pointbook_store::ports::tokens::token_hash;
use pointbook_store::ports::{JobId, TokenFilter};
use pointbook_store::tenants::manage::change_tenant;
use pointbook_testkit::build;
use pointbook_testkit::build::{upsert, user_id};
use serde_json::{Value, json};

use crate::client::{Answer, Call};
use crate::harness::{STAGING_PATH, TestServer, base_path};

const CLOCK: &str = "/v1/manage/clock";
const HEADER: &str = "x-pointbook-clock";

/// The real time of all tests; it stands still.
const REAL: &str = "2026-03-01T12:00:00.000000Z";
/// A time some months later.
const SUMMER: &str = "2026-07-01T00:00:00.000000Z";

/// A server whose staging tenant has a key of the back office and a customer `u1`.
struct Staging {
    server: TestServer,
    office: String,
    customer: String,
}

impl Staging {
    async fn start() -> Self {
        let (server, _) = TestServer::with_back_office().await;
        let office = server.issue_super_user_in_staging().await;
        let customer = server.issue_in_staging("u1").await;
        Self { server, office, customer }
    }

    /// The same with the clock at [`SUMMER`].
    async fn in_summer() -> Self {
        let staging = Self::start().await;
        let set = staging.set(SUMMER).await;
        assert_eq!(set.status, 200, "{}", set.text());
        staging
    }

    fn call(&self, method: Method, path: &str, token: &str) -> Call {
        call(&self.server, method, path, token)
    }

    async fn get(&self, path: &str, token: &str) -> Answer {
        self.call(Method::GET, path, token).send().await
    }

    async fn set(&self, now: &str) -> Answer {
        self.call(Method::PUT, CLOCK, &self.office).json(&json!({"now": now})).send().await
    }

    async fn record(&self, source: &str, points: i64) -> Answer {
        let body = json!({"type": "code", "source_id": source, "points": points, "title": "Scan"});
        self.call(Method::POST, "/v1/manage/users/u1/activities", &self.office).json(&body).send().await
    }

    fn tenant(&self) -> Arc<ServedTenant> {
        tenant(&self.server)
    }

    async fn add(&self, change: impl FnOnce(&mut Product)) {
        let mut product = Product { published_at: self.server.now(), ..build::product("mug") };
        change(&mut product);
        self.tenant().data.write(UpsertProducts(vec![upsert(product)])).await.unwrap();
    }
}

fn call(server: &TestServer, method: Method, path: &str, token: &str) -> Call {
    Call::new(server.address(), method, format!("{STAGING_PATH}{path}")).bearer(token)
}

fn tenant(server: &TestServer) -> Arc<ServedTenant> {
    let directory = server.service().directory();
    directory.tenants().iter().find(|served| served.name().to_string() == "shop/staging").unwrap().clone()
}

fn clock(now: &str, is_virtual: bool) -> Value {
    json!({"success": true, "data": {"now": now, "is_virtual": is_virtual}})
}

#[tokio::test]
async fn a_clock_is_set_and_runs_on() {
    let staging = Staging::start().await;
    let before = staging.get(CLOCK, &staging.office).await;
    assert_eq!((before.json(), before.header(HEADER)), (clock(REAL, false), None));
    let set = staging.set("2026-07-01T02:00:00+02:00").await;
    assert_eq!((set.status.as_u16(), set.json()), (200, clock(SUMMER, true)));
    staging.server.advance_seconds(60);
    let later = "2026-07-01T00:01:00.000000Z";
    let shown = staging.get(CLOCK, &staging.office).await;
    assert_eq!((shown.json(), shown.header(HEADER)), (clock(later, true), Some(later)));
}

#[tokio::test]
async fn every_response_of_the_tenant_shows_its_time() {
    let staging = Staging::in_summer().await;
    let list = staging.get("/v1/store/categories", &staging.customer).await;
    let known = staging.call(Method::GET, "/v1/store/categories", &staging.customer);
    let known = known.header("if-none-match", list.header("etag").unwrap()).send().await;
    let preflight = staging.call(Method::OPTIONS, "/v1/user", "").header("origin", "https://app.example");
    let bad = staging.call(Method::POST, "/v1/store/orders", &staging.customer);
    let long = format!("/v1/user?{}", "a".repeat(20_000));
    let answers = [
        (200, list),
        (304, known),
        (204, preflight.header("access-control-request-method", "GET").send().await),
        (400, bad.clone().header("content-type", "application/json").body("{").send().await),
        (401, staging.get("/v1/user", "wrong").await),
        (403, staging.get(CLOCK, &staging.customer).await),
        (404, staging.get("/v1/nothing", &staging.customer).await),
        (405, staging.call(Method::DELETE, "/v1/user", &staging.customer).send().await),
        (414, staging.get(&long, &staging.customer).await),
        (422, bad.json(&json!({})).send().await),
    ];
    for (status, answer) in answers {
        assert_eq!((answer.status.as_u16(), answer.header(HEADER)), (status, Some(SUMMER)));
    }
}

#[tokio::test]
async fn scripts_of_other_origins_may_read_the_time() {
    let staging = Staging::in_summer().await;
    let call =
        staging.call(Method::GET, "/v1/user", &staging.customer).header("origin", "https://app.example");
    let answer = call.send().await;
    let exposed = answer.headers.get_all("access-control-expose-headers").iter();
    let exposed: Vec<_> = exposed.map(|value| value.to_str().unwrap()).collect();
    assert!(
        exposed.join(", ").contains("X-Request-Id") && exposed.contains(&"X-Pointbook-Clock"),
        "{exposed:?}"
    );
}

#[tokio::test]
async fn a_production_tenant_has_no_virtual_clock() {
    let staging = Staging::in_summer().await;
    let server = &staging.server;
    let office = server.issue_super_user().await;
    let set = server.request(Method::PUT, CLOCK, &office).json(&json!({"now": SUMMER})).send().await;
    let expected =
        r#"{"message":"Only a staging tenant can have a virtual clock.","code":"not_a_staging_tenant"}"#;
    assert_eq!((set.status.as_u16(), set.text(), set.header(HEADER)), (409, expected, None));
    let shown = server.request(Method::GET, CLOCK, &office).send().await;
    assert_eq!((shown.json(), shown.header(HEADER)), (clock(REAL, false), None));
    for path in ["/v1/store/products", "/v1/store/categories", "/v1/user/point-history", "/v1/nothing"] {
        assert_eq!(server.get(path).await.header(HEADER), None, "{path}");
    }
    assert_eq!(server.call_at(&format!("{}x", base_path())).send().await.header(HEADER), None);
}

#[tokio::test]
async fn a_clock_never_goes_back() {
    let staging = Staging::in_summer().await;
    for earlier in [REAL, "2026-06-30T23:59:59Z"] {
        let refused = staging.set(earlier).await;
        assert_eq!(refused.status, 422);
        let message = format!("The now must not be before the time of the tenant, {SUMMER}.");
        assert_eq!(refused.json()["errors"], json!({"now": [message]}));
        assert_eq!(refused.json()["codes"], json!({"now": ["before_now"]}));
    }
    let far = staging.set("2126-03-03T00:00:00Z").await;
    assert_eq!(far.json()["codes"], json!({"now": ["out_of_range"]}));
    let unread = staging.set("tomorrow").await;
    assert_eq!(unread.json()["codes"], json!({"now": ["not_a_date"]}));
    assert_eq!(staging.get(CLOCK, &staging.office).await.json(), clock(SUMMER, true));
    assert_eq!(staging.set(SUMMER).await.status, 200, "it is that time already");
}

#[tokio::test]
async fn an_activity_and_an_order_have_the_virtual_time() {
    let staging = Staging::in_summer().await;
    staging.add(|product| product.stock = Some(3)).await;
    let recorded = staging.record("c-1", 1_000).await;
    assert_eq!((recorded.status.as_u16(), &recorded.json()["data"]["created_at"]), (201, &json!(SUMMER)));
    staging.server.advance_seconds(60);
    let order = staging.call(Method::POST, "/v1/store/orders", &staging.customer);
    let order = order.json(&json!({"product_id": "mug"})).send().await;
    let later = "2026-07-01T00:01:00.000000Z";
    assert_eq!(
        (order.status.as_u16(), &order.json()["data"]["created_at"]),
        (201, &json!(later)),
        "{}",
        order.text()
    );
    let history = staging.get("/v1/user/point-history", &staging.customer).await;
    assert!(history.text().contains(later) && !history.text().contains("2026-03"), "{}", history.text());
    let ahead = json!({"type": "code", "source_id": "c-2", "points": 1, "title": "Scan", "created_at": "2026-07-01T00:05:00Z"});
    let ahead = staging.call(Method::POST, "/v1/manage/users/u1/activities", &staging.office).json(&ahead);
    assert_eq!(ahead.send().await.status, 201, "five minutes of tolerance count from the virtual time");
}

#[tokio::test]
async fn a_token_expires_by_the_virtual_clock() {
    let staging = Staging::start().await;
    let brief =
        staging.server.issue_kind("shop/staging", TokenKind::Customer(user_id("u1")), Some(3_600)).await;
    assert_eq!(staging.get("/v1/user", &brief).await.status, 200, "the process remembers the token now");
    assert_eq!(staging.set("2026-03-01T12:59:59Z").await.status, 200);
    assert_eq!(staging.get("/v1/user", &brief).await.status, 200);
    assert_eq!(staging.set("2026-03-01T13:00:00Z").await.status, 200);
    assert_eq!(staging.get("/v1/user", &brief).await.status, 401);
    assert_eq!(staging.get("/v1/user", &staging.customer).await.status, 200);
    let issued = staging.call(Method::POST, "/v1/auth/token", &staging.office);
    let issued = issued.json(&json!({"user_id": "u1", "expires_in": 60})).send().await.json();
    assert_eq!(issued["data"]["expires_at"], "2026-03-01T13:01:00.000000Z");
}

#[tokio::test]
async fn a_product_is_published_at_once_by_the_virtual_clock() {
    let staging = Staging::start().await;
    staging.add(|product| product.published_at = product.published_at.plus_seconds(86_400)).await;
    let ids = async || staging.get("/v1/store/products", &staging.customer).await.ids();
    assert_eq!(ids().await, [""; 0]);
    assert_eq!(staging.set("2026-03-02T11:59:59Z").await.status, 200);
    assert_eq!(ids().await, [""; 0]);
    assert_eq!(staging.set("2026-03-02T12:00:00Z").await.status, 200);
    assert_eq!(ids().await, ["mug"]);
}

#[tokio::test]
async fn jobs_are_due_when_the_clock_is_set_and_idempotency_keys_follow_the_real_clock() {
    let staging = Staging::start().await;
    let runner = staging.server.job_runner();
    let job = find("clean-request-keys").unwrap();
    let order = async || {
        let call = staging.call(Method::POST, "/v1/store/orders", &staging.customer);
        call.json(&json!({"product_id": "nothing"})).key("k").send().await
    };
    assert_eq!(order().await.status, 422);
    runner.run_now(staging.tenant(), job).await.unwrap();
    assert_eq!(order().await.header("idempotency-replayed"), Some("true"));
    let id = JobId::recurring(&staging.tenant().tenant.id, job.name());
    let run = async || runner.run(staging.tenant(), job, &id, staging.server.now()).await.unwrap();
    assert!(matches!(run().await, Run::NotLeased), "it ran just now");
    assert_eq!(staging.set(SUMMER).await.status, 200);
    assert!(matches!(run().await, Run::Ended(Ok(_))), "the clock has moved on");
    assert_eq!(order().await.header("idempotency-replayed"), Some("true"), "the real time is the same");
    staging.server.advance_seconds(8 * 86_400);
    runner.run_now(staging.tenant(), job).await.unwrap();
    assert_eq!(order().await.header("idempotency-replayed"), None, "the key was old");
}

/// Otherwise a key that may set the clock could remove what others look for.
#[tokio::test]
async fn what_is_kept_for_days_is_kept_by_the_real_clock() {
    let staging = Staging::start().await;
    let brief = staging.server.issue_in_staging("u2").await;
    let revoke = staging.call(Method::DELETE, "/v1/manage/users/u2/tokens", &staging.office);
    assert_eq!(revoke.send().await.json()["data"]["revoked"], 1);
    assert_eq!(staging.record("c-1", 5).await.status, 201);
    let kept = async || {
        let [entries, events] =
            ["/v1/manage/audit-log", "/v1/manage/events"].map(|path| staging.get(path, &staging.office));
        let [entries, events] = [entries.await.json(), events.await.json()];
        let rows = |page: &Value| page["data"].as_array().unwrap().clone();
        let tokens = list_tokens(&*staging.tenant().data, &TokenFilter::All).await.unwrap();
        let id = token_hash(brief.as_bytes()).id();
        (rows(&entries), rows(&events), tokens.iter().any(|token| token.hash.id() == id))
    };
    let (entries, events, has_token) = kept().await;
    assert!(!entries.is_empty() && !events.is_empty() && has_token);
    assert_eq!(staging.set("2030-01-01T00:00:00Z").await.status, 200);
    for job in ["clean-audit-log", "clean-events", "clean-tokens"] {
        staging.server.job_runner().run_now(staging.tenant(), find(job).unwrap()).await.unwrap();
    }
    let (mut later, same_events, has_token) = kept().await;
    assert_eq!(later.pop().unwrap()["operation"], "clock.set");
    assert_eq!((later, same_events, has_token), (entries, events, true));
}

#[tokio::test]
async fn rate_limits_follow_the_real_clock() {
    let staging = Staging::start().await;
    let mut changed = staging.tenant().tenant.clone();
    changed.settings.set("rate_limit_reads_per_minute", "1").unwrap();
    let by = (pointbook_store::audit_log::Actor::CommandLine, pointbook_store::audit_log::Origin::default());
    change_tenant(staging.server.service(), &changed, by).await.unwrap();
    assert_eq!(staging.get("/v1/user", &staging.customer).await.status, 200);
    assert_eq!(staging.set(SUMMER).await.status, 200);
    let limited = staging.get("/v1/user", &staging.customer).await;
    assert_eq!((limited.status.as_u16(), limited.header(HEADER)), (429, Some(SUMMER)));
    let end_of_minute = staging.server.now().as_micros() / 1_000_000 + 60;
    assert_eq!(limited.header("x-ratelimit-reset"), Some(&*end_of_minute.to_string()));
    staging.server.advance_seconds(60);
    assert_eq!(staging.get("/v1/user", &staging.customer).await.status, 200);
}

#[tokio::test]
async fn another_instance_follows_when_it_reads_the_tenants_again() {
    let staging = Staging::start().await;
    let other = staging.server.second_instance().await;
    let shown = async || call(&other, Method::GET, CLOCK, &staging.office).send().await.json();
    assert_eq!(shown().await, clock(REAL, false));
    assert_eq!(staging.set(SUMMER).await.status, 200);
    other.service().refresh().await.unwrap();
    assert_eq!(shown().await, clock(SUMMER, true));
    let back = call(&other, Method::PUT, CLOCK, &staging.office).json(&json!({"now": REAL}));
    assert_eq!(back.send().await.status, 422);
}

#[tokio::test]
async fn a_set_clock_is_in_the_audit_log() {
    let staging = Staging::in_summer().await;
    let log = staging.get("/v1/manage/audit-log?object=tenant", &staging.office).await.json();
    let entry = log["data"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&entry["operation"], &entry["before"]),
        (&json!("clock.set"), &json!({"clock_ahead_seconds": 0}))
    );
    assert_eq!(entry["after"], json!({"clock_ahead_seconds": 10_497_600}));
}
