//! Points that end, as apps and back offices see them.

use http::Method;
use pointbook_server::jobs::Run;
use pointbook_store::Next;
use pointbook_store::tenants::manage::change_tenant;
use serde_json::{Value, json};

use crate::client::{Answer, Call};
use crate::harness::{STAGING_PATH, TestServer};

/// The staging tenant, whose clock is set, with the customer `u1`.
struct Staging {
    server: TestServer,
    office: String,
    customer: String,
}

impl Staging {
    async fn with(settings: &[(&str, &str)]) -> Self {
        let (server, _) = TestServer::with_back_office().await;
        let office = server.issue_super_user_in_staging().await;
        let customer = server.issue_in_staging("u1").await;
        let staging = Self { server, office, customer };
        staging.change(settings).await;
        staging
    }

    async fn change(&self, settings: &[(&str, &str)]) {
        let mut tenant = self.server.find("shop/staging").tenant.clone();
        for (key, value) in settings {
            tenant.settings.set(key, value).unwrap();
        }
        let by =
            (pointbook_store::audit_log::Actor::CommandLine, pointbook_store::audit_log::Origin::default());
        change_tenant(self.server.service(), &tenant, by).await.unwrap();
        self.server.sync_with_database().await;
    }

    async fn send(&self, method: Method, path: &str, token: &str, body: Option<Value>) -> Answer {
        let call = Call::new(self.server.address(), method, format!("{STAGING_PATH}{path}")).bearer(token);
        let answer = match body {
            Some(body) => call.json(&body).send().await,
            None => call.send().await,
        };
        assert!(answer.status.is_success(), "{path}: {}", answer.text());
        answer
    }

    async fn get(&self, path: &str) -> Value {
        let token = if path.starts_with("/v1/manage") { &self.office } else { &self.customer };
        self.send(Method::GET, path, token, None).await.json()
    }

    async fn set_clock(&self, now: &str) {
        self.send(Method::PUT, "/v1/manage/clock", &self.office, Some(json!({"now": now}))).await;
    }

    async fn earn(&self, source: &str, points: i64) {
        let body = json!({"type": "code", "source_id": source, "points": points, "title": "Scan"});
        self.send(Method::POST, "/v1/manage/users/u1/activities", &self.office, Some(body)).await;
    }

    /// All points of all pages of the history.
    async fn history_points(&self) -> i64 {
        let (mut sum, mut page) = (0, 1);
        loop {
            let history = self.get(&format!("/v1/user/point-history?page%5Bnumber%5D={page}")).await;
            let days = history["data"].as_object().unwrap().clone();
            let groups = days.values().flat_map(|groups| groups.as_array().unwrap());
            sum += groups.map(|group| group["totalPoints"].as_i64().unwrap()).sum::<i64>();
            if history["meta"]["last_page"].as_i64().unwrap() <= page {
                return sum;
            }
            page += 1;
        }
    }
}

/// Each month a member earns 100 points, which end after a year with the month, and orders something for 60 in every second month.
#[tokio::test]
async fn three_years_pass_on_a_virtual_clock() {
    let settings = [
        ("points_expire", "after:12-months:month"),
        ("points_expire_as", "order"),
        ("time_zone", "America/New_York"),
    ];
    let staging = Staging::with(&settings).await;
    let gift =
        json!({"sku": "m", "title": "Mug", "regular_price": 60, "published_at": "2026-01-01T00:00:00Z"});
    staging.send(Method::PUT, "/v1/manage/products/mug", &staging.office, Some(gift)).await;
    let last_day = |month: i64| match month % 12 {
        1 => {
            if (2026 + month / 12) % 4 == 0 {
                29
            } else {
                28
            }
        }
        3 | 5 | 8 | 10 => 30,
        _ => 31,
    };
    let date = |month: i64, day: i64| format!("{}-{:02}-{day:02}", 2026 + month / 12, month % 12 + 1);
    let mut lots: Vec<(String, i64)> = Vec::new();
    // From April 2026. The clock stands on the last day of each month, in the last hour of New York's.
    for month in 3..39 {
        let next = month + 1;
        staging.set_clock(&format!("{}T03:59:59Z", date(next, 1))).await;
        staging.earn(&format!("s{month}"), 100).await;
        lots.push((date(month + 12, last_day(month + 12)), 100));
        if month % 2 == 0 {
            let order = json!({"product_id": "mug"});
            staging.send(Method::POST, "/v1/store/orders", &staging.customer, Some(order)).await;
            let mut cost = 60;
            for (_, points) in &mut lots {
                let taken = cost.min(*points);
                (*points, cost) = (*points - taken, cost - taken);
            }
        }
        staging.set_clock(&format!("{}T05:00:00Z", date(next, 1))).await;
        let today = date(next, 1);
        lots.retain(|(last, points)| *last >= today && *points > 0);
        let user = staging.get("/v1/user").await["data"].clone();
        let sum: i64 = lots.iter().map(|(_, points)| points).sum();
        let expiring: Vec<Value> =
            lots.iter().take(12).map(|(on, points)| json!({"points": points, "on": on})).collect();
        assert_eq!((&user["user_points"], &user["expiring"]), (&json!(sum), &json!(expiring)), "{today}");
        assert_eq!(staging.history_points().await, sum, "{today}");
    }
    let feed = staging.get("/v1/manage/events?limit=500").await;
    let ended =
        feed["data"].as_array().unwrap().iter().filter(|event| event["type"] == "points.expired").count();
    assert!(ended >= 20, "{ended}");
    staging.server.assert_audit_is_clean().await;
}

const DAY: [(&str, &str); 2] = [("points_expire", "after:1-days:day"), ("points_expire_as", "order")];

#[tokio::test]
async fn no_answer_has_points_that_are_over() {
    let staging = Staging::with(&DAY).await;
    staging.earn("s1", 100).await;
    let user = staging.get("/v1/user").await["data"].clone();
    assert_eq!(user["expiring"], json!([{"points": 100, "on": "2026-03-02"}]));
    staging.set_clock("2026-03-03T00:00:00Z").await;
    let shown = staging.get("/v1/user").await["data"].clone();
    assert_eq!((&shown["user_points"], &shown["expiring"]), (&json!(0), &json!([])));
    assert_eq!(staging.get("/v1/manage/users/u1").await["data"]["user_points"], 0);
    assert_eq!(staging.get("/v1/manage/users").await["data"][0]["user_points"], 0);
    let put = staging
        .send(Method::PUT, "/v1/manage/users/u1", &staging.office, Some(json!({"locale": "de"})))
        .await;
    assert_eq!((&put.json()["user_points"], &put.json()["data"]["user_points"]), (&json!(0), &json!(0)));
    let body = Some(json!({"disabled": true}));
    let put = staging.send(Method::PUT, "/v1/manage/users/u1", &staging.office, body).await.json();
    assert_eq!((&put["user_points"], &put["data"]["expiring"]), (&json!(0), &json!([])));
    let body = Some(json!({"disabled": false}));
    staging.send(Method::PUT, "/v1/manage/users/u1", &staging.office, body).await;
    // So far, nothing was written.
    assert_eq!(staging.get("/v1/manage/users/u1/transactions").await["meta"]["total"], 1);
    let history = staging.get("/v1/user/point-history").await;
    let row = &history["data"]["2026-03-03"][0]["data"][0];
    assert_eq!(
        (&row["type"], &row["points"], &row["title"]),
        (&json!("order"), &json!(-100), &json!("Points expired"))
    );
    assert_eq!((&history["user_points"], &history["meta"]["total"]), (&json!(0), &json!(2)));
    assert_eq!(staging.get("/v1/manage/users/u1/transactions").await["meta"]["total"], 2);
    staging.server.assert_audit_is_clean().await;
}

/// The history shows what stands, and a balance is right also then.
#[tokio::test]
async fn reads_do_not_wait_for_a_database_that_takes_no_writes() {
    let staging = Staging::with(&DAY).await;
    staging.earn("s1", 100).await;
    staging.set_clock("2026-03-05T00:00:00Z").await;
    assert_eq!(staging.get("/v1/user").await["data"]["user_points"], 0);
    let lock = staging.server.lock().await;
    assert_eq!(staging.get("/v1/user").await["data"]["user_points"], 0);
    assert_eq!(staging.get("/v1/user/point-history").await["meta"]["total"], 1);
    drop(lock);
}

/// Points of all members begin to end, and end, without a request of theirs.
#[tokio::test]
async fn a_job_ends_the_points_of_all_members() {
    let (server, office) = TestServer::with_back_office().await;
    server.set("activity_types", "expiry").await;
    let line = |n: u32| {
        let at = "2026-02-01T10:00:00Z";
        let user = format!("m{n:03}");
        json!({"user_id": user, "type": "code", "source_id": "s", "points": 10, "title": "Scan", "created_at": at}).to_string()
    };
    let lines: Vec<String> = (0..250).map(line).collect();
    let imported = server.post("/v1/manage/activities/import", &office).ndjson(lines.join("\n")).send().await;
    assert!(imported.status.is_success(), "{}", imported.text());
    assert!(matches!(server.run_job("end-points").await, Run::Ended(Ok(_))));
    let user = async || {
        let shown = server.request(Method::GET, "/v1/manage/users/m123", &office).send().await;
        shown.json()["data"].clone()
    };
    assert_eq!((&user().await["user_points"], user().await.get("expiring")), (&json!(10), None));
    server.set("points_expire", "after:1-months:day").await;
    server.set("points_expire_as", "expiry").await;
    server.run_job("end-points").await;
    assert_eq!(user().await["expiring"], json!([{"points": 10, "on": "2026-04-01"}]));
    server.advance_seconds(32 * 86_400);
    server.run_job("end-points").await;
    let feed = server.request(Method::GET, "/v1/manage/events?limit=1000", &office).send().await.json();
    let events = feed["data"].as_array().unwrap();
    let ended: Vec<&Value> = events.iter().filter(|event| event["type"] == "points.expired").collect();
    assert_eq!(ended.len(), 250);
    let data = &ended[0]["data"];
    assert_eq!(
        (&data["type"], &data["source_id"], &data["points"]),
        (&json!("expiry"), &json!("expiry:2026-04-01"), &json!(-10))
    );
    assert_eq!(user().await["user_points"], 0);
    server.assert_audit_is_clean().await;
}

/// The job says which one it passes, and does not begin again and again.
#[tokio::test]
async fn a_damaged_member_keeps_no_other_from_the_end_of_points() {
    let (server, office) = TestServer::with_back_office().await;
    server.set("points_expire", "after:1-days:day").await;
    server.set("points_expire_as", "order").await;
    for user in ["a", "b", "c"] {
        let body = json!({"type": "code", "source_id": "s", "points": 10, "title": "Scan"});
        let path = format!("/v1/manage/users/{user}/activities");
        assert!(server.request(Method::POST, &path, &office).json(&body).send().await.status.is_success());
    }
    server.damage_lots_elsewhere("b").await;
    server.advance_seconds(3 * 86_400);
    let run = server.run_job("end-points").await;
    assert!(matches!(run, Run::Ended(Ok(Next::After(1..)))), "{run:?}");
    for user in ["a", "c"] {
        let path = format!("/v1/manage/users/{user}/transactions");
        let rows = server.request(Method::GET, &path, &office).send().await.json();
        assert_eq!((&rows["meta"]["total"], &rows["data"][0]["points"]), (&json!(2), &json!(-10)), "{user}");
    }
}
