//! `POST /v1/manage/users/{userId}/activities`: one award per type and source, for ever.

use http::Method;
use serde_json::{Value, json};

use crate::client::{Answer, Call};
use crate::harness::{STAGING_PATH, TestServer};

const PATH: &str = "/v1/manage/users/u1/activities";
const MAX: i64 = 9_007_199_254_740_991;
/// 2^53: the first number that is no amount.
const TOO_MUCH: i64 = MAX + 1;

/// A server, and a token of its back office.
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

    /// Records, and expects to hear of these fields only.
    async fn refused(&self, body: &Value, expected: &[&str]) {
        assert_eq!(self.record(body).await.field_errors(), expected, "{body}");
    }

    async fn history(&self) -> Value {
        self.0.get("/v1/user/point-history").await.json()
    }

    async fn user(&self, id: &str) -> Answer {
        self.0.request(Method::GET, &format!("/v1/manage/users/{id}"), &self.1).send().await
    }
}

fn scan(source_id: &str, points: i64) -> Value {
    json!({"type": "code", "source_id": source_id, "points": points, "title": "Scan"})
}

/// The activity with one field that is another.
fn with(body: &Value, name: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[name] = value;
    body
}

/// A video with two bonuses, of the day before.
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

/// How the history shows the video.
const VIDEO: &str = r#"{"type":"video","points":20,"bonus_points":15,"title":"Tea","subtitle":"How it is made","created_at":"2026-02-28T09:00:00.500000Z","bonus_breakdown":[{"type":"birthday","points":10,"title":"Happy birthday"},{"type":"campaign","points":5,"title":"Tea week"}]"#;

#[tokio::test]
async fn a_plain_activity_is_answered_byte_for_byte() {
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
async fn bonuses_are_answered_and_stand_in_the_history_byte_for_byte() {
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
async fn the_same_again_is_the_first_transaction_with_the_balance_of_now() {
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
    // The same moment, told in another way.
    let elsewhere = with(&video(), "created_at", json!("2026-02-28T09:00:00.500Z"));
    assert_eq!(office.record(&elsewhere).await.status, 200);
    assert_eq!(office.0.balance().await, 135);
}

#[tokio::test]
async fn other_content_under_the_same_type_and_source_is_a_conflict_that_records_nothing() {
    let office = BackOffice::open().await;
    office.recorded(&video()).await;
    let before = office.history().await;
    let others = [
        ("points", json!(21)),
        ("title", json!("tea")),
        ("subtitle", json!("How it is drunk")),
        ("subtitle", Value::Null),
        ("created_at", json!("2026-02-28T09:00:00.500001Z")),
        ("bonus_breakdown", Value::Null),
        ("bonus_breakdown", json!([])),
        ("bonus_breakdown", json!([{"type": "birthday", "points": 15, "title": "Happy birthday"}])),
    ];
    let bonuses = video()["bonus_breakdown"].as_array().unwrap().clone();
    let turned: Vec<_> = bonuses.iter().rev().cloned().collect();
    for (name, value) in others.into_iter().chain([("bonus_breakdown", turned.into())]) {
        let answer = office.record(&with(&video(), name, value.clone())).await;
        let expected = r#"{"message":"The request was recorded before with other content."}"#;
        assert_eq!((answer.status.as_u16(), answer.text()), (409, expected), "{name}: {value}");
    }
    assert_eq!(office.history().await, before);
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn another_type_source_or_user_is_another_activity() {
    let office = BackOffice::open().await;
    office.recorded(&scan("c-1", 1)).await;
    office.recorded(&with(&scan("c-1", 1), "type", json!("quiz"))).await;
    office.recorded(&scan("C-1", 1)).await;
    let path = "/v1/manage/users/u2/activities";
    let answer = office.0.post(path, &office.1).json(&scan("c-1", 1)).send().await;
    assert_eq!((answer.status.as_u16(), &answer.json()["user_points"]), (201, &json!(1)));
    assert_eq!(office.0.balance().await, 3);
}

#[tokio::test]
async fn a_time_that_is_left_out_is_that_of_the_request_and_is_not_compared() {
    let office = BackOffice::open().await;
    let first = office.recorded(&scan("c-1", 5)).await;
    office.0.advance_seconds(3_600);
    let again = office.record(&scan("c-1", 5)).await;
    assert_eq!((again.status.as_u16(), again.json()), (200, first));
    let null = with(&scan("c-1", 5), "created_at", Value::Null);
    assert_eq!(office.record(&null).await.status, 200);
    let timed = |time: &str| with(&scan("c-1", 5), "created_at", json!(time));
    assert_eq!(office.record(&timed("2026-03-01T12:00:00Z")).await.status, 200);
    assert_eq!(office.record(&timed("2026-03-01T13:00:00Z")).await.status, 409);
    assert_eq!(office.0.balance().await, 5);
}

#[tokio::test]
async fn an_activity_may_be_old_or_ahead_of_the_clock_by_five_minutes() {
    let office = BackOffice::open().await;
    let at = |source: &str, time: &str| with(&scan(source, 1), "created_at", json!(time));
    for (source, time, shown) in [
        ("old", "1999-12-31T23:59:59Z", "1999-12-31T23:59:59.000000Z"),
        ("ahead", "2026-03-01T12:05:00Z", "2026-03-01T12:05:00.000000Z"),
    ] {
        assert_eq!(office.recorded(&at(source, time)).await["data"]["created_at"], shown);
    }
    let future = &["created_at: The created at must not be in the future."][..];
    office.refused(&at("c", "2026-03-01T12:05:00.000001Z"), future).await;
    office.refused(&at("c", "2999-01-01T00:00:00Z"), future).await;
    for bad in ["2026-02-30T00:00:00Z", "2026-03-01T12:00:00", "2026-03-01", "yesterday", ""] {
        office.refused(&at("c", bad), &["created_at: The created at is not a valid date."]).await;
    }
    let days: Vec<_> = office.history().await["data"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(days, ["1999-12-31", "2026-03-01"]);
}

#[tokio::test]
async fn a_type_is_one_of_the_interface_or_one_that_the_tenant_declares() {
    let office = BackOffice::open().await;
    let unknown = &["type: The selected type is invalid."][..];
    let checkin = with(&scan("c-1", 5), "type", json!("checkin"));
    office.refused(&checkin, unknown).await;
    office.0.set("activity_types", "checkin,survey").await;
    assert_eq!(office.recorded(&checkin).await["data"]["type"], "checkin");
    for known in ["code", "video", "quiz", "order", "survey"] {
        office.recorded(&with(&scan("c-1", 5), "type", json!(known))).await;
    }
    for bad in ["Code", "dance", "", " code"] {
        office.refused(&with(&scan("c-2", 5), "type", json!(bad)), unknown).await;
    }
}

#[tokio::test]
async fn points_may_be_taken_to_the_last_one_and_no_further() {
    let office = BackOffice::open().await;
    office.recorded(&scan("c-1", 100)).await;
    let short = &["points: The points must not take more than the balance."][..];
    office.refused(&scan("c-2", -101), short).await;
    let to_nothing = office.recorded(&scan("c-2", -100)).await;
    assert_eq!((&to_nothing["data"]["points"], &to_nothing["user_points"]), (&json!(-100), &json!(0)));
    office.refused(&scan("c-3", -1), short).await;
    // What was taken already is not taken again, though there is nothing left to take.
    let again = office.record(&scan("c-2", -100)).await;
    assert_eq!((again.status.as_u16(), again.json()), (200, to_nothing));
    let bonus = json!([{"type": "campaign", "points": 4, "title": ""}]);
    office.refused(&with(&scan("c-4", -5), "bonus_breakdown", bonus.clone()), short).await;
    let even = office.recorded(&with(&scan("c-4", -4), "bonus_breakdown", bonus)).await;
    assert_eq!((&even["user_points"], &even["data"]["bonus_points"]), (&json!(0), &json!(4)));
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn an_amount_or_a_balance_beyond_its_bounds_is_refused() {
    let office = BackOffice::open().await;
    let bounds = "must be between -9007199254740991 and 9007199254740991.";
    for points in [TOO_MUCH, -TOO_MUCH, i64::MAX, i64::MIN] {
        office.refused(&scan("c-1", points), &[&*format!("points: The points {bounds}")]).await;
    }
    let bonus = |points: &[i64]| {
        let one = |points: &i64| json!({"type": "campaign", "points": points, "title": "x"});
        points.iter().map(one).collect::<Value>()
    };
    let with_bonus = |points, bonuses: &[i64]| with(&scan("c-1", points), "bonus_breakdown", bonus(bonuses));
    let together =
        "points: The points with the bonuses must be between -9007199254740991 and 9007199254740991.";
    office.refused(&with_bonus(MAX, &[1]), &[together]).await;
    let total = "bonus_breakdown: The bonus breakdown in total must be between -9007199254740991 and 9007199254740991.";
    office.refused(&with_bonus(0, &[MAX, 1]), &[total]).await;
    let negative = "bonus_breakdown: The bonus breakdown must not have negative points.";
    office.refused(&with_bonus(10, &[5, -1]), &[negative]).await;
    office.recorded(&scan("c-1", MAX)).await;
    office.refused(&scan("c-2", 1), &["points: The points would make the balance exceed its bounds."]).await;
    assert_eq!(office.0.balance().await, MAX);
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_user_is_created_with_the_first_activity_and_not_by_a_refused_one() {
    let office = BackOffice::open().await;
    let path = "/v1/manage/users/a%2Fb%20%C3%BC/activities";
    let record = async |body: Value| office.0.post(path, &office.1).json(&body).send().await;
    for refused in [scan("c-1", -1), json!({}), with(&scan("c-1", 1), "type", json!("dance"))] {
        assert_eq!(record(refused).await.status, 422);
        assert_eq!(office.user("a%2Fb%20%C3%BC").await.status, 404);
    }
    assert_eq!(record(scan("c-1", 3)).await.status, 201);
    let shown = office.user("a%2Fb%20%C3%BC").await;
    let expected = r#"{"success":true,"data":{"id":"a/b ü","user_points":3,"birth_date":null,"locale":null,"disabled":false,"created_at":"2026-03-01T12:00:00.000000Z"}}"#;
    assert_eq!(shown.text(), expected);
}

#[tokio::test]
async fn an_id_that_nobody_can_have_is_refused_like_a_field() {
    let office = BackOffice::open().await;
    let long = "a".repeat(256);
    for (id, rule) in [
        ("%FF", "must be UTF-8, percent-encoded."),
        ("100%", "must be UTF-8, percent-encoded."),
        ("%00", "must not contain U+0000."),
        (&long, "must not be greater than 255 characters."),
    ] {
        let path = format!("/v1/manage/users/{id}/activities");
        let record = async |body: Value| office.0.post(&path, &office.1).json(&body).send().await;
        let rule = format!("user_id: The user id {rule}");
        assert_eq!(record(scan("c-1", 3)).await.field_errors(), [&*rule]);
        assert_eq!(
            record(with(&scan("c-1", 3), "points", json!("3"))).await.field_errors(),
            [&*rule, "points: The points must be an integer."]
        );
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
async fn staging_sees_nothing_of_it() {
    let office = BackOffice::open().await;
    let staging = office.0.issue_super_user_in_staging().await;
    office.recorded(&scan("c-1", 5)).await;
    let at = |method, path: &str| {
        Call::new(office.0.address(), method, format!("{STAGING_PATH}{path}")).bearer(&staging)
    };
    assert_eq!(at(Method::GET, "/v1/manage/users/u1").send().await.status, 404);
    let answer = at(Method::POST, PATH).json(&scan("c-1", 7)).send().await;
    assert_eq!((answer.status.as_u16(), &answer.json()["user_points"]), (201, &json!(7)));
    assert_eq!(office.0.balance().await, 5);
}

#[tokio::test]
async fn a_customer_records_nothing() {
    let office = BackOffice::open().await;
    let answer = office.0.post(PATH, office.0.token()).json(&scan("c-1", 5)).send().await;
    assert_eq!(
        (answer.status.as_u16(), answer.text()),
        (403, r#"{"message":"This action is unauthorized."}"#)
    );
    assert_eq!(office.0.balance().await, 0);
}
