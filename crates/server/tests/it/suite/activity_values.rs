//! The values that the fields of an activity may have, and the users that it may belong to.

use serde_json::{Value, json};

use super::activities::{BackOffice, scan, with};

const MAX: i64 = 9_007_199_254_740_991;
/// 2^53: the first number that is too large for points.
const TOO_MUCH: i64 = MAX + 1;

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
        office.refused(&at("c", bad), &["created_at: The created at must be a date-time with seconds and with Z or an offset, such as 2026-05-05T07:30:00Z."]).await;
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
    // A repeated activity takes no points, even if no points are left.
    let again = office.record(&scan("c-2", -100)).await;
    assert_eq!((again.status.as_u16(), again.json()), (200, to_nothing));
    let bonus = json!([{"type": "campaign", "points": 4, "title": ""}]);
    office.refused(&with(&scan("c-4", -5), "bonus_breakdown", bonus.clone()), short).await;
    let even = office.recorded(&with(&scan("c-4", -4), "bonus_breakdown", bonus)).await;
    assert_eq!((&even["user_points"], &even["data"]["bonus_points"]), (&json!(0), &json!(4)));
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn amount_or_balance_out_of_range_is_refused() {
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
async fn invalid_user_id_is_refused_like_a_field() {
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
