//! Facts about the model, computed by hand.

mod combining;

use serde_json::{Value, json};

use super::calendar::{MICROS_PER_DAY, date_of, day_of, parse_day, parse_instant, weekday};
use super::{Event, Feb29, Member, Model, Options, Outcome};

/// A tenant in UTC with the default settings.
fn options() -> Options {
    let (feb29, own_locale) = (Feb29::Feb28, "en".to_owned());
    let is_control = |_: &str, _: &str, _: u32| false;
    Options { feb29, birth_date_days: 30, ceiling_factor: 10, max_age_days: 7, own_locale, is_control }
}

/// A campaign of 100 %, with the given members on top.
fn campaign(id: &str, members: Value) -> Value {
    let mut campaign = json!({"id": id, "title": {"en": id}, "reward": {"percent": 100}});
    let Value::Object(mut members) = members else { panic!("{members} is not an object") };
    campaign.as_object_mut().unwrap().append(&mut members);
    campaign
}

fn model(campaigns: impl Into<Vec<Value>>) -> Model {
    Model::new(campaigns.into(), options())
}

/// A scanned code of `aiko` in UTC.
fn code(at: &str, points: i64) -> Event {
    let micros = parse_instant(at);
    Event {
        user: "aiko".to_owned(),
        kind: "code".to_owned(),
        source_id: "SPRING-1".to_owned(),
        points,
        at: micros,
        day: micros.div_euclid(MICROS_PER_DAY),
        minute: micros.rem_euclid(MICROS_PER_DAY) / 60_000_000,
        attributes: [("store".to_owned(), "tokyo".to_owned())].into(),
    }
}

/// A code of `aiko` at noon.
fn code_on(day: &str, points: i64) -> Event {
    code(&format!("{day}T12:00:00Z"), points)
}

fn aiko() -> Member {
    let created_at = parse_instant("2024-01-01T00:00:00Z");
    Member { id: "aiko".to_owned(), birth_date: None, set_at: None, created_at, locale: None }
}

fn born(date: (i64, i64, i64)) -> Member {
    Member { birth_date: Some(date), ..aiko() }
}

/// The verdict of the campaign `a` on one event without history.
fn verdict(members: Value, event: &Event) -> String {
    model([campaign("a", members)]).record(event, &aiko()).verdicts["a"].clone()
}

/// The points of each award of `outcome` by campaign.
fn points(outcome: &Outcome) -> Vec<(&str, i64)> {
    outcome.awards.iter().map(|(id, points)| (id.as_str(), *points)).collect()
}

/// The verdicts of campaign `a` on events of 10 points at noon of these days.
fn on_days(model: &mut Model, member: &Member, days: &[&str]) -> Vec<String> {
    days.iter().map(|day| model.record(&code_on(day, 10), member).verdicts["a"].clone()).collect()
}

#[test]
fn the_calendar_knows_leap_years_and_weekdays() {
    assert_eq!(day_of((1970, 1, 1)), 0);
    assert_eq!(day_of((2024, 2, 29)), 19_782);
    assert_eq!(date_of(19_783), (2024, 3, 1));
    assert_eq!(date_of(-1), (1969, 12, 31));
    assert_eq!(weekday(parse_day("2026-11-25")), "wed");
    assert!((-40_000..40_000).all(|day| day_of(date_of(day)) == day));
}

#[test]
fn percent_rounds_down_and_points_of_zero_are_no_award() {
    let half = json!({"reward": {"percent": 50}});
    let outcome = model([campaign("a", half.clone())]).record(&code_on("2026-11-25", 7), &aiko());
    assert_eq!(outcome.breakdown, [("campaign".to_owned(), 3, "a".to_owned())]);
    assert_eq!(verdict(half, &code_on("2026-11-25", 1)), "rounds_to_zero");
}

#[test]
fn at_most_bounds_an_award_without_clipping_it() {
    let bounded = campaign("a", json!({"reward": {"percent": 100, "at_most": 5}}));
    let outcome = model([bounded]).record(&code_on("2026-11-25", 7), &aiko());
    assert_eq!((points(&outcome), outcome.verdicts["a"].as_str()), (vec![("a", 5)], "applied"));
}

#[test]
fn base_points_must_be_positive_before_anything_else_counts() {
    assert_eq!(
        verdict(json!({"conditions": {"types": ["video"]}}), &code_on("2026-11-25", 0)),
        "base_not_positive"
    );
}

#[test]
fn an_event_of_exactly_seven_days_is_not_too_late() {
    let mut model = model([campaign("a", json!({}))]);
    let event = code_on("2026-11-18", 10);
    let now = parse_instant("2026-11-25T12:00:00Z");
    assert_eq!(model.record_at(&event, &aiko(), Some(now)).verdicts["a"], "applied");
    assert_eq!(model.record_at(&event, &aiko(), Some(now + 1)).verdicts["a"], "too_late");
}

#[test]
fn starts_at_belongs_to_the_campaign_and_ends_at_does_not() {
    let span = json!({"starts_at": "2026-11-25T00:00:00Z", "ends_at": "2026-11-26T00:00:00Z"});
    assert_eq!(verdict(span.clone(), &code("2026-11-24T23:59:59Z", 10)), "outside_window");
    assert_eq!(verdict(span.clone(), &code("2026-11-25T00:00:00Z", 10)), "applied");
    assert_eq!(verdict(span, &code("2026-11-26T00:00:00Z", 10)), "outside_window");
}

#[test]
fn orders_match_no_campaign() {
    let order = Event { kind: "order".to_owned(), ..code_on("2026-11-25", 10) };
    assert_eq!(verdict(json!({}), &order), "type");
}

#[test]
fn windows_weekdays_and_hours_follow_the_local_clock() {
    // 23:30 on Tuesday in UTC, 00:30 on Wednesday in the zone of the tenant.
    let event = Event { day: parse_day("2026-11-25"), minute: 30, ..code("2026-11-24T23:30:00Z", 10) };
    let with = |conditions: Value| verdict(json!({"conditions": conditions}), &event);
    assert_eq!(with(json!({"windows": [{"from": "2026-11-24", "until": "2026-11-25"}]})), "window");
    assert_eq!(with(json!({"windows": [{"from": "2026-11-25", "until": "2026-11-26"}]})), "applied");
    assert_eq!(with(json!({"weekdays": ["tue"]})), "weekday");
    assert_eq!(with(json!({"hours": [{"from": "00:31", "until": "24:00"}]})), "hours");
    assert_eq!(with(json!({"hours": [{"from": "00:30", "until": "00:31"}]})), "applied");
}

#[test]
fn the_first_failed_condition_is_the_reason() {
    let event = code_on("2026-11-25", 10);
    let with = |conditions: Value| verdict(json!({"conditions": conditions}), &event);
    let attributes = json!({"store": ["osaka"], "channel": ["app"]});
    assert_eq!(with(json!({"min_points": 11, "source_prefixes": ["X"]})), "min_points");
    assert_eq!(with(json!({"source_prefixes": ["spring-"], "attributes": attributes})), "source_prefix");
    assert_eq!(with(json!({"attributes": attributes, "members": ["ben"]})), "attribute.channel");
    assert_eq!(with(json!({"attributes": {"store": ["osaka"]}})), "attribute.store");
    assert_eq!(with(json!({"member_since": "2024-01-01T00:00:01Z", "members": ["ben"]})), "member_since");
    assert_eq!(with(json!({"member_before": "2024-01-01T00:00:00Z"})), "member_before");
    assert_eq!(with(json!({"members": ["ben"], "ordinal": {"every": 2}})), "not_a_listed_member");
}

#[test]
fn the_first_event_of_a_type_skips_orders_and_events_without_points() {
    let mut model = model([campaign("a", json!({"conditions": {"ordinal": {"first": true}}}))]);
    let video = Event { kind: "video".to_owned(), ..code_on("2026-11-25", 10) };
    let mut verdict = |event: &Event| model.record(event, &aiko()).verdicts["a"].clone();
    assert_eq!(verdict(&code_on("2026-11-25", 0)), "base_not_positive");
    assert_eq!(verdict(&video), "applied");
    assert_eq!(verdict(&code_on("2026-11-25", 10)), "applied");
    assert_eq!(verdict(&code_on("2026-11-25", 10)), "ordinal");
}

#[test]
fn every_second_event_counts_all_types_when_asked() {
    let mut model = model([campaign("a", json!({"conditions": {"ordinal": {"every": 2, "of": "all"}}}))]);
    let video = Event { kind: "video".to_owned(), ..code_on("2026-11-25", 10) };
    assert_eq!(model.record(&video, &aiko()).verdicts["a"], "ordinal");
    assert_eq!(model.record(&code_on("2026-11-25", 10), &aiko()).verdicts["a"], "applied");
}

#[test]
fn the_control_group_gets_nothing_and_leaves_the_group_to_others() {
    let group = json!({"name": "g"});
    let a = campaign("a", json!({"control_percent": 50, "group": group}));
    let b = campaign("b", json!({"group": group}));
    let is_control =
        |campaign: &str, user: &str, percent: u32| (campaign, user, percent) == ("a", "aiko", 50);
    let outcome = Model::new(vec![a, b], Options { is_control, ..options() });
    let outcome = { outcome }.record(&code_on("2026-11-25", 10), &aiko());
    assert_eq!((outcome.verdicts["a"].as_str(), points(&outcome)), ("control_group", vec![("b", 10)]));
}

#[test]
fn a_limit_of_awards_per_week_ends_on_sunday() {
    let limits = json!({"per_user": [{"period": "week", "awards": 1}]});
    let mut model = model([campaign("a", json!({"limits": limits}))]);
    let found = on_days(&mut model, &aiko(), &["2026-12-28", "2027-01-03", "2027-01-04"]);
    assert_eq!(found, ["applied", "user_limit", "applied"]);
}

#[test]
fn a_limit_of_points_clips_or_skips() {
    let per_user = json!([{"period": "month", "points": 15}]);
    let mut clips = model([campaign("a", json!({"limits": {"per_user": per_user}}))]);
    let days = ["2026-11-01", "2026-11-30", "2026-11-30", "2026-12-01"];
    assert_eq!(on_days(&mut clips, &aiko(), &days), ["applied", "clipped", "user_limit", "applied"]);
    let skip = json!({"per_user": per_user, "on_points_limit": "skip"});
    let mut skips = model([campaign("a", json!({"limits": skip}))]);
    assert_eq!(on_days(&mut skips, &aiko(), &days), ["applied", "user_limit", "user_limit", "applied"]);
}

#[test]
fn a_budget_belongs_to_all_users() {
    let mut model = model([campaign("a", json!({"limits": {"budget": {"awards": 3, "points": 15}}}))]);
    let ben = Member { id: "ben".to_owned(), ..aiko() };
    let event = code_on("2026-11-25", 10);
    let of_ben = Event { user: "ben".to_owned(), ..event.clone() };
    assert_eq!(points(&model.record(&event, &aiko())), [("a", 10)]);
    let second = model.record(&of_ben, &ben);
    assert_eq!((points(&second), second.verdicts["a"].as_str()), (vec![("a", 5)], "clipped"));
    assert_eq!(model.record(&event, &aiko()).verdicts["a"], "budget");
}
