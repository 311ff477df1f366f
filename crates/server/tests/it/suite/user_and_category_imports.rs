//! `POST /v1/manage/users/import` and `POST /v1/manage/categories/import`.

use http::Method;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::TestServer;

const USERS: &str = "/v1/manage/users/import";
const TREE: &str = "/v1/manage/categories/import";

async fn user(server: &TestServer, token: &str, id: &str) -> Value {
    let answer = server.request(Method::GET, &format!("/v1/manage/users/{id}"), token).send().await;
    answer.json()["data"].clone()
}

async fn users(server: &TestServer, token: &str, query: &str, lines: &str) -> Answer {
    server.post(&format!("{USERS}{query}"), token).ndjson(lines.to_owned()).send().await
}

async fn tree(server: &TestServer, token: &str, query: &str, body: &Value) -> Answer {
    server.post(&format!("{TREE}{query}"), token).json(body).send().await
}

/// Created, replaced, unchanged, rejected.
fn counts(answer: &Answer) -> [u64; 4] {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let data = answer.json()["data"].clone();
    ["created", "replaced", "unchanged", "rejected"].map(|name| data[name].as_u64().unwrap())
}

const LINES: &str =
    "{\"user_id\":\"ann\",\"birth_date\":\"1990-05-17\",\"locale\":\"de\"}\n\n{\"user_id\":\"ben\"}\n";

#[tokio::test]
async fn users_are_created_and_their_whole_profile_is_replaced() {
    let (server, token) = TestServer::with_back_office().await;
    assert_eq!(counts(&users(&server, &token, "", LINES).await), [2, 0, 0, 0]);
    assert_eq!(counts(&users(&server, &token, "", LINES).await), [0, 0, 2, 0]);
    let scan = json!({"type": "code", "source_id": "s", "points": 31, "title": "Scan"});
    server.post("/v1/manage/users/ann/activities", &token).json(&scan).send().await;
    let changed = "{\"user_id\":\"ann\",\"locale\":null}\n{\"user_id\":\"ben\",\"locale\":\"ja\"}\n";
    assert_eq!(counts(&users(&server, &token, "?mode=atomic", changed).await), [0, 2, 0, 0]);
    let ann = user(&server, &token, "ann").await;
    assert_eq!(
        (&ann["birth_date"], &ann["locale"], &ann["user_points"]),
        (&Value::Null, &Value::Null, &json!(31))
    );
    assert_eq!(user(&server, &token, "ben").await["locale"], "ja");
}

#[tokio::test]
async fn bad_lines_of_users_are_named_and_an_atomic_import_stores_none() {
    let (server, token) = TestServer::with_back_office().await;
    let lines = "{\"user_id\":\"ann\"}\n{\"user_id\":\"ben\",\"birth_date\":\"2999-01-01\"}\n{\"locale\":\"?\",\"disabled\":true}\nx\n";
    let answer = users(&server, &token, "?mode=atomic", lines).await;
    insta::assert_snapshot!(answer.json()["errors"].to_string().replace("],", "],\n"), @r#"
    {"lines.2.birth_date":["The birth date must not be in the future."],
    "lines.3.disabled":["The disabled field is not known."],
    "lines.3.locale":["The selected locale is invalid."],
    "lines.3.user_id":["The user id field is required."],
    "lines.4.line":["The line is not JSON at column 1: A JSON value is expected here."]}
    "#);
    let twice =
        users(&server, &token, "?mode=atomic", "{\"user_id\":\"ann\"}\n{\"user_id\":\"ann\"}\n").await;
    assert_eq!(twice.json()["codes"], json!({"lines.2.user_id": ["duplicate_value"]}));
    assert_eq!(user(&server, &token, "ann").await, Value::Null);
    let answer = users(&server, &token, "", lines).await;
    assert_eq!(counts(&answer), [1, 0, 0, 3]);
    let told = answer.json()["data"]["errors"].clone();
    assert_eq!((&told[0]["line"], &told[0]["codes"]), (&json!(2), &json!({"birth_date": ["in_the_future"]})));
    assert_eq!(user(&server, &token, "ann").await["id"], "ann");
    assert_eq!(user(&server, &token, "ben").await, Value::Null);
}

#[tokio::test]
async fn a_dry_run_of_users_says_what_the_import_says_and_stores_nothing() {
    let (server, token) = TestServer::with_back_office().await;
    users(&server, &token, "", LINES).await;
    let before = server.stored().await;
    let lines = "{\"user_id\":\"ann\"}\n{\"user_id\":\"ben\"}\n{\"user_id\":\"cem\"}\n{\"user_id\":\"cem\",\"locale\":\"tr\"}\n{}\n";
    let tried = users(&server, &token, "?dry_run=true", lines).await;
    assert!(server.stored().await == before, "a dry run stored something");
    let done = users(&server, &token, "", lines).await;
    assert_eq!((counts(&tried), tried.text()), ([1, 2, 1, 1], done.text()));
}

#[tokio::test]
async fn a_tree_replaces_the_stored_one_and_says_what_changed() {
    let (server, token) = TestServer::with_back_office().await;
    let leaf = |id: &str| json!({"id": id, "label": id});
    let first = json!({"categories": [{"id": "a", "label": "A", "children": [leaf("b")]}, leaf("c")]});
    let second = json!({"categories": [leaf("c"), {"id": "d", "label": "D", "parent_id": "c"}]});
    let said = |created: u64, replaced: u64, unchanged: u64, removed: u64| {
        format!(
            r#"{{"success":true,"data":{{"created":{created},"replaced":{replaced},"unchanged":{unchanged},"removed":{removed}}}}}"#
        )
    };
    assert_eq!(tree(&server, &token, "", &first).await.text(), said(3, 0, 0, 0));
    assert_eq!(tree(&server, &token, "", &first).await.text(), said(0, 0, 3, 0));
    let before = server.stored().await;
    assert_eq!(tree(&server, &token, "?dry_run=true", &second).await.text(), said(1, 1, 0, 2));
    assert!(server.stored().await == before, "a dry run changed something");
    assert_eq!(tree(&server, &token, "", &second).await.text(), said(1, 1, 0, 2));
    let shown = server.request(Method::GET, "/v1/manage/categories", &token).send().await.json();
    let below = json!([{"id": "d", "label": "D", "children": []}]);
    assert_eq!(shown["data"], json!([{"id": "c", "label": "c", "children": below}]));
    assert_eq!(
        server.get("/v1/store/categories").await.json()["data"][0]["id"],
        "c",
        "customers see it at once"
    );
}

#[tokio::test]
async fn an_empty_tree_and_one_with_a_mistake_change_nothing() {
    let (server, token) = TestServer::with_back_office().await;
    let before = server.stored().await;
    for (body, field, code) in [
        (json!({"categories": []}), "categories", "required"),
        (json!({"categories": [{"id": "a"}]}), "categories.0.label", "required"),
        (
            json!({"categories": [{"id": "a", "label": "A", "parent_id": "x"}]}),
            "categories.0.parent_id",
            "unknown_category",
        ),
    ] {
        for query in ["", "?dry_run=true"] {
            let answer = tree(&server, &token, query, &body).await;
            assert_eq!(answer.status, 422, "{}", answer.text());
            assert_eq!(answer.json()["codes"], json!({field: [code]}));
        }
    }
    assert!(server.stored().await == before);
}
