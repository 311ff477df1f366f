//! `/v1/manage/campaigns/{campaignId}/back-fill`: a request, its run as a job, and the points that it gives.

use http::Method;
use pointbook_server::jobs::Run;
use pointbook_store::Next;
use serde_json::{Value, json};

use super::back_tests::with_draft;
use crate::client::Answer;
use crate::harness::TestServer;

const BACK_TEST: &str = "/v1/manage/campaigns/spring/back-test";
const PATH: &str = "/v1/manage/campaigns/spring/back-fill";

async fn start_test(server: &TestServer, token: &str) {
    let march = json!({"from": "2026-03-01T00:00:00Z", "until": "2026-03-02T00:00:00Z"});
    assert_eq!(server.post(BACK_TEST, token).json(&march).send().await.status, 202);
}

async fn tested() -> (TestServer, String) {
    let (server, token) = with_draft().await;
    start_test(&server, &token).await;
    server.run_job("back-test").await;
    (server, token)
}

async fn send(server: &TestServer, token: &str, method: Method, path: &str) -> Answer {
    server.request(method, path, token).send().await
}

fn refusal(answer: &Answer) -> (u16, Value) {
    (answer.status.as_u16(), answer.json()["code"].clone())
}

#[tokio::test]
async fn a_back_fill_gives_the_points_of_its_back_test() {
    let (server, token) = tested().await;
    let queued = server.post(PATH, &token).json(&json!({"version": 1})).send().await;
    let mut expected = json!({
        "campaign": "spring", "version": 1, "state": "queued", "from": "2026-03-01T00:00:00.000000Z",
        "until": "2026-03-02T00:00:00.000000Z", "found": {"awards": 1, "points": 31}, "paid_before": 0,
        "given": {"awards": 0, "points": 0}, "left_out": 0, "requested_at": "2026-03-01T12:00:00.000000Z",
        "requested_by": queued.json()["data"]["requested_by"],
    });
    let body = json!({"success": true, "data": expected});
    assert_eq!((queued.status.as_u16(), queued.json()), (202, body.clone()));
    assert_eq!(send(&server, &token, Method::GET, PATH).await.json(), body);
    let second = server.post(PATH, &token).json(&json!({"version": 1})).send().await;
    assert_eq!(refusal(&second), (409, json!("back_fill_running")));

    let run = server.run_job("back-fill").await;
    assert!(matches!(run, Run::Ended(Ok(Next::Done))), "{run:?}");
    expected["state"] = json!("done");
    expected["given"] = json!({"awards": 1, "points": 31});
    expected["ended_at"] = json!("2026-03-01T12:00:00.000000Z");
    let done = send(&server, &token, Method::GET, &format!("{PATH}?version=1")).await.json();
    assert_eq!(done["data"], expected);
    assert_eq!(send(&server, &token, Method::GET, &format!("{PATH}?version=2")).await.status, 404);

    let rows = send(&server, &token, Method::GET, "/v1/manage/users/u7/transactions").await.json();
    let [given, scan] = [&rows["data"][0], &rows["data"][1]];
    let source = format!("{}:spring:1:back-fill", scan["id"].as_str().unwrap());
    assert_eq!((&given["type"], &given["source_id"]), (&json!("code"), &json!(source)));
    assert_eq!(
        (&given["points"], &given["bonus_points"], &given["title"]),
        (&json!(0), &json!(31), &json!("Spring"))
    );
    assert_eq!(given["bonus_breakdown"], json!([{"type": "campaign", "points": 31, "title": "Spring"}]));
    let explain = format!("/v1/manage/users/u7/transactions/{}/explain", given["id"].as_str().unwrap());
    let explained = send(&server, &token, Method::GET, &explain).await.json();
    let applied = json!([{"campaign": "spring", "version": 1, "result": "applied", "points": 31}]);
    assert_eq!(explained["data"]["campaigns"], applied);
}

/// Back-tests this time, and gives what is due.
async fn fill(server: &TestServer, token: &str, from: &str, until: &str) -> Value {
    let span = json!({"from": from, "until": until});
    assert_eq!(server.post(BACK_TEST, token).json(&span).send().await.status, 202);
    server.run_job("back-test").await;
    assert_eq!(server.post(PATH, token).json(&json!({"version": 1})).send().await.status, 202);
    server.run_job("back-fill").await;
    send(server, token, Method::GET, PATH).await.json()["data"].take()
}

/// Each back-test begins with unused limits, but a back-fill sees what a user has already.
#[tokio::test]
async fn two_back_fills_together_leave_a_limit_of_a_user() {
    let (server, token) = TestServer::with_back_office().await;
    let limits = json!({"per_user": [{"period": "ever", "awards": 2, "points": 70}]});
    let spring =
        json!({"id": "spring", "title": {"en": "Spring"}, "reward": {"percent": 100}, "limits": limits});
    server.put_campaign(&token, spring).await;
    for (user, day, points) in [
        ("ann", 20, 30),
        ("ben", 20, 30),
        ("cid", 20, 60),
        ("ann", 25, 10),
        ("ann", 25, 5),
        ("ben", 25, 40),
        ("cid", 25, 20),
    ] {
        let (source, at) = (format!("{day}-{points}"), format!("2026-02-{day}T12:00:00Z"));
        let scan =
            json!({"type": "code", "source_id": source, "points": points, "title": "Scan", "created_at": at});
        let recorded = server.post(&format!("/v1/manage/users/{user}/activities"), &token).json(&scan);
        assert_eq!(recorded.send().await.status, 201);
    }
    for (from, until, given, left_out) in [
        ("2026-02-20T00:00:00Z", "2026-02-21T00:00:00Z", json!({"awards": 3, "points": 120}), 0),
        // Of Ann the third award, and of Cid more points than are left.
        ("2026-02-21T00:00:00Z", "2026-02-26T00:00:00Z", json!({"awards": 2, "points": 50}), 2),
    ] {
        let filled = fill(&server, &token, from, until).await;
        assert_eq!((&filled["given"], &filled["left_out"]), (&given, &json!(left_out)), "{filled}");
    }
}

/// What a back-fill adds to an award is no further award. What it adds to a bonus of the request is one, beyond the limit of Ann.
#[tokio::test]
async fn a_bonus_of_a_request_is_no_award_that_a_back_fill_completes() {
    let (server, token) = TestServer::with_back_office().await;
    let limits = json!({"per_user": [{"period": "ever", "awards": 1}]});
    let spring =
        json!({"id": "spring", "title": {"en": "Spring"}, "reward": {"percent": 100}, "limits": limits});
    server.put_campaign(&token, spring).await;
    let bonus = json!([{"type": "campaign", "points": 10, "title": "Spring"}]);
    for (user, day, bonuses) in [("ann", 20, json!([])), ("ann", 25, bonus.clone()), ("ben", 25, bonus)] {
        let (source, at) = (day.to_string(), format!("2026-02-{day}T12:00:00Z"));
        let scan = json!({
            "type": "code", "source_id": source, "points": 30, "title": "Scan", "created_at": at,
            "bonus_breakdown": bonuses,
        });
        let recorded = server.post(&format!("/v1/manage/users/{user}/activities"), &token).json(&scan);
        assert_eq!(recorded.send().await.status, 201);
    }
    let first = fill(&server, &token, "2026-02-20T00:00:00Z", "2026-02-21T00:00:00Z").await;
    assert_eq!((&first["given"], &first["left_out"]), (&json!({"awards": 1, "points": 30}), &json!(0)));
    let second = fill(&server, &token, "2026-02-25T00:00:00Z", "2026-02-26T00:00:00Z").await;
    assert_eq!((&second["given"], &second["left_out"]), (&json!({"awards": 1, "points": 20}), &json!(1)));
}

#[tokio::test]
async fn a_back_fill_needs_the_result_of_a_back_test() {
    let (server, token) = with_draft().await;
    let start = async |body: Value| server.post(PATH, &token).json(&body).send().await;
    let not_tested = (409, json!("not_back_tested"));
    assert_eq!(refusal(&start(json!({"version": 1})).await), not_tested);
    assert_eq!(send(&server, &token, Method::GET, PATH).await.status, 404);
    assert_eq!(send(&server, &token, Method::DELETE, PATH).await.status, 404);
    start_test(&server, &token).await;
    assert_eq!(refusal(&start(json!({"version": 1})).await), not_tested);
    server.run_job("back-test").await;
    assert_eq!(start(json!({"version": 2})).await.status, 404);
    for (body, code) in [(json!({"version": 0}), "too_small"), (json!({}), "required")] {
        let wrong = start(body).await;
        assert_eq!((wrong.status.as_u16(), &wrong.json()["codes"]["version"][0]), (422, &json!(code)));
    }
    assert_eq!(start(json!({"version": 1})).await.status, 202);
}

#[tokio::test]
async fn a_cancelled_back_fill_gives_nothing() {
    let (server, token) = tested().await;
    assert_eq!(server.post(PATH, &token).json(&json!({"version": 1})).send().await.status, 202);
    let cancelled = send(&server, &token, Method::DELETE, PATH).await;
    let data = cancelled.json()["data"].clone();
    assert_eq!((cancelled.status.as_u16(), &data["state"]), (200, &json!("cancelled")));
    server.run_job("back-fill").await;
    assert_eq!(send(&server, &token, Method::DELETE, PATH).await.json()["data"], data, "it stays as it is");
}
