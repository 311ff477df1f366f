//! `/v1/manage/campaigns/{campaignId}/back-test`: a request, its run as a job, and its result.

use http::Method;
use pointbook_server::jobs::Run;
use pointbook_store::Next;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::TestServer;

const PATH: &str = "/v1/manage/campaigns/spring/back-test";

/// A draft that doubles points, and an activity of 31 points at noon of 2026-03-01.
pub(super) async fn with_draft() -> (TestServer, String) {
    let (server, token) = TestServer::with_back_office().await;
    let spring = json!({"id": "spring", "title": {"en": "Spring"}, "reward": {"percent": 100}});
    server.put_campaign(&token, spring).await;
    let scan = json!({"type": "code", "source_id": "s1", "points": 31, "title": "Scan"});
    let recorded = server.post("/v1/manage/users/u7/activities", &token).json(&scan).send().await;
    assert_eq!(recorded.status, 201, "{}", recorded.text());
    (server, token)
}

fn march() -> Value {
    json!({"from": "2026-03-01T00:00:00Z", "until": "2026-03-02T01:00:00+01:00"})
}

async fn start(server: &TestServer, token: &str, body: &Value) -> Answer {
    server.post(PATH, token).json(body).send().await
}

async fn send(server: &TestServer, token: &str, method: Method, path: &str) -> Answer {
    server.request(method, path, token).send().await
}

#[tokio::test]
async fn a_back_test_has_its_result_after_its_job() {
    let (server, token) = with_draft().await;
    assert_eq!(send(&server, &token, Method::GET, PATH).await.status, 404);
    let queued = start(&server, &token, &march()).await;
    let mut expected = json!({
        "campaign": "spring", "version": 1, "state": "queued", "from": "2026-03-01T00:00:00.000000Z",
        "until": "2026-03-02T00:00:00.000000Z", "rows_read": 0, "requested_at": "2026-03-01T12:00:00.000000Z",
        "requested_by": queued.json()["data"]["requested_by"],
    });
    let body = json!({"success": true, "data": expected});
    assert_eq!((queued.status.as_u16(), queued.json()), (202, body.clone()));
    assert_eq!(send(&server, &token, Method::GET, PATH).await.json(), body);
    let second = start(&server, &token, &march()).await;
    assert_eq!((second.status.as_u16(), &second.json()["code"]), (409, &json!("back_test_running")));

    let run = server.run_job("back-test").await;
    assert!(matches!(run, Run::Ended(Ok(Next::Done))), "{run:?}");
    let mut done =
        send(&server, &token, Method::GET, &format!("{PATH}?version=1")).await.json()["data"].take();
    let transaction = done["result"]["differing_rows"][0]["transaction_id"].take();
    let scans = send(&server, &token, Method::GET, "/v1/manage/users/u7/transactions").await.json();
    assert_eq!(transaction, scans["data"][0]["id"]);
    assert!(done["ended_at"].take().is_string());
    let rows = done["rows_read"].clone();
    for (name, value) in [("state", json!("done")), ("rows_read", rows.clone()), ("rows_total", rows)] {
        expected[name] = value;
    }
    expected["ended_at"] = Value::Null;
    expected["result"] = json!({
        "activities": 1, "awards": 1, "points": 31, "users": 1, "clipped": 0,
        "days": [{"day": "2026-03-01", "awards": 1, "points": 31}],
        "top_users": [{"user_id": "u7", "awards": 1, "points": 31}],
        "paid": {"awards": 0, "points": 0},
        "due": {"awards": 1, "points": 31},
        "differing": 1,
        "differing_rows": [{"user_id": "u7", "transaction_id": null, "simulated": 31, "paid": 0}],
    });
    assert_eq!(done, expected);
    assert_eq!(send(&server, &token, Method::GET, &format!("{PATH}?version=2")).await.status, 404);
}

#[tokio::test]
async fn a_cancelled_back_test_does_not_run() {
    let (server, token) = with_draft().await;
    assert_eq!(send(&server, &token, Method::DELETE, PATH).await.status, 404);
    assert_eq!(start(&server, &token, &march()).await.status, 202);
    let cancelled = send(&server, &token, Method::DELETE, PATH).await;
    let data = cancelled.json()["data"].clone();
    assert_eq!((cancelled.status.as_u16(), &data["state"]), (200, &json!("cancelled")));
    assert!(data["ended_at"].is_string() && data.get("result").is_none(), "{data}");
    server.run_job("back-test").await;
    assert_eq!(send(&server, &token, Method::DELETE, PATH).await.json()["data"], data, "it stays as it is");
}

#[tokio::test]
async fn a_back_test_needs_a_version_and_a_time() {
    let (server, token) = with_draft().await;
    for (body, field, code) in [
        (json!({"until": "2026-03-02T00:00:00Z"}), "from", "required"),
        (json!({"from": "2026-03-01", "until": "2026-03-02T00:00:00Z"}), "from", "not_a_date"),
        (json!({"from": "2026-03-01T00:00:00Z", "until": "2026-03-01T00:00:00Z"}), "until", "contradiction"),
        (json!({"from": "1986-01-01T00:00:00Z", "until": "2026-03-01T00:00:00Z"}), "until", "out_of_range"),
        (json!({"from": 1, "until": "2026-03-01T00:00:00Z", "version": 0}), "version", "too_small"),
    ] {
        let refused = start(&server, &token, &body).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.json()["codes"][field][0]),
            (422, &json!(code)),
            "{body}"
        );
    }
    let mut unknown = march();
    unknown["version"] = json!(2);
    assert_eq!(start(&server, &token, &unknown).await.status, 404);
}

/// The budget decides before the limits of the user and the ceiling count an award, as it does for a campaign that runs.
#[tokio::test]
async fn a_back_test_skips_at_a_budget_as_its_campaign_did() {
    let (server, token) = TestServer::with_back_office().await;
    let campaign = |id: &str, kind: &str, percent: u32, limits: Value| {
        json!({"id": id, "title": {"en": id}, "conditions": {"types": [kind]}, "reward": {"percent": percent},
               "limits": limits})
    };
    let once = json!({
        "per_user": [{"period": "ever", "awards": 1}], "budget": {"points": 10}, "on_points_limit": "skip",
    });
    server.start_campaign(&token, campaign("once", "code", 100, once)).await;
    let large = json!({"budget": {"points": 1_000}, "on_points_limit": "skip"});
    server.start_campaign(&token, campaign("large", "video", 2_000, large)).await;
    for (number, (user, kind, points, given)) in [
        ("ann", "code", 9, 9),
        ("ben", "code", 5, 0),
        ("ben", "code", 1, 1),
        ("ann", "video", 60, 0),
        ("ben", "video", 50, 500),
    ]
    .into_iter()
    .enumerate()
    {
        let activity =
            json!({"type": kind, "source_id": number.to_string(), "points": points, "title": "Tea"});
        let recorded = server.post(&format!("/v1/manage/users/{user}/activities"), &token).json(&activity);
        assert_eq!(recorded.send().await.json()["data"]["bonus_points"], given, "{activity}");
        server.advance_seconds(1);
    }
    for (id, awards, points) in [("once", 2, 10), ("large", 1, 500)] {
        let path = format!("/v1/manage/campaigns/{id}/back-test");
        assert_eq!(server.post(&path, &token).json(&march()).send().await.status, 202);
        server.run_job("back-test").await;
        let result = send(&server, &token, Method::GET, &path).await.json()["data"]["result"].take();
        let found = (&result["awards"], &result["points"], &result["due"]["awards"], &result["differing"]);
        assert_eq!(found, (&json!(awards), &json!(points), &json!(0), &json!(0)), "{id}: {result}");
    }
}
