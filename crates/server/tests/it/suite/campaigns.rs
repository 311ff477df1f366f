//! `/v1/manage/campaigns`: writing campaigns, and changing their states.

use http::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::Answer;
use crate::harness::{TestServer, base_path};

const PATH: &str = "/v1/manage/campaigns";

async fn send(server: &TestServer, token: &str, method: Method, path: &str, body: Value) -> Answer {
    let call = server.request(method, &format!("{PATH}{path}"), token);
    if body.is_null() { call.send().await } else { call.json(&body).send().await }
}

async fn put(server: &TestServer, token: &str, id: &str, body: Value) -> Answer {
    send(server, token, Method::PUT, &format!("/{id}"), body).await
}

async fn step(server: &TestServer, token: &str, id: &str, body: Value) -> Answer {
    send(server, token, Method::POST, &format!("/{id}/state"), body).await
}

fn spring() -> Value {
    json!({"title": {"en": "Spring"}, "conditions": {"types": ["code"]}, "reward": {"percent": 50}})
}

#[tokio::test]
async fn a_campaign_is_written_in_versions_and_goes_through_its_states() {
    let (server, token) = TestServer::with_back_office().await;
    let created = put(&server, &token, "spring", spring()).await;
    assert_eq!((created.status.as_u16(), &created.json()["data"]["state"]), (201, &json!("draft")));
    assert_eq!(created.json()["warnings"], json!([]));
    let again = put(&server, &token, "spring", spring()).await;
    assert_eq!((again.status.as_u16(), again.json()), (200, created.json()));
    let changed = json!({"id": "spring", "title": {"en": "Spring"}, "reward": {"points": 7}});
    let changed = put(&server, &token, "spring", changed).await.json()["data"].clone();
    assert_eq!((&changed["version"], &changed["definition"]["reward"]["points"]), (&json!(2), &json!(7)));

    let scheduled = step(&server, &token, "spring", json!({"step": "schedule"})).await.json()["data"].clone();
    // It takes over a second after the request.
    assert_eq!(
        (&scheduled["state"], &scheduled["valid_from"]),
        (&json!("scheduled"), &json!("2026-03-01T12:00:01.000000Z"))
    );
    for (verb, state) in
        [("pause", "paused"), ("resume", "scheduled"), ("end", "ended"), ("archive", "archived")]
    {
        let stepped = step(&server, &token, "spring", json!({"step": verb})).await;
        assert_eq!(
            (stepped.status.as_u16(), &stepped.json()["data"]["state"]),
            (200, &json!(state)),
            "{verb}"
        );
    }

    let shown = send(&server, &token, Method::GET, "/spring", Value::Null).await.json()["data"].clone();
    let versions = shown["versions"].as_array().unwrap();
    let states: Vec<&str> = versions.iter().map(|version| version["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["draft", "draft", "active", "paused", "active", "ended", "archived"]);
    assert!(versions.iter().all(|version| version["created_by"].as_str().unwrap().starts_with("key:")));

    server.advance_seconds(1);
    put(&server, &token, "tea", spring()).await;
    let list = async |query: &str| {
        let list = send(&server, &token, Method::GET, query, Value::Null).await.json()["data"].clone();
        let listed = list.as_array().unwrap().iter();
        listed.map(|found| format!("{} {}", found["id"], found["state"])).collect::<Vec<_>>()
    };
    assert_eq!(list("").await, [r#""tea" "draft""#]);
    assert_eq!(list("?archived=true").await, [r#""spring" "archived""#, r#""tea" "draft""#]);
    let refused = send(&server, &token, Method::GET, "?archived=perhaps", Value::Null).await;
    assert_eq!(refused.status, 422);
}

/// The rules are those of `crates/campaigns`. Fields have their names as in the request, at every depth.
#[tokio::test]
async fn every_wrong_field_is_named_at_once() {
    let (server, token) = TestServer::with_back_office().await;
    let wrong = json!({
        "id": "other", "colour": "red", "title": {"de": "Frühling", "EN": "Spring"}, "reward": {"points": 10.0},
        "conditions": {"attributes": {"SKU_1": ["tea"]}, "weekdays": ["sunday"]}, "limits": {"per_user": [3]},
    });
    let answer = put(&server, &token, "spring", wrong).await;
    assert_eq!(answer.status, 422);
    let errors = answer.field_errors();
    let shown = ["title.EN", "limits.per_user.0", "conditions.attributes.SKU_1", "conditions.weekdays.0"];
    let starts = shown.map(|field| format!("{field}: The {field} "));
    for start in starts.iter().map(String::as_str).chain(["id: ", "colour: ", "title.en: "]) {
        assert!(errors.iter().any(|error| error.starts_with(start)), "{start}: {errors:?}");
    }
    let points = "reward.points: The reward.points must be an integer.".to_owned();
    assert!(errors.contains(&points), "{errors:?}");
    let huge = server.request(Method::PUT, "/v1/manage/campaigns/spring", &token);
    let huge = huge.header("content-type", "application/json");
    let huge = huge.body(r#"{"title": {"en": "Spring"}, "reward": {"points": 1e400}}"#).send().await;
    assert_eq!(huge.field_errors(), [points]);
    let list = send(&server, &token, Method::GET, "", Value::Null).await;
    assert_eq!(list.json()["data"], json!([]));
}

/// The time of a request is that of its head. This body comes 70 seconds later.
#[tokio::test]
async fn a_change_that_waited_for_its_body_takes_over_later() {
    let (server, token) = TestServer::with_back_office().await;
    put(&server, &token, "spring", spring()).await;
    let body = json!({"step": "schedule"}).to_string();
    let head = format!(
        "POST {}{PATH}/spring/state HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nExpect: 100-continue\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        base_path(),
        body.len()
    );
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    // The server asks for the body, so it has taken the time of the request.
    let mut interim = *b"HTTP/1.1 100 Continue\r\n\r\n";
    stream.read_exact(&mut interim).await.unwrap();
    assert_eq!(interim, *b"HTTP/1.1 100 Continue\r\n\r\n");
    server.advance_seconds(70);
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let later = r#""valid_from":"2026-03-01T12:01:12.000000Z""#;
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains(later), "{answer}");
}

#[tokio::test]
async fn an_impossible_change_is_a_conflict() {
    let (server, token) = TestServer::with_back_office().await;
    let code = |answer: &Answer| (answer.status.as_u16(), answer.json()["code"].as_str().unwrap().to_owned());
    put(&server, &token, "spring", spring()).await;
    for verb in ["pause", "resume", "end"] {
        let answer = step(&server, &token, "spring", json!({"step": verb})).await;
        assert_eq!(code(&answer), (409, "wrong_campaign_state".to_owned()), "{verb}");
    }
    let later = json!({"step": "schedule", "takes_over_at": "2026-04-01T00:00:00Z"});
    assert_eq!(step(&server, &token, "spring", later).await.status, 200);
    let body = json!({"title": {"en": "Spring"}, "reward": {"points": 3}});
    assert_eq!(code(&put(&server, &token, "spring", body.clone()).await), (409, "later_version".to_owned()));
    let at = |time: &str| {
        let mut body = body.clone();
        body["takes_over_at"] = json!(time);
        body
    };
    let past = put(&server, &token, "spring", at("2026-02-01T00:00:00Z")).await;
    assert_eq!(past.field_errors().len(), 1, "{}", past.text());
    let after = put(&server, &token, "spring", at("2026-04-02T00:00:00Z")).await;
    assert_eq!(after.json()["data"]["version"], json!(3));
    for (method, path) in [(Method::GET, "/Spring"), (Method::POST, "/none/state")] {
        let body = if method == Method::POST { json!({"step": "end"}) } else { Value::Null };
        assert_eq!(send(&server, &token, method, path, body).await.status, 404, "{path}");
    }
    let wrong = put(&server, &token, "a%20b", spring()).await.field_errors();
    assert_eq!(wrong, ["id: The id must have 1 to 64 characters of a-z, 0-9, _ and -."]);
}

#[tokio::test]
async fn warnings_name_what_meets_another_campaign_or_an_unknown_type() {
    let (server, token) = TestServer::with_back_office().await;
    server.start_campaign(&token, json!({"id": "a", "title": {"en": "A"}, "reward": {"points": 1}})).await;
    let body = json!({"title": {"en": "B"}, "conditions": {"types": ["yoga"]}, "reward": {"points": 1}});
    let written = put(&server, &token, "b", body).await.json();
    let codes: Vec<&str> =
        written["warnings"].as_array().unwrap().iter().map(|found| found["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["unknown_type", "overlaps"]);
    assert_eq!(written["warnings"][1]["other"], "a");
}
