//! `campaign.started` and `campaign.ended` in the feed: each once, by the time of the tenant.

use std::sync::Arc;

use http::Method;
use pointbook_server::jobs::{Run, find};
use pointbook_store::ports::JobId;
use pointbook_store::{Next, ServedTenant};
use serde_json::{Value, json};

use crate::client::Call;
use crate::harness::{STAGING_PATH, TestServer, base_path};

/// A tenant with a key of its back office. The real time of all tests is 2026-03-01T12:00:00Z.
struct Office {
    server: TestServer,
    token: String,
    name: &'static str,
    path: &'static str,
}

impl Office {
    async fn of_production() -> Self {
        let (server, token) = TestServer::with_back_office().await;
        Self { server, token, name: "shop/production", path: base_path() }
    }

    async fn of_staging() -> Self {
        let (server, _) = TestServer::with_back_office().await;
        let token = server.issue_super_user_in_staging().await;
        Self { server, token, name: "shop/staging", path: STAGING_PATH }
    }

    async fn send(&self, method: Method, path: &str, body: Value) {
        let call = Call::new(self.server.address(), method, format!("{}{path}", self.path));
        let answer = call.bearer(&self.token).json(&body).send().await;
        assert!(answer.status.is_success(), "{path}: {}", answer.text());
    }

    async fn put(&self, id: &str, bounds: Value) {
        let mut campaign = json!({"title": {"en": "Spring"}, "reward": {"points": 7}});
        campaign.as_object_mut().unwrap().extend(bounds.as_object().unwrap().clone());
        self.send(Method::PUT, &format!("/v1/manage/campaigns/{id}"), campaign).await;
    }

    async fn step(&self, id: &str, step: &str) {
        self.send(Method::POST, &format!("/v1/manage/campaigns/{id}/state"), json!({"step": step})).await;
    }

    async fn set_clock(&self, now: &str) {
        self.send(Method::PUT, "/v1/manage/clock", json!({"now": now})).await;
    }

    fn tenant(&self) -> Arc<ServedTenant> {
        let directory = self.server.service().directory();
        directory.tenants().iter().find(|served| served.name().to_string() == self.name).unwrap().clone()
    }

    /// Runs the job if it is due.
    async fn run_due(&self) -> Run {
        let (runner, job, tenant) =
            (self.server.job_runner(), find("campaign-events").unwrap(), self.tenant());
        let id = JobId::recurring(&tenant.tenant.id, job.name());
        runner.run(tenant, job, &id, self.server.now()).await.unwrap()
    }

    /// Lets this time pass, and runs the job if it is due.
    async fn pass_seconds(&self, seconds: u32) -> Run {
        self.server.advance_seconds(seconds);
        self.run_due().await
    }

    /// The events about starts and ends so far: type, campaign, version and time.
    async fn told(&self) -> Vec<(String, String, u64, String)> {
        let path = format!("{}/v1/manage/events?types=campaign.started,campaign.ended", self.path);
        let answer = Call::new(self.server.address(), Method::GET, path).bearer(&self.token).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let events = answer.json()["data"].as_array().unwrap().clone();
        let of_event = |event: Value| {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let data = &event["data"];
            assert_eq!(data.as_object().unwrap().len(), 3, "{data}");
            (
                text(&event["type"]),
                text(&data["campaign_id"]),
                data["version"].as_u64().unwrap(),
                text(&data["at"]),
            )
        };
        events.into_iter().map(of_event).collect()
    }
}

fn event(kind: &str, id: &str, version: u64, at: &str) -> (String, String, u64, String) {
    (format!("campaign.{kind}"), id.to_owned(), version, format!("2026-{at}.000000Z"))
}

fn has_run(run: &Run) -> bool {
    matches!(run, Run::Ended(Ok(_)))
}

#[tokio::test]
async fn the_start_and_the_end_of_a_campaign_are_told_once() {
    let office = Office::of_production().await;
    office
        .put("spring", json!({"starts_at": "2026-03-01T12:00:10Z", "ends_at": "2026-03-01T13:00:00Z"}))
        .await;
    office.step("spring", "schedule").await;
    assert!(matches!(office.run_due().await, Run::NotLeased), "the version takes over in a second");
    let Run::Ended(Ok(Next::After(9))) = office.pass_seconds(1).await else { panic!("not 9 seconds") };
    assert_eq!(office.told().await, []);
    let Run::Ended(Ok(Next::After(3_590))) = office.pass_seconds(9).await else {
        panic!("not until the end")
    };
    let started = event("started", "spring", 2, "03-01T12:00:10");
    assert_eq!(office.told().await, std::slice::from_ref(&started));
    let Run::Ended(Ok(Next::Done)) = office.pass_seconds(3_590).await else { panic!("not the end") };
    assert_eq!(office.told().await, [started, event("ended", "spring", 2, "03-01T13:00:00")]);
}

/// The back office ends one, archives one that no run of the job saw while it ran, and archives one that never ran.
#[tokio::test]
async fn a_campaign_that_the_back_office_ends_or_archives_has_ended_if_it_ran() {
    let office = Office::of_production().await;
    for (id, bounds) in [
        ("early", json!({"starts_at": "2026-02-01T00:00:00Z"})),
        ("brief", json!({"ends_at": "2026-03-01T12:00:05Z"})),
        ("never", json!({})),
    ] {
        office.put(id, bounds).await;
    }
    for id in ["early", "brief"] {
        office.step(id, "schedule").await;
    }
    office.server.advance_seconds(10);
    for (id, step) in [("early", "end"), ("brief", "archive"), ("never", "archive")] {
        office.step(id, step).await;
    }
    assert!(has_run(&office.pass_seconds(1).await));
    let expected = [
        event("started", "brief", 2, "03-01T12:00:01"),
        event("started", "early", 2, "03-01T12:00:01"),
        event("ended", "brief", 2, "03-01T12:00:05"),
        event("ended", "early", 3, "03-01T12:00:11"),
    ];
    assert_eq!(office.told().await, expected);
}

#[tokio::test]
async fn a_clock_that_jumps_over_starts_and_ends_tells_all_in_order() {
    let office = Office::of_staging().await;
    office.put("may", json!({"starts_at": "2026-05-01T00:00:00Z", "ends_at": "2026-06-01T00:00:00Z"})).await;
    office.put("mid", json!({"starts_at": "2026-05-15T00:00:00Z"})).await;
    for id in ["may", "mid"] {
        office.step(id, "schedule").await;
    }
    assert!(has_run(&office.pass_seconds(1).await));
    assert!(matches!(office.run_due().await, Run::NotLeased));
    office.set_clock("2026-07-01T00:00:00Z").await;
    assert!(has_run(&office.run_due().await), "the clock makes the job due");
    let expected = [
        event("started", "may", 2, "05-01T00:00:00"),
        event("started", "mid", 2, "05-15T00:00:00"),
        event("ended", "may", 2, "06-01T00:00:00"),
    ];
    assert_eq!(office.told().await, expected);
}

/// Jobs are due by the real clock, and campaigns start by the clock of the tenant.
#[tokio::test]
async fn a_campaign_starts_by_the_virtual_clock() {
    let office = Office::of_staging().await;
    office.set_clock("2026-07-01T00:00:00Z").await;
    office.put("july", json!({"starts_at": "2026-07-01T00:01:00Z"})).await;
    office.step("july", "schedule").await;
    assert!(matches!(office.run_due().await, Run::NotLeased), "the version takes over in a second");
    let Run::Ended(Ok(Next::After(59))) = office.pass_seconds(1).await else { panic!("not 59 seconds") };
    assert!(has_run(&office.pass_seconds(59).await));
    assert_eq!(office.told().await, [event("started", "july", 2, "07-01T00:01:00")]);
}

/// Another process that has not read the tenants again tells by the stored clock.
#[tokio::test]
async fn an_instance_that_is_behind_tells_by_the_stored_clock() {
    let office = Office::of_staging().await;
    office.put("may", json!({"starts_at": "2026-05-01T00:00:00Z"})).await;
    office.step("may", "schedule").await;
    let tenant = office.tenant();
    office.set_clock("2026-07-01T00:00:00Z").await;
    let run = office.server.job_runner().run_now(tenant, find("campaign-events").unwrap()).await.unwrap();
    assert!(has_run(&run), "{run:?}");
    assert_eq!(office.told().await, [event("started", "may", 2, "05-01T00:00:00")]);
}
