//! `POST /v1/manage/users/{userId}/activities`: each type and source id is recorded once.

use http::Method;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::TestServer;

const PATH: &str = "/v1/manage/users/u1/activities";
const MAX: i64 = 9_007_199_254_740_991;

/// A server, and a token of the back office.
struct BackOffice(TestServer, String);

impl BackOffice {
    async fn open() -> Self {
        let (server, token) = TestServer::with_back_office().await;
        Self(server, token)
    }

    async fn record(&self, body: &Value) -> Answer {
        self.0.post(PATH, &self.1).json(body).send().await
    }

    async fn recorded(&self, body: &Value) -> Value {
        let answer = self.record(body).await;
        assert_eq!(answer.status, 201, "{body}: {}", answer.text());
        answer.json()
    }

    /// Records an activity. Expects a 422 with exactly these fields.
    async fn refused(&self, body: &Value, expected: &[&str]) {
        assert_eq!(self.record(body).await.field_errors(), expected, "{body}");
    }

    async fn history(&self) -> Value {
        self.0.get("/v1/user/point-history").await.json()
    }
}

fn scan(source_id: &str, points: i64) -> Value {
    json!({"type": "code", "source_id": source_id, "points": points, "title": "Scan"})
}

/// The activity with one field changed.
fn with(body: &Value, name: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[name] = value;
    body
}

/// A video of the day before, with two bonuses.
fn video() -> Value {
    json!({
        "type": "video", "source_id": "v-7", "points": 20, "title": "Tea", "subtitle": "How it is made",
        "created_at": "2026-02-28T10:00:00.5+01:00",
        "bonus_breakdown": [
            {"type": "birthday", "points": 10, "title": "Happy birthday"},
            {"type": "campaign", "points": 5, "title": "Tea week"},
        ],
    })
}

/// The video in the history.
const VIDEO: &str = r#"{"type":"video","points":20,"bonus_points":15,"title":"Tea","subtitle":"How it is made","created_at":"2026-02-28T09:00:00.500000Z","bonus_breakdown":[{"type":"birthday","points":10,"title":"Happy birthday"},{"type":"campaign","points":5,"title":"Tea week"}]"#;

#[tokio::test]
async fn plain_activity_gives_the_documented_response_byte_for_byte() {
    let office = BackOffice::open().await;
    let answer = office.record(&scan("c-1", 50)).await;
    let expected = r#"{"success":true,"data":{"type":"code","points":50,"bonus_points":0,"title":"Scan","subtitle":"","created_at":"2026-03-01T12:00:00.000000Z","id":"id-00000004","source_id":"c-1","seq":1},"user_points":50}"#;
    assert_eq!((answer.status.as_u16(), answer.text()), (201, expected));
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("idempotency-replayed"), None);
    let other = office.recorded(&scan("c-2", 7)).await;
    assert_eq!((&other["data"]["seq"], &other["user_points"]), (&json!(2), &json!(57)));
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn bonuses_are_in_response_and_history_byte_for_byte() {
    let office = BackOffice::open().await;
    let answer = office.record(&video()).await;
    let expected = format!(
        r#"{{"success":true,"data":{VIDEO},"id":"id-00000004","source_id":"v-7","seq":1}},"user_points":35}}"#
    );
    assert_eq!((answer.status.as_u16(), answer.text()), (201, &*expected));
    let history = office.0.get("/v1/user/point-history").await;
    let expected = format!(
        r#"{{"data":{{"2026-02-28":[{{"type":"video","groupTitle":"Video watched","groupSubtitle":"How it is made","totalPoints":20,"totalBonusPoints":15,"data":[{VIDEO}}}]}}]}},"meta":{{"current_page":1,"per_page":15,"last_page":1,"total":1}},"user_points":35}}"#
    );
    assert_eq!(history.text(), expected);
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn repeated_activity_returns_the_first_transaction_and_current_balance() {
    let office = BackOffice::open().await;
    let first = office.recorded(&video()).await;
    office.recorded(&scan("c-1", 100)).await;
    office.0.advance_seconds(86_400);
    let again = office.record(&video()).await;
    let expected = format!(
        r#"{{"success":true,"data":{VIDEO},"id":"id-00000004","source_id":"v-7","seq":1}},"user_points":135}}"#
    );
    assert_eq!((again.status.as_u16(), again.text()), (200, &*expected));
    assert_eq!((again.header("idempotency-replayed"), &again.json()["data"]), (None, &first["data"]));
    // The same time, written differently.
    let elsewhere = with(&video(), "created_at", json!("2026-02-28T09:00:00.500Z"));
    assert_eq!(office.record(&elsewhere).await.status, 200);
    assert_eq!(office.0.balance().await, 135);
}

#[tokio::test]
async fn other_content_under_the_same_type_and_source_is_a_conflict_that_records_nothing() {
    let office = BackOffice::open().await;
    office.recorded(&video()).await;
    let before = office.history().await;
    let expected =
        r#"{"message":"The request was recorded before with other content.","code":"already_recorded"}"#;
    for (name, value) in [("points", json!(21)), ("bonus_breakdown", Value::Null)] {
        let answer = office.record(&with(&video(), name, value)).await;
        assert_eq!((answer.status.as_u16(), answer.text()), (409, expected), "{name}");
    }
    assert_eq!(office.history().await, before);
}

#[tokio::test]
async fn all_bad_fields_are_in_one_response() {
    let office = BackOffice::open().await;
    let body = r#"{"x":1,"bonus_breakdown":[{"type":7,"points":-1.5}],"subtitle":[],"points":"5","type":"dance","title":""}"#;
    for (path, more) in [
        (PATH, None),
        ("/v1/manage/users/%FF/activities", Some("user_id: The user id must be UTF-8, percent-encoded.")),
    ] {
        let answer = office.0.post(path, &office.1).body(body).key("a b").send().await;
        let expected = [
            "Idempotency-Key: The Idempotency-Key must have 1 to 255 visible characters of ASCII.",
            "type: The selected type is invalid.",
            "source_id: The source id field is required.",
            "points: The points must be an integer.",
            "title: The title field is required.",
            "subtitle: The subtitle must be a string.",
            "bonus_breakdown.0.type: The bonus breakdown.0.type must be a string.",
            "bonus_breakdown.0.points: The bonus breakdown.0.points must be an integer.",
            "bonus_breakdown.0.title: The bonus breakdown.0.title field is required.",
            "x: The x field is not known.",
        ];
        let found = answer.field_errors();
        let found = found.iter().map(String::as_str);
        let (of_path, of_body): (Vec<_>, Vec<_>) = found.partition(|told| told.starts_with("user_id"));
        assert_eq!((of_path, of_body), (more.into_iter().collect(), expected.to_vec()), "{path}");
    }
}

#[tokio::test]
async fn the_ledger_names_points_that_it_cannot_take() {
    let office = BackOffice::open().await;
    office.recorded(&scan("c-1", 100)).await;
    let short = &["points: The points must not take more than the balance."][..];
    office.refused(&scan("c-2", -101), short).await;
    office.recorded(&scan("c-2", MAX - 100)).await;
    let bounds = &["points: The points would make the balance exceed its bounds."][..];
    office.refused(&scan("c-3", 1), bounds).await;
    assert_eq!(office.0.balance().await, MAX);
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_type_is_one_of_the_interface_or_one_that_the_tenant_declares() {
    let office = BackOffice::open().await;
    let checkin = with(&scan("c-1", 5), "type", json!("checkin"));
    office.refused(&checkin, &["type: The selected type is invalid."]).await;
    office.0.set("activity_types", "checkin,survey").await;
    for known in ["checkin", "code", "video", "quiz", "order", "survey"] {
        office.recorded(&with(&scan("c-1", 5), "type", json!(known))).await;
    }
}

#[tokio::test]
async fn a_disabled_user_still_earns_and_pays() {
    let office = BackOffice::open().await;
    office.0.disable_elsewhere("u1").await;
    assert_eq!(office.recorded(&scan("c-1", 5)).await["user_points"], 5);
    assert_eq!(office.recorded(&scan("c-2", -3)).await["user_points"], 2);
}

#[tokio::test]
async fn the_ledger_of_a_user_is_listed_newest_first_with_each_balance() {
    let office = BackOffice::open().await;
    let mut recorded = Vec::new();
    for body in [scan("a", 60), video(), scan("b", -25)] {
        recorded.push(office.recorded(&body).await["data"].clone());
        office.0.advance_seconds(60);
    }
    let list = async |query: &str| {
        let path = format!("/v1/manage/users/u1/transactions{query}");
        office.0.request(Method::GET, &path, &office.1).send().await.json()
    };
    let all = list("").await;
    for (row, (balance, minute)) in [(60, 0), (95, 1), (70, 2)].into_iter().enumerate() {
        let mut expected = recorded[row].clone();
        expected["balance_after"] = json!(balance);
        expected["recorded_at"] = json!(format!("2026-03-01T12:0{minute}:00.000000Z"));
        assert_eq!(all["data"][2 - row], expected);
    }
    assert_eq!((all["data"].as_array().unwrap().len(), &all["meta"]["total"]), (3, &json!(3)));
    let middle = list("?page[size]=1&page[number]=2").await;
    assert_eq!(middle["data"], json!([all["data"][1]]));
    let link = middle["links"]["next"].as_str().unwrap();
    assert!(link.ends_with("/v1/manage/users/u1/transactions?page%5Bsize%5D=1&page%5Bnumber%5D=3"), "{link}");
    let beyond = list("?page[number]=9").await;
    assert_eq!((&beyond["data"], &beyond["meta"]["total"]), (&json!([]), &json!(3)));
}

#[tokio::test]
async fn ledger_of_new_user_is_empty_and_of_unknown_user_is_404() {
    let office = BackOffice::open().await;
    let list = async |path: &str| office.0.request(Method::GET, path, &office.1).send().await;
    let empty = list("/v1/manage/users/u1/transactions").await.json();
    assert_eq!((&empty["data"], &empty["meta"]["total"]), (&json!([]), &json!(0)));
    for unknown in ["stranger", "%FF", "%00"] {
        assert_eq!(list(&format!("/v1/manage/users/{unknown}/transactions")).await.status, 404, "{unknown}");
    }
    let wrong = list("/v1/manage/users/u1/transactions?page[size]=0&filter[type]=code").await;
    assert_eq!(
        wrong.field_errors(),
        ["page.size: The page.size must be at least 1.", "filter.type: The selected filter.type is invalid."]
    );
}

impl BackOffice {
    async fn reverse(&self, transaction: &Value, body: &Value) -> Answer {
        let id = transaction["id"].as_str().unwrap();
        let path = format!("/v1/manage/users/u1/transactions/{id}/reverse");
        self.0.post(&path, &self.1).json(body).send().await
    }
}

#[tokio::test]
async fn a_transaction_is_reversed_once_with_its_bonuses() {
    let office = BackOffice::open().await;
    let recorded = office.recorded(&video()).await["data"].clone();
    office.0.advance_seconds(60);
    let first = office.reverse(&recorded, &json!({"reason": "returned"})).await;
    let expected = r#"{"success":true,"data":{"type":"video","points":-35,"bonus_points":0,"title":"Tea","subtitle":"returned","created_at":"2026-03-01T12:01:00.000000Z","id":"id-00000005","source_id":"id-00000004:reversal","seq":2},"user_points":0}"#;
    assert_eq!((first.status.as_u16(), first.text()), (201, expected));
    let again = office.reverse(&recorded, &json!({"reason": "another one", "partial": true})).await;
    assert_eq!((again.status.as_u16(), again.text()), (200, expected));
    // A reversal is a transaction, so it can be reversed, too.
    let undone = office.reverse(&first.json()["data"], &json!({"reason": "by mistake"})).await.json();
    assert_eq!((&undone["data"]["points"], &undone["user_points"]), (&json!(35), &json!(35)));
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_transaction_is_returned_in_parts() {
    let office = BackOffice::open().await;
    let recorded = office.recorded(&video()).await["data"].clone();
    let path = format!("/v1/manage/users/u1/transactions/{}/reverse", recorded["id"].as_str().unwrap());
    let part = async |points: i64, key: &str| {
        let body = json!({"reason": "returned", "points": points});
        office.0.post(&path, &office.1).header("idempotency-key", key).json(&body).send().await
    };
    let without = office.reverse(&recorded, &json!({"reason": "returned", "points": 8})).await;
    assert_eq!(
        without.field_errors(),
        [
            "Idempotency-Key: The Idempotency-Key is required with points: it tells a repeat from another return of the same number of points."
        ]
    );
    // 20 points and bonuses of 15.
    for key in ["a", "a", "b"] {
        let returned = part(8, key).await;
        let (source, balance) = if key == "a" { (8, 21) } else { (16, 7) };
        let body = returned.json();
        assert_eq!((returned.status.as_u16(), &body["user_points"]), (201, &json!(balance)), "{key}");
        let id = recorded["id"].as_str().unwrap();
        assert_eq!(body["data"]["source_id"], format!("{id}:reversal:{source}"));
    }
    let beyond = part(5, "c").await;
    assert_eq!(beyond.field_errors(), ["points: The points must not be greater than 4."]);
    let rest = office.reverse(&recorded, &json!({"reason": "returned"})).await.json();
    assert_eq!((&rest["data"]["points"], &rest["user_points"]), (&json!(-7), &json!(0)));
    assert_eq!(
        part(1, "d").await.field_errors(),
        ["points: The points of this transaction are reversed already, or it has only bonuses."]
    );
    let wrong = part(0, "e").await;
    assert_eq!(wrong.field_errors(), ["points: The points must be at least 1."]);
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_return_of_spent_points_is_a_debt_where_the_tenant_says_so() {
    let office = BackOffice::open().await;
    office.0.set("returns_may_overdraw", "true").await;
    let recorded = office.recorded(&scan("a", 60)).await["data"].clone();
    office.recorded(&scan("b", -45)).await;
    let reversed = office.reverse(&recorded, &json!({"reason": "returned"})).await.json();
    assert_eq!((&reversed["data"]["points"], &reversed["user_points"]), (&json!(-60), &json!(-45)));
    assert_eq!(office.recorded(&scan("c", 50)).await["user_points"], 5);
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn points_that_are_spent_are_named_and_what_is_left_is_reversed_on_demand() {
    let office = BackOffice::open().await;
    let recorded = office.recorded(&scan("a", 60)).await["data"].clone();
    office.recorded(&scan("b", -45)).await;
    let refused = office.reverse(&recorded, &json!({"reason": "returned"})).await;
    assert_eq!(
        refused.field_errors(),
        ["points: The points exceed the balance by 45: send partial = true to take what is left."]
    );
    let part = office.reverse(&recorded, &json!({"reason": "returned", "partial": true})).await.json();
    assert_eq!((&part["data"]["points"], &part["user_points"]), (&json!(-15), &json!(0)));
    let whole = office.reverse(&recorded, &json!({"reason": "returned"})).await;
    assert_eq!((whole.status.as_u16(), whole.json()["data"].clone()), (200, part["data"].clone()));
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn irreversible_transactions_are_refused_with_the_reason() {
    let office = BackOffice::open().await;
    let recorded = office.recorded(&scan("a", 500)).await["data"].clone();
    let unknown = office.reverse(&json!({"id": "nothing"}), &json!({"reason": "returned"})).await;
    assert_eq!(unknown.status, 404);
    let wrong = office.reverse(&recorded, &json!({"reason": "", "partial": 1, "points": "5"})).await;
    assert_eq!(
        wrong.field_errors(),
        [
            "reason: The reason field is required.",
            "points: The points must be an integer.",
            "partial: The partial field must be true or false."
        ]
    );
    let mut taken = scan(&format!("{}:reversal", recorded["id"].as_str().unwrap()), 7);
    taken["title"] = json!("Not a reversal");
    office.recorded(&taken).await;
    assert_eq!(office.reverse(&recorded, &json!({"reason": "returned"})).await.status, 409);
}

#[tokio::test]
async fn the_points_of_an_order_come_back_by_cancelling_it() {
    let server = TestServer::with_sample().await;
    server.award(1_000).await;
    server.ordered("cafe", 2).await;
    let token = server.issue_super_user().await;
    let office = BackOffice(server, token);
    let ledger =
        office.0.request(Method::GET, "/v1/manage/users/u1/transactions", &office.1).send().await.json();
    let spending = &ledger["data"][0];
    assert_eq!(spending["type"], "order");
    let refused = office.reverse(spending, &json!({"reason": "returned"})).await;
    let message = r#"{"message":"The transaction belongs to an order: cancel the order instead.","code":"transaction_of_order"}"#;
    assert_eq!((refused.status.as_u16(), refused.text()), (409, message));
}
