//! `/v1/auth/token`: the back office issues tokens, and a token can revoke itself.

use http::Method;
use pointbook_access::tokens::issue::{derived_secret_of_caller, token_text};
use pointbook_domain::Timestamp;
use pointbook_store::ports::{Cell, RequestKey, Row};
use pointbook_store::schema::TABLES;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::TestServer;

const PATH: &str = "/v1/auth/token";

async fn issue(server: &TestServer, back_office: &str, body: &Value) -> Answer {
    server.post(PATH, back_office).json(body).send().await
}

async fn issue_once(server: &TestServer, back_office: &str, body: &Value) -> Answer {
    server.post(PATH, back_office).key("k-1").json(body).send().await
}

fn token_of(answer: &Answer) -> String {
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()["data"]["token"].as_str().unwrap().to_owned()
}

/// Every `Cache-Control` header of a response, byte for byte.
fn cache_controls(answer: &Answer) -> Vec<&str> {
    answer.headers.get_all("cache-control").iter().map(|value| value.to_str().unwrap()).collect()
}

async fn user_of(server: &TestServer, token: &str) -> Value {
    let answer = server.call("/v1/user").bearer(token).send().await;
    assert_eq!(answer.status, 200);
    answer.json()["data"]["id"].clone()
}

#[tokio::test]
async fn a_token_is_issued_byte_for_byte_and_works_for_a_user_who_was_unknown() {
    let server = TestServer::start().await;
    let back_office = server.issue_super_user().await;
    let answer = issue(&server, &back_office, &json!({"user_id": "new"})).await;
    let token = token_of(&answer);
    assert!(token.starts_with("pb_") && token.len() == 46, "{token}");
    let expected =
        format!(r#"{{"success":true,"data":{{"token":"{token}","user_id":"new","expires_at":null}}}}"#);
    assert_eq!((answer.text(), answer.header("idempotency-replayed")), (&*expected, None));
    assert_eq!(cache_controls(&answer), ["no-store"]);
    assert_eq!(user_of(&server, &token).await, "new");
    assert_ne!(token, token_of(&issue(&server, &back_office, &json!({"user_id": "new"})).await));
}

#[tokio::test]
async fn a_token_ends_with_the_key_that_issued_it_at_the_latest() {
    let server = TestServer::start().await;
    let owner = server.issue_super_user().await;
    let add = async |expires_in: u32| {
        let body = json!({"label": "App", "scopes": ["tokens:issue"], "expires_in": expires_in});
        let added = server.post("/v1/manage/keys", &owner).json(&body).send().await;
        let data = added.json()["data"].clone();
        [&data["id"], &data["key"]].map(|text| text.as_str().unwrap().to_owned())
    };
    let ([_, key], [other_id, other]) = (add(3_600).await, add(7_200).await);
    for (expires_in, end) in [(Value::Null, "13:00:00"), (json!(60), "12:01:00"), (json!(3_601), "13:00:00")]
    {
        let issued = issue(&server, &key, &json!({"user_id": "u1", "expires_in": expires_in})).await;
        assert_eq!(issued.json()["data"]["expires_at"], format!("2026-03-01T{end}.000000Z"));
    }
    let body = json!({"user_id": "u1"});
    let (first, again) = (issue_once(&server, &key, &body).await, issue_once(&server, &key, &body).await);
    assert_eq!(first.text(), again.text());
    let (short, long) = (token_of(&first), token_of(&issue(&server, &other, &body).await));
    let revoked = server.request(Method::DELETE, &format!("/v1/manage/keys/{other_id}"), &owner).send().await;
    assert_eq!(revoked.status, 200);
    server.advance_seconds(3_599);
    assert_eq!((user_of(&server, &short).await, user_of(&server, &long).await), (json!("u1"), json!("u1")));
    server.advance_seconds(1);
    assert_eq!(server.call("/v1/user").bearer(&short).send().await.status, 401);
    assert_eq!(user_of(&server, &long).await, "u1");
}

#[tokio::test]
async fn token_is_refused_after_it_expires() {
    let server = TestServer::start().await;
    let back_office = server.issue_super_user().await;
    let answer = issue(&server, &back_office, &json!({"user_id": "u1", "expires_in": 60})).await;
    assert_eq!(answer.json()["data"]["expires_at"], "2026-03-01T12:01:00.000000Z");
    let token = token_of(&answer);
    server.advance_seconds(59);
    assert_eq!(server.call("/v1/user").bearer(&token).send().await.status, 200);
    server.advance_seconds(1);
    assert_eq!(server.call("/v1/user").bearer(&token).send().await.status, 401);
}

#[tokio::test]
async fn a_request_with_a_key_tells_the_same_token_again_though_no_file_holds_it() {
    let server = TestServer::start().await;
    let back_office = server.issue_super_user().await;
    let body = json!({"user_id": "u1", "expires_in": 3_600});
    let first = issue_once(&server, &back_office, &body).await;
    assert_eq!(first.header("idempotency-replayed"), None);
    let token = token_of(&first);
    server.advance_seconds(60);
    let again = issue_once(&server, &back_office, &body).await;
    assert_eq!((again.status, again.text()), (first.status, first.text()));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!((cache_controls(&first), cache_controls(&again)), (vec!["no-store"], vec!["no-store"]));
    assert_eq!(user_of(&server, &token).await, "u1");

    let secret = data_encoding::BASE64URL_NOPAD.decode(token.trim_start_matches("pb_").as_bytes()).unwrap();
    assert!(server.holds(b"k-1").await, "the key is kept");
    assert!(!server.holds(token.trim_start_matches("pb_").as_bytes()).await, "the token's text is not");
    assert!(!server.holds(&secret).await, "nor what it stands for");
}

/// The kept response of the only request with a key.
async fn kept_row(server: &TestServer) -> Row {
    let table = TABLES.iter().find(|table| table.name == "request_keys").unwrap();
    server.production().data.rows_after(table, None, 10).await.unwrap().remove(0)
}

/// When the request of this row was executed.
fn written_at(row: &Row) -> Timestamp {
    let Cell::Integer(micros) = row[4] else { panic!("{row:?}") };
    Timestamp::from_micros(micros).unwrap()
}

/// The token that releases before tenant secrets issued for the request of this row.
fn derived_of_caller(back_office: &str, row: &Row, issued_at: Timestamp) -> String {
    let [Cell::Text(principal), Cell::Text(key), Cell::Bytes(fingerprint), ..] = &row[..] else {
        panic!("{row:?}")
    };
    let (principal, key) = (principal.to_string(), key.to_string());
    let key = RequestKey { principal, key, fingerprint: fingerprint[..].try_into().unwrap(), max_kept: None };
    token_text(&derived_secret_of_caller(back_office.as_bytes(), &key, issued_at))
}

#[tokio::test]
async fn the_callers_token_and_the_kept_rows_do_not_give_the_issued_token() {
    let server = TestServer::start().await;
    let back_office = server.issue_super_user().await;
    let token = token_of(&issue_once(&server, &back_office, &json!({"user_id": "u1"})).await);
    let row = kept_row(&server).await;
    assert_ne!(derived_of_caller(&back_office, &row, written_at(&row)), token);
}

#[tokio::test]
async fn a_request_that_an_older_release_executed_gets_its_own_token_again() {
    let server = TestServer::start().await;
    let back_office = server.issue_super_user().await;
    let body = json!({"user_id": "u1"});
    token_of(&issue_once(&server, &back_office, &body).await);
    let mut row = kept_row(&server).await;
    let issued_at = written_at(&row);
    let Cell::Bytes(answer) = &row[3] else { panic!("{row:?}") };
    let head = answer.iter().position(|byte| *byte == b'{').unwrap();
    let older = [&answer[..head], issued_at.as_micros().to_string().as_bytes()].concat();
    row[3] = Cell::Bytes(older.into());
    let table = TABLES.iter().find(|table| table.name == "request_keys").unwrap();
    server.production().data.write_rows(table, std::slice::from_ref(&row)).await.unwrap();
    let again = issue_once(&server, &back_office, &body).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(token_of(&again), derived_of_caller(&back_office, &row, issued_at));
}

#[tokio::test]
async fn a_replay_does_not_bring_back_a_token_that_was_ended() {
    let server = TestServer::start().await;
    let back_office = server.issue_super_user().await;
    let body = json!({"user_id": "u1"});
    let token = token_of(&issue_once(&server, &back_office, &body).await);
    assert_eq!(server.request(Method::DELETE, PATH, &token).send().await.status, 200);
    assert_eq!(token_of(&issue_once(&server, &back_office, &body).await), token);
    assert_eq!(server.call("/v1/user").bearer(&token).send().await.status, 401);
}

#[tokio::test]
async fn a_disabled_user_gets_no_token_and_the_refusal_is_kept_under_its_key() {
    let server = TestServer::start().await;
    let back_office = server.issue_super_user().await;
    server.disable_elsewhere("u1").await;
    let body = json!({"user_id": "u1"});
    let refused = issue_once(&server, &back_office, &body).await;
    assert_eq!(refused.field_errors(), ["user_id: The selected user is disabled."]);
    assert_eq!(refused.header("idempotency-replayed"), None);
    let again = issue_once(&server, &back_office, &body).await;
    assert_eq!((again.status, again.text()), (refused.status, refused.text()));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
}

#[tokio::test]
async fn every_bad_field_is_named() {
    let server = TestServer::start().await;
    let back_office = server.issue_super_user().await;
    for (body, expected) in [
        (json!({}), &["user_id: The user id field is required."][..]),
        (json!({"user_id": ""}), &["user_id: The user id field is required."]),
        (
            json!({"scope": "all", "expires_in": 315_360_001, "user_id": "a".repeat(256)}),
            &[
                "user_id: The user id must not be greater than 255 characters.",
                "expires_in: The expires in must not be greater than 315360000.",
                "scope: The scope field is not known.",
            ],
        ),
        (json!({"user_id": "u1", "expires_in": 0}), &["expires_in: The expires in must be at least 1."]),
        (json!({"user_id": "u1", "expires_in": 1.5}), &["expires_in: The expires in must be an integer."]),
    ] {
        assert_eq!(issue(&server, &back_office, &body).await.field_errors(), expected, "{body}");
    }
}

#[tokio::test]
async fn a_token_ends_itself_and_no_other() {
    let server = TestServer::start().await;
    let (own, back_office) = (server.issue("u1").await, server.issue_super_user().await);
    for token in [own, back_office.clone()] {
        let end = async || server.request(Method::DELETE, PATH, &token).send().await;
        let answer = end().await;
        assert_eq!((answer.status.as_u16(), answer.text()), (200, r#"{"success":true}"#));
        let answer = end().await;
        assert_eq!(
            (answer.status.as_u16(), answer.text()),
            (401, r#"{"message":"Unauthenticated.","code":"unauthenticated"}"#)
        );
    }
    assert_eq!(user_of(&server, server.token()).await, "u1");
    assert_eq!(issue(&server, &back_office, &json!({"user_id": "u1"})).await.status, 401);
}
