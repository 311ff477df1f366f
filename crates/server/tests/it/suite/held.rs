//! Activities whose points wait, as back offices and apps see them.

use http::Method;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::TestServer;

const ACTIVITIES: &str = "/v1/manage/users/u1/activities";
const HELD: &str = "/v1/manage/users/u1/held";

fn receipt(hold: &Value) -> Value {
    json!({
        "type": "code", "source_id": "receipt-1", "points": 100, "title": "Receipt",
        "created_at": "2026-03-01T10:00:00Z", "hold": hold,
    })
}

async fn user(server: &TestServer) -> Value {
    let token = server.issue("u1").await;
    server.request(Method::GET, "/v1/user", &token).send().await.json()["data"].clone()
}

async fn send(server: &TestServer, office: &str, path: &str, body: &Value) -> Answer {
    server.post(path, office).json(body).send().await
}

#[tokio::test]
async fn points_wait_until_they_are_released() {
    let (server, office) = TestServer::with_back_office().await;
    assert_eq!(user(&server).await.get("pending_points"), None, "as before for who has none");
    let held = send(&server, &office, ACTIVITIES, &receipt(&json!({"days": 14}))).await;
    let body = held.json();
    assert_eq!((held.status.as_u16(), &body["user_points"]), (202, &json!(0)));
    let expected = json!({
        "id": body["data"]["id"], "type": "code", "source_id": "receipt-1", "points": 100, "bonus_points": 0,
        "title": "Receipt", "subtitle": "", "created_at": "2026-03-01T10:00:00.000000Z", "status": "pending",
        "release_at": "2026-03-15T10:00:00.000000Z", "voided_at": null,
    });
    assert_eq!(body["data"], expected);
    let shown = user(&server).await;
    assert_eq!((&shown["user_points"], &shown["pending_points"]), (&json!(0), &json!(100)));
    let again = send(&server, &office, ACTIVITIES, &receipt(&json!({"days": 14}))).await;
    assert_eq!((again.status.as_u16(), &again.json()["data"]), (200, &expected));
    let list = server.request(Method::GET, HELD, &office).send().await.json();
    assert_eq!((&list["data"], &list["meta"]["total"]), (&json!([expected]), &json!(1)));
    let dry =
        send(&server, &office, &format!("{ACTIVITIES}?dry_run=true"), &receipt(&json!({"days": 14}))).await;
    assert_eq!(dry.status, 200, "{}", dry.text());
    server.run_job("release-held").await;
    assert_eq!(user(&server).await["user_points"], 0, "its time has not come");
    server.advance_seconds(14 * 86_400);
    server.run_job("release-held").await;
    let shown = user(&server).await;
    assert_eq!((&shown["user_points"], &shown["pending_points"]), (&json!(100), &json!(0)));
    let recorded = send(&server, &office, ACTIVITIES, &receipt(&json!({"days": 14}))).await.json();
    assert_eq!((&recorded["data"]["id"], &recorded["data"]["seq"]), (&expected["id"], &json!(1)));
    let void = format!("{HELD}/{}/void", expected["id"].as_str().unwrap());
    let late = send(&server, &office, &void, &json!({"reason": "x"})).await;
    assert_eq!((late.status.as_u16(), &late.json()["code"]), (409, &json!("already_released")));
    let list = server.request(Method::GET, HELD, &office).send().await.json();
    assert_eq!(list["data"], json!([]));
    let feed = server.request(Method::GET, "/v1/manage/events", &office).send().await.json();
    let types: Vec<&Value> = feed["data"].as_array().unwrap().iter().map(|event| &event["type"]).collect();
    assert_eq!(types.iter().filter(|kind| **kind == "transaction.recorded").count(), 1, "{types:?}");
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_held_activity_is_voided_once() {
    let (server, office) = TestServer::with_back_office().await;
    let held = send(&server, &office, ACTIVITIES, &receipt(&json!({"until": "2026-04-01T00:00:00+02:00"})))
        .await
        .json();
    assert_eq!(held["data"]["release_at"], "2026-03-31T22:00:00.000000Z");
    let path = format!("{HELD}/{}/void", held["data"]["id"].as_str().unwrap());
    let wrong = send(&server, &office, &path, &json!({})).await;
    assert_eq!(wrong.field_errors(), ["reason: The reason field is required."]);
    for _ in 0..2 {
        let voided = send(&server, &office, &path, &json!({"reason": "Returned"})).await.json();
        assert_eq!(
            (&voided["data"]["status"], &voided["data"]["release_at"]),
            (&json!("voided"), &json!(null))
        );
    }
    assert_eq!(user(&server).await["pending_points"], 0);
    server.advance_seconds(60 * 86_400);
    server.run_job("release-held").await;
    assert_eq!(user(&server).await["user_points"], 0);
    let again = send(&server, &office, ACTIVITIES, &receipt(&json!({"days": 1}))).await.json();
    assert_eq!(again["data"]["status"], "voided");
    let mut without = receipt(&json!(null));
    without.as_object_mut().unwrap().remove("hold");
    assert_eq!(send(&server, &office, ACTIVITIES, &without).await.status, 409, "its key is used");
    let unknown = send(&server, &office, &format!("{HELD}/none/void"), &json!({"reason": "x"})).await;
    assert_eq!(unknown.status, 404);
    let stranger = server.request(Method::GET, "/v1/manage/users/stranger/held", &office).send().await;
    assert_eq!(stranger.status, 404);
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_wrong_hold_is_refused_and_one_that_is_over_does_not_wait() {
    let (server, office) = TestServer::with_back_office().await;
    for (hold, rule) in [
        (json!({}), "hold.days: The hold.days or until must be given, and not both."),
        (
            json!({"days": 1, "until": "2027-01-01T00:00:00Z"}),
            "hold.days: The hold.days or until must be given, and not both.",
        ),
        (json!({"days": 0}), "hold.days: The hold.days must be at least 1."),
        (
            json!({"until": "tomorrow"}),
            "hold.until: The hold.until must be a date-time with seconds and with Z or an offset, such as 2026-05-05T07:30:00Z.",
        ),
        (json!(14), "hold: The hold must be an object."),
    ] {
        let refused = send(&server, &office, ACTIVITIES, &receipt(&hold)).await;
        assert_eq!(refused.field_errors(), [rule], "{hold}");
    }
    let mut taken = receipt(&json!({"days": 1}));
    taken["points"] = json!(-5);
    let refused = send(&server, &office, ACTIVITIES, &taken).await;
    assert_eq!(refused.field_errors(), ["points: The points must not be negative with hold."]);
    for reserved in ["t1:reversal", "t1:reversal:5", "expiry:2027-01-31"] {
        let mut body = receipt(&json!({"days": 1}));
        body["source_id"] = json!(reserved);
        let refused = send(&server, &office, ACTIVITIES, &body).await;
        let rule =
            "source_id: The source id must not be that of a reversal or of the end of points with hold.";
        assert_eq!(refused.field_errors(), [rule], "{reserved}");
    }
    let over = receipt(&json!({"until": "2026-03-01T11:00:00Z"}));
    assert_eq!(send(&server, &office, ACTIVITIES, &over).await.status, 202);
    server.run_job("release-held").await;
    assert_eq!(send(&server, &office, ACTIVITIES, &over).await.json()["user_points"], 100);
}
