//! Activities with bonuses of campaigns: recording, trying and explaining them.

use http::Method;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::TestServer;

const ACTIVITIES: &str = "/v1/manage/users/u7/activities";

/// 50 % for scans of tea.
async fn with_tea_week() -> (TestServer, String) {
    let (server, token) = TestServer::with_back_office().await;
    let tea = json!({
        "id": "tea", "title": {"en": "Tea week"}, "conditions": {"types": ["code"], "attributes": {"sku": ["tea"]}},
        "reward": {"percent": 50},
    });
    server.start_campaign(&token, tea).await;
    (server, token)
}

fn scan(source: &str, more: Value) -> Value {
    let mut scan = json!({"type": "code", "source_id": source, "points": 31, "title": "Scan"});
    if let Value::Object(more) = more {
        more.into_iter().for_each(|(name, value)| scan[name.as_str()] = value);
    }
    scan
}

fn tea(source: &str) -> Value {
    scan(source, json!({"attributes": {"sku": "tea", "store": "Köln"}}))
}

async fn record(server: &TestServer, token: &str, body: &Value) -> Answer {
    server.post(ACTIVITIES, token).json(body).send().await
}

#[tokio::test]
async fn a_campaign_adds_its_bonus_once_and_the_history_shows_it() {
    let (server, token) = with_tea_week().await;
    let first = record(&server, &token, &tea("s1")).await;
    assert_eq!(first.status, 201, "{}", first.text());
    let data = &first.json()["data"];
    let bonus = json!([{"type": "campaign", "points": 15, "title": "Tea week"}]);
    assert_eq!((&data["bonus_breakdown"], &first.json()["user_points"]), (&bonus, &json!(46)));
    assert_eq!(data["attributes"], json!({"sku": "tea", "store": "Köln"}));
    let again = record(&server, &token, &tea("s1")).await;
    assert_eq!((again.status.as_u16(), again.json()), (200, first.json()));
    let other = record(&server, &token, &scan("s1", json!({"attributes": {"sku": "tea"}}))).await;
    assert_eq!(other.status, 409, "other attributes are another request");
    let without = record(&server, &token, &scan("s2", json!({}))).await.json();
    assert_eq!((&without["data"]["bonus_points"], without["data"].get("attributes")), (&json!(0), None));
}

#[tokio::test]
async fn bonuses_of_the_request_win_unless_it_asks_to_add() {
    let (server, token) = with_tea_week().await;
    let own = json!([{"type": "welcome", "points": 5, "title": "Welcome"}]);
    for (number, breakdown, rules, expected) in [
        (1, json!([]), Value::Null, json!(0)),
        (2, own.clone(), Value::Null, json!(5)),
        (3, own.clone(), json!("add"), json!(20)),
        (4, Value::Null, json!("add"), json!(15)),
        (5, Value::Null, Value::Null, json!(15)),
    ] {
        let mut body = tea(&format!("s{number}"));
        body["bonus_breakdown"] = breakdown;
        if !rules.is_null() {
            body["rules"] = rules;
        }
        let answer = record(&server, &token, &body).await.json();
        assert_eq!(answer["data"]["bonus_points"], expected, "{number}: {answer}");
        let again = record(&server, &token, &body).await;
        assert_eq!(again.status, 200, "{}", again.text());
    }
    let mut body = tea("s6");
    body["rules"] = json!("replace");
    assert_eq!(record(&server, &token, &body).await.status, 422);
}

#[tokio::test]
async fn a_dry_run_says_what_recording_would_do_and_records_nothing() {
    let (server, token) = with_tea_week().await;
    let path = format!("{ACTIVITIES}/dry-run");
    let tried = server.post(&path, &token).json(&tea("s1")).send().await.json()["data"].clone();
    let verdict = json!([{"campaign": "tea", "version": 2, "result": "applied", "points": 15}]);
    assert_eq!((&tried["campaigns"], &tried["already_recorded"]), (&verdict, &json!(false)));
    assert_eq!(tried["transaction"]["bonus_points"], 15);
    let by_parameter = server.post(&format!("{ACTIVITIES}?dry_run=true"), &token).json(&tea("s1"));
    let by_parameter = by_parameter.header("idempotency-key", "k1").send().await;
    assert_eq!((by_parameter.status.as_u16(), &by_parameter.json()["data"]), (200, &tried));
    let users = server.request(Method::GET, "/v1/manage/users/u7", &token).send().await;
    assert_eq!(users.status, 404, "the user is still unknown");
    let recorded = record(&server, &token, &tea("s1")).await.json();
    assert_eq!(recorded["data"]["bonus_points"], tried["transaction"]["bonus_points"]);
    let tried = server.post(&path, &token).json(&tea("s1")).send().await.json();
    assert_eq!(tried["data"]["already_recorded"], true);
}

#[tokio::test]
async fn a_transaction_is_explained_with_one_reason_for_each_campaign() {
    let (server, token) = with_tea_week().await;
    let explain = async |answer: Answer| {
        let id = answer.json()["data"]["id"].as_str().unwrap().to_owned();
        let path = format!("/v1/manage/users/u7/transactions/{id}/explain");
        server.request(Method::GET, &path, &token).send().await.json()["data"].clone()
    };
    let applied = explain(record(&server, &token, &tea("s1")).await).await;
    assert_eq!(applied["campaigns"][0]["result"], "applied");
    assert_eq!(applied["awards"], json!([{"campaign": "tea", "version": 2, "points": 15}]));
    let coffee = scan("s2", json!({"attributes": {"sku": "coffee"}}));
    let other = explain(record(&server, &token, &coffee).await).await;
    let compared = json!({"expected": "tea", "actual": "coffee"});
    let verdict = &other["campaigns"][0];
    assert_eq!((&verdict["reason"], &verdict["compared"]), (&json!("attribute.sku"), &compared));
    let given = scan("s3", json!({"bonus_breakdown": []}));
    let tried = server.post(&format!("{ACTIVITIES}/dry-run"), &token).json(&given).send().await.json();
    assert_eq!(tried["data"]["campaigns"][0]["reason"], "given_by_back_office");
    let given = explain(record(&server, &token, &given).await).await;
    assert_eq!(given["campaigns"][0]["reason"], "given_by_back_office");
    let late = scan("s4", json!({"created_at": "2026-02-20T00:00:00Z", "attributes": {"sku": "tea"}}));
    let late = explain(record(&server, &token, &late).await).await;
    assert_eq!(late["campaigns"][0]["reason"], "too_late");
    let path = "/v1/manage/users/u7/transactions/none/explain";
    assert_eq!(server.request(Method::GET, path, &token).send().await.status, 404);
}

/// In Kiribati, Wednesday, 2026-02-25, begins at ten o'clock of the day before.
#[tokio::test]
async fn a_local_day_begins_at_midnight_in_the_zone_of_the_tenant() {
    let (server, token) = TestServer::with_back_office().await;
    server.set("time_zone", "Pacific/Kiritimati").await;
    let campaign = json!({
        "id": "wednesday", "title": {"en": "Wednesday"}, "conditions": {"weekdays": ["wed"]},
        "reward": {"percent": 100},
    });
    server.start_campaign(&token, campaign).await;
    for (at, expected) in [("2026-02-24T09:59:59.999999Z", 0), ("2026-02-24T10:00:00Z", 31)] {
        let recorded = record(&server, &token, &scan(at, json!({"created_at": at}))).await;
        assert_eq!(recorded.json()["data"]["bonus_points"], expected, "{at}");
    }
}

#[tokio::test]
async fn wrong_attributes_are_refused_by_name() {
    let (server, token) = with_tea_week().await;
    let many: Value = (0..17).map(|number| (format!("n{number}"), json!("v"))).collect();
    for (attributes, error, code) in [
        (
            json!({"Gift_card": "tea"}),
            "attributes.Gift_card: The attributes.Gift_card name must have 1 to 32 characters of a-z, 0-9, _ and -.",
            "wrong_form",
        ),
        (
            json!({"gift_card": ""}),
            "attributes.gift_card: The attributes.gift_card must have 1 to 200 characters, and no U+0000.",
            "wrong_form",
        ),
        (
            json!({"a": "x", "gift_card": 5}),
            "attributes.gift_card: The attributes.gift_card must be a string.",
            "not_a_string",
        ),
        (json!(["sku"]), "attributes: The attributes must be an object.", "not_an_object"),
        (many, "attributes: The attributes must not have more than 16 names.", "too_many"),
    ] {
        let answer = record(&server, &token, &scan("s1", json!({"attributes": attributes}))).await;
        assert_eq!(answer.status, 422, "{}", answer.text());
        assert!(answer.text().contains(code), "{code}: {}", answer.text());
        assert_eq!(answer.field_errors(), [error]);
    }
}

/// A line that says what the bonuses are, also that there are none, has the reason of such a request.
#[tokio::test]
async fn an_import_evaluates_no_campaigns() {
    let (server, token) = with_tea_week().await;
    let line = |source: &str, breakdown: Option<Value>| {
        let mut line = tea(source);
        (line["user_id"], line["created_at"]) = (json!("u7"), json!("2026-02-28T10:00:00Z"));
        if let Some(breakdown) = breakdown {
            line["bonus_breakdown"] = breakdown;
        }
        line.to_string()
    };
    let lines = [line("s1", None), line("s2", Some(Value::Null)), line("s3", Some(json!([])))].join("\n");
    let answer = server.post("/v1/manage/activities/import", &token).ndjson(lines).send().await;
    assert_eq!(answer.json()["data"]["recorded"], 3);
    let rows = server.request(Method::GET, "/v1/manage/users/u7/transactions", &token).send().await.json();
    for row in rows["data"].as_array().unwrap() {
        assert_eq!((&row["bonus_points"], &row["attributes"]["sku"]), (&json!(0), &json!("tea")));
        let path = format!("/v1/manage/users/u7/transactions/{}/explain", row["id"].as_str().unwrap());
        let explained = server.request(Method::GET, &path, &token).send().await.json();
        let expected = if row["source_id"] == "s3" { "given_by_back_office" } else { "import" };
        assert_eq!(explained["data"]["campaigns"][0]["reason"], expected, "{row}");
    }
}

/// An empty breakdown says that there are no bonuses, and its absence asks the campaigns.
#[tokio::test]
async fn a_repeat_with_an_empty_breakdown_instead_of_none_is_a_conflict() {
    let (server, token) = with_tea_week().await;
    let empty = |source: &str, rules: Value| {
        let mut body = scan(source, json!({"bonus_breakdown": []}));
        if !rules.is_null() {
            body["rules"] = rules;
        }
        body
    };
    let absent = |source: &str| scan(source, json!({}));
    let status = async |body: Value| record(&server, &token, &body).await.status.as_u16();
    assert_eq!(status(absent("s1")).await, 201);
    assert_eq!(status(empty("s1", Value::Null)).await, 409);
    assert_eq!(status(empty("s1", json!("add"))).await, 200, "it asks the campaigns too");
    assert_eq!(status(absent("s1")).await, 200);
    assert_eq!(status(empty("s2", Value::Null)).await, 201);
    assert_eq!(status(absent("s2")).await, 409);
    assert_eq!(status(empty("s2", Value::Null)).await, 200);
}

/// The budget of `a` is spent, so `b` wins the group, and the ceiling of 50 leaves 49 for `c`.
#[tokio::test]
async fn an_explanation_with_a_budget_a_group_and_the_ceiling_agrees_with_its_awards() {
    let (server, token) = TestServer::with_back_office().await;
    let title = json!({"en": "Spring"});
    for campaign in [
        json!({"id": "a", "kind": "zeta", "title": title, "reward": {"points": 3}, "group": {"name": "g"},
               "priority": 9, "limits": {"budget": {"awards": 1}}}),
        json!({"id": "b", "title": title, "reward": {"points": 1}, "group": {"name": "g"}, "priority": 5}),
        json!({"id": "c", "title": title, "reward": {"percent": 10_000}, "conditions": {"types": ["code"]},
               "limits": {"budget": {"points": 1_000_000}}}),
    ] {
        server.start_campaign(&token, campaign).await;
    }
    let video = json!({"type": "video", "source_id": "v1", "points": 5, "title": "Video"});
    assert_eq!(record(&server, &token, &video).await.json()["data"]["bonus_points"], 3);
    let code = record(&server, &token, &scan("s1", json!({"points": 5}))).await.json();
    assert_eq!(code["data"]["bonus_points"], 50);
    let id = code["data"]["id"].as_str().unwrap();
    let path = format!("/v1/manage/users/u7/transactions/{id}/explain");
    let explained = server.request(Method::GET, &path, &token).send().await.json()["data"].take();
    let short = |verdict: &Value| {
        let [result, reason, points, by] =
            ["result", "reason", "points", "clipped_by"].map(|name| verdict[name].clone());
        json!([result, reason, points, by])
    };
    let verdicts: Vec<Value> = explained["campaigns"].as_array().unwrap().iter().map(short).collect();
    let expected = json!([
        ["not_applied", "budget", null, null],
        ["applied", null, 1, null],
        ["clipped", null, 49, "ceiling"],
    ]);
    assert_eq!(json!(verdicts), expected, "{explained}");
}
