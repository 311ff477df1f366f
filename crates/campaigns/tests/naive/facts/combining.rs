//! Facts about groups, the ceiling, the breakdown and birthdays.

use serde_json::json;

use super::super::{Event, Feb29, Member, Model, Options};
use super::{aiko, born, campaign, code_on, model, on_days, options, parse_instant, points};

#[test]
fn everything_outside_a_group_adds_up() {
    let half = campaign("half", json!({"reward": {"percent": 50}}));
    let fixed = campaign("fixed", json!({"reward": {"points": 3}}));
    let outcome = model([half, fixed]).record(&code_on("2026-11-25", 9), &aiko());
    assert_eq!(points(&outcome), [("fixed", 3), ("half", 4)]);
}

#[test]
fn the_greatest_priority_wins_a_group_and_the_smaller_id_breaks_ties() {
    let rival = |id: &str, priority: i64| campaign(id, json!({"group": {"name": "g"}, "priority": priority}));
    let outcome =
        model([rival("c", 1), rival("a", -1), rival("b", 1)]).record(&code_on("2026-11-25", 9), &aiko());
    assert_eq!(points(&outcome), [("b", 9)]);
    assert_eq!((outcome.verdicts["a"].as_str(), outcome.verdicts["c"].as_str()), ("lost_to:b", "lost_to:b"));
}

#[test]
fn the_highest_is_measured_after_the_limits_of_the_user() {
    let group = json!({"name": "g", "wins": "highest"});
    let limits = json!({"per_user": [{"period": "ever", "points": 2}]});
    let a = campaign("a", json!({"group": group, "limits": limits, "priority": 5}));
    let b = campaign("b", json!({"group": group, "reward": {"points": 3}}));
    assert_eq!(points(&model([a, b]).record(&code_on("2026-11-25", 9), &aiko())), [("b", 3)]);
}

#[test]
fn the_highest_is_measured_before_the_budget() {
    let group = json!({"name": "g", "wins": "highest"});
    let a = campaign("a", json!({"group": group, "limits": {"budget": {"points": 2}}}));
    let b = campaign("b", json!({"group": group, "reward": {"points": 3}}));
    let outcome = model([a, b]).record(&code_on("2026-11-25", 9), &aiko());
    assert_eq!(points(&outcome), [("a", 2)]);
    assert_eq!((outcome.verdicts["a"].as_str(), outcome.verdicts["b"].as_str()), ("clipped", "lost_to:a"));
}

#[test]
fn the_next_of_a_group_wins_when_the_budget_of_the_first_is_used_up() {
    let group = json!({"name": "g"});
    let a = campaign("a", json!({"group": group, "limits": {"budget": {"awards": 1}}}));
    let (b, c) = (campaign("b", json!({"group": group})), campaign("c", json!({"group": group})));
    let mut model = model([a, b, c]);
    assert_eq!(points(&model.record(&code_on("2026-11-25", 9), &aiko())), [("a", 9)]);
    let second = model.record(&code_on("2026-11-25", 9), &aiko());
    assert_eq!(points(&second), [("b", 9)]);
    assert_eq!((second.verdicts["a"].as_str(), second.verdicts["c"].as_str()), ("budget", "lost_to:b"));
}

#[test]
fn the_ceiling_takes_from_the_end_of_the_breakdown() {
    let fixed = |id: &str, points: i64| campaign(id, json!({"reward": {"points": points}}));
    let welcome = campaign("a-welcome", json!({"kind": "welcome", "reward": {"points": 1}}));
    let mut model = model([welcome, fixed("b", 15), fixed("c", 6)]);
    let outcome = model.record(&code_on("2026-11-25", 2), &aiko());
    assert_eq!(points(&outcome), [("b", 15), ("c", 5)]);
    assert_eq!(
        (outcome.verdicts["c"].as_str(), outcome.verdicts["a-welcome"].as_str()),
        ("clipped", "ceiling")
    );
}

#[test]
fn a_factor_of_zero_is_no_ceiling() {
    let fixed = campaign("a", json!({"reward": {"points": 1_000_000}}));
    let mut model = Model::new(vec![fixed], Options { ceiling_factor: 0, ..options() });
    assert_eq!(points(&model.record(&code_on("2026-11-25", 1), &aiko())), [("a", 1_000_000)]);
}

#[test]
fn the_breakdown_has_birthdays_then_campaigns_then_others() {
    let of_kind =
        |id: &str, kind: &str, priority: i64| campaign(id, json!({"kind": kind, "priority": priority}));
    let all = [of_kind("a", "zoo", 9), of_kind("b", "campaign", 1), of_kind("c", "campaign", 2)];
    let more = [of_kind("d", "birthday", -1), of_kind("e", "ant", 8), of_kind("f", "campaign", 2)];
    let mut model = model([all, more].concat());
    let outcome = model.record(&code_on("2026-11-25", 10), &aiko());
    let ids: Vec<&str> = points(&outcome).into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["d", "c", "f", "b", "a", "e"]);
}

#[test]
fn a_breakdown_has_twenty_entries_and_the_rest_counts_for_no_limit() {
    let campaigns = (0..21).map(|number| {
        let limits = json!({"budget": {"awards": 1}});
        campaign(&format!("c{number:02}"), json!({"reward": {"points": 1}, "limits": limits}))
    });
    let mut model = model(campaigns.collect::<Vec<_>>());
    let first = model.record(&code_on("2026-11-25", 10), &aiko());
    assert_eq!((first.awards.len(), first.verdicts["c20"].as_str()), (20, "too_many_bonuses"));
    assert_eq!(points(&model.record(&code_on("2026-11-25", 10), &aiko())), [("c20", 1)]);
}

#[test]
fn a_title_falls_back_from_the_locale_to_the_language_to_the_tenant() {
    let a = campaign("a", json!({"title": {"en": "Hi", "de": "Hallo", "de-AT": "Servus"}}));
    let title = |locale: Option<&str>| {
        let member = Member { locale: locale.map(str::to_owned), ..aiko() };
        model([a.clone()]).record(&code_on("2026-11-25", 10), &member).breakdown[0].2.clone()
    };
    assert_eq!((title(Some("de-AT")), title(Some("de-CH"))), ("Servus".to_owned(), "Hallo".to_owned()));
    assert_eq!((title(Some("fr")), title(None)), ("Hi".to_owned(), "Hi".to_owned()));
}

#[test]
fn a_birthday_pays_its_first_event_of_each_year() {
    let mut model = model([campaign("a", json!({"conditions": {"birthday": {}}}))]);
    let days = ["2026-11-24", "2026-11-25", "2026-11-25", "2027-11-25"];
    let found = on_days(&mut model, &born((1990, 11, 25)), &days);
    assert_eq!(found, ["not_birthday", "applied", "already_this_year", "applied"]);
    assert_eq!(on_days(&mut model, &aiko(), &days[..1]), ["no_birth_date"]);
}

#[test]
fn another_birth_date_pays_330_days_later_at_the_earliest() {
    let birthday = json!({"birthday": {"pays": "each"}});
    let mut model = model([campaign("a", json!({"conditions": birthday}))]);
    let found = on_days(&mut model, &born((1990, 1, 1)), &["2026-01-01", "2026-01-01"]);
    assert_eq!(found, ["applied", "applied"]);
    // 26 November 2026 is 329 days later.
    assert_eq!(on_days(&mut model, &born((1990, 11, 26)), &["2026-11-26"]), ["already_this_year"]);
    assert_eq!(on_days(&mut model, &born((1990, 11, 27)), &["2026-11-27"]), ["applied"]);
}

#[test]
fn a_birthday_week_spans_new_year_and_pays_once() {
    let birthday = json!({"birthday": {"window": "week"}});
    let days = ["2026-12-27", "2026-12-28", "2027-01-03", "2027-01-04"];
    let mut model = model([campaign("a", json!({"conditions": birthday}))]);
    let found = on_days(&mut model, &born((1990, 1, 1)), &days);
    assert_eq!(found, ["not_birthday", "applied", "already_this_year", "not_birthday"]);
}

#[test]
fn the_29th_of_february_moves_in_common_years() {
    let days = ["2027-02-28", "2027-03-01", "2028-02-28", "2028-02-29", "2028-03-01"];
    let found = |feb29, window: &str| {
        let birthday = json!({"birthday": {"window": window, "pays": "each"}});
        let a = campaign("a", json!({"conditions": birthday}));
        let mut model = Model::new(vec![a], Options { feb29, ..options() });
        on_days(&mut model, &born((1996, 2, 29)), &days).iter().map(|verdict| verdict == "applied").collect()
    };
    let feb28: Vec<bool> = found(Feb29::Feb28, "day");
    assert_eq!(feb28, [true, false, false, true, false]);
    assert_eq!(found(Feb29::March1, "day"), [false, true, false, true, false]);
    assert_eq!(found(Feb29::March1, "month"), [false, true, true, true, false]);
}

#[test]
fn a_birth_date_counts_thirty_whole_days_after_it_was_set() {
    let a = campaign("a", json!({"conditions": {"birthday": {}}}));
    let member = |set_at: i64| Member { set_at: Some(set_at), ..born((1990, 11, 25)) };
    let verdict =
        |set_at: i64, event: &Event| model([a.clone()]).record(event, &member(set_at)).verdicts["a"].clone();
    let thirty_days_before = parse_instant("2026-10-26T12:00:00Z");
    assert_eq!(verdict(thirty_days_before, &code_on("2026-11-25", 10)), "applied");
    assert_eq!(verdict(thirty_days_before + 1, &code_on("2026-11-25", 10)), "birth_date_too_new");
    assert_eq!(verdict(thirty_days_before + 1, &code_on("2026-11-24", 10)), "not_birthday");
}
