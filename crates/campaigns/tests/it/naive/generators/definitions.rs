//! Valid campaign definitions.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

use super::super::calendar::{day_text, instant_text, minute_text};
use super::super::data::{ALWAYS, Version};
use super::{CHANNELS, Focus, PREFIXES, STORES, Stage, TYPES, USERS, one_of, some_of};

const KINDS: [&str; 5] = ["birthday", "campaign", "campaign", "extra", "welcome"];
const PERIODS: [&str; 5] = ["day", "week", "month", "year", "ever"];
const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Days after the first day of the scenario, half-open.
type Span = (i64, i64);

/// The start and the end of a campaign, in days after the first day of the scenario.
type Bounds = (Option<i64>, Option<i64>);

/// Campaigns with one or two versions. Some scenarios have more campaigns than a breakdown has entries.
pub(super) fn versions(stage: Stage, focus: Focus) -> impl Strategy<Value = Vec<Version>> {
    let few = || vec(campaign(stage, focus), 1..=7);
    let many = vec(plain_definition(), 21..=24).prop_map(|all| all.into_iter().map(active).collect());
    let both = (few(), many).prop_map(|(few, many): (Vec<_>, Vec<_>)| [few, many].concat());
    prop_oneof![9 => few(), 1 => both].prop_map(|campaigns| {
        campaigns.into_iter().zip(0..).flat_map(|(versions, number)| with_id(versions, number)).collect()
    })
}

/// Ids are in another order than the campaigns. The last version comes first.
fn with_id(mut versions: Vec<Version>, number: i64) -> Vec<Version> {
    for (version, number_of_version) in versions.iter_mut().zip(1..) {
        version.number = number_of_version;
        version.definition["id"] = json!(format!("c{:02}", number * 7 % 31));
    }
    versions.reverse();
    versions
}

fn active(definition: Value) -> Vec<Version> {
    vec![Version { definition, number: 1, state: "active", from: ALWAYS }]
}

/// Mostly one version, which is always active.
fn campaign(stage: Stage, focus: Focus) -> impl Strategy<Value = Vec<Version>> {
    let states = select(&["active", "active", "active", "paused", "ended", "archived", "draft"][..]);
    let from = option::weighted(0.7, -2_i64..=8);
    let version = (definition(stage, focus), states, from).prop_map(move |(definition, state, from)| {
        let from = from.map_or(ALWAYS, |day| stage.instant(stage.first_day + day, 0));
        Version { definition, number: 1, state, from }
    });
    prop_oneof![
        8 => definition(stage, focus).prop_map(active),
        1 => vec(version, 1..=2),
    ]
}

/// A campaign without conditions and limits.
fn plain_definition() -> impl Strategy<Value = Value> {
    (select(&KINDS[..]), 1_i64..=3)
        .prop_map(|(kind, points)| json!({"kind": kind, "title": {"en": kind}, "reward": {"points": points}}))
}

/// A definition without its id.
fn definition(stage: Stage, focus: Focus) -> impl Strategy<Value = Value> {
    let names = (option::weighted(0.9, select(&KINDS[..])), title());
    let parts = (bounds(focus), windows(focus), conditions(stage, focus), reward_and_limits(focus));
    let combining = (
        option::weighted(focus.group, group()),
        option::weighted(0.6, -1_i64..=2),
        option::weighted(0.15, 10_i64..=50),
    );
    (names, parts, combining).prop_map(move |((kind, title), parts, (group, priority, control))| {
        let (bounds, windows, conditions, (reward, limits)) = parts;
        let instant = |day: i64| json!(instant_text(stage.instant(stage.first_day + day, 0)));
        object([
            ("kind", kind.map(Value::from)),
            ("title", Some(title)),
            ("starts_at", bounds.0.map(instant)),
            ("ends_at", bounds.1.map(instant)),
            ("conditions", with_windows(conditions, windows, bounds, stage)),
            ("reward", Some(reward)),
            ("limits", limits),
            ("group", group),
            ("priority", priority.map(Value::from)),
            ("control_percent", control.map(Value::from)),
        ])
    })
}

/// An object of the members that are present.
fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let present = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(present.collect::<Map<_, _>>())
}

/// `None` when the object has no member.
fn unless_empty(object: Value) -> Option<Value> {
    if object.as_object().is_some_and(Map::is_empty) { None } else { Some(object) }
}

fn title() -> impl Strategy<Value = Value> {
    let german = option::weighted(0.5, Just(json!("Doppelte Punkte")));
    let austrian = option::weighted(0.3, Just(json!("Punkte mal zwei")));
    (german, austrian).prop_map(|(german, austrian)| {
        object([("en", Some(json!("Double points"))), ("de", german), ("de-AT", austrian)])
    })
}

/// The end is at least one day after the start.
fn bounds(focus: Focus) -> impl Strategy<Value = Bounds> {
    let starts = option::weighted(focus.conditions * 0.2, -3_i64..=8);
    let days = option::weighted(focus.conditions * 0.2, prop_oneof![1_i64..=4, 5_i64..=40]);
    (starts, days).prop_map(|(starts, days)| (starts, days.map(|days| starts.unwrap_or(0) + days)))
}

fn windows(focus: Focus) -> impl Strategy<Value = Option<Vec<Span>>> {
    let window = (-2_i64..=20, prop_oneof![1_i64..=3, 4_i64..=30]);
    let span = window.prop_map(|(from, days)| (from, from + days));
    option::weighted(focus.conditions * 0.2, vec(span, 1..=3))
}

/// Adds the windows that share at least two days with the campaign. A window outside the campaign is a fault, and the
/// zone may move the campaign by almost a day against the window.
fn with_windows(
    mut conditions: Value,
    windows: Option<Vec<Span>>,
    (starts, ends): Bounds,
    stage: Stage,
) -> Option<Value> {
    let overlaps = |(from, until): &Span| {
        let starts = starts.map_or(*from, |starts| starts.max(*from));
        let ends = ends.map_or(*until, |ends| ends.min(*until));
        (starts, ends) == (*from, *until) || ends - starts >= 2
    };
    let kept = windows.into_iter().flatten().filter(overlaps);
    let text = |day: i64| day_text(stage.first_day + day);
    let kept: Vec<Value> =
        kept.map(|(from, until)| json!({"from": text(from), "until": text(until)})).collect();
    if !kept.is_empty() {
        conditions["windows"] = json!(kept);
    }
    unless_empty(conditions)
}

/// Every condition but the windows. Most are absent, so that most campaigns match often.
fn conditions(stage: Stage, focus: Focus) -> impl Strategy<Value = Value> {
    let event = (
        option::weighted(focus.conditions * 0.3, some_of(&TYPES)),
        option::weighted(focus.conditions * 0.15, some_of(&PREFIXES)),
        option::weighted(focus.conditions * 0.15, attributes()),
        option::weighted(focus.conditions * 0.15, subsequence(&WEEKDAYS[..], 3..=6)),
        option::weighted(focus.conditions * 0.15, hours()),
        option::weighted(focus.conditions * 0.15, 2_i64..=15),
    );
    let member = (
        option::weighted(focus.conditions * 0.25, ordinal()),
        member_bounds(focus),
        option::weighted(focus.conditions * 0.1, some_of(&USERS)),
        option::weighted(focus.birthday, birthday()),
    );
    (event, member).prop_map(move |(event, (ordinal, (since, before), members, birthday))| {
        let (types, prefixes, attributes, weekdays, hours, min_points) = event;
        let instant = |day: i64| json!(instant_text(stage.instant(stage.first_day + day, 0)));
        object([
            ("types", types.map(Value::from)),
            ("source_prefixes", prefixes.map(Value::from)),
            ("attributes", attributes),
            ("weekdays", weekdays.map(Value::from)),
            ("hours", hours),
            ("min_points", min_points.map(Value::from)),
            ("ordinal", ordinal),
            ("member_since", since.map(instant)),
            ("member_before", before.map(instant)),
            ("members", members.map(Value::from)),
            ("birthday", birthday),
        ])
    })
}

fn attributes() -> impl Strategy<Value = Value> {
    let (stores, channels) = (some_of(&STORES), some_of(&CHANNELS));
    prop_oneof![
        2 => stores.prop_map(|stores| json!({"store": stores})),
        1 => (some_of(&STORES), channels).prop_map(|(stores, channels)| json!({"store": stores, "channel": channels})),
    ]
}

fn hours() -> impl Strategy<Value = Value> {
    let span = (0_i64..=23, 1_i64..=12).prop_map(|(from, hours)| {
        json!({"from": minute_text(from * 60), "until": minute_text((from + hours).min(24) * 60)})
    });
    vec(span, 1..=2).prop_map(Value::from)
}

fn ordinal() -> impl Strategy<Value = Value> {
    let of = || option::of(one_of(&["all", "type"])).prop_map(|of| of.map(Value::from));
    prop_oneof![
        of().prop_map(|of| object([("first", Some(json!(true))), ("of", of)])),
        (2_i64..=4, of()).prop_map(|(every, of)| object([("every", Some(json!(every))), ("of", of)])),
    ]
}

/// The least and the greatest creation day, in days after the first day.
fn member_bounds(focus: Focus) -> impl Strategy<Value = Bounds> {
    let since = option::weighted(focus.conditions * 0.15, -10_i64..=3);
    let days = option::weighted(focus.conditions * 0.15, 1_i64..=14);
    (since, days).prop_map(|(since, days)| (since, days.map(|days| since.unwrap_or(-10) + days)))
}

fn birthday() -> impl Strategy<Value = Value> {
    let window = option::of(one_of(&["day", "week", "month"])).prop_map(|window| window.map(Value::from));
    let pays = option::of(one_of(&["first", "each"])).prop_map(|pays| pays.map(Value::from));
    (window, pays).prop_map(|(window, pays)| object([("window", window), ("pays", pays)]))
}

/// Campaigns of one group may disagree about the way in which it chooses.
fn group() -> impl Strategy<Value = Value> {
    let wins = option::of(one_of(&["first", "highest"])).prop_map(|wins| wins.map(Value::from));
    (one_of(&["duo", "solo"]), wins)
        .prop_map(|(name, wins)| object([("name", Some(json!(name))), ("wins", wins)]))
}

fn reward_and_limits(focus: Focus) -> impl Strategy<Value = (Value, Option<Value>)> {
    (reward(), option::weighted(focus.limits, limits()))
        .prop_map(|(reward, limits)| (reward, limits.and_then(unless_empty)))
}

fn reward() -> impl Strategy<Value = Value> {
    let percent = select(&[1_i64, 10, 25, 33, 50, 100, 150, 500, 2_000, 10_000][..]);
    let at_most = || option::weighted(0.25, (1_i64..=20).prop_map(Value::from));
    prop_oneof![
        2 => (percent, at_most()).prop_map(|(percent, most)| object([("percent", Some(json!(percent))), ("at_most", most)])),
        1 => (1_i64..=25, at_most()).prop_map(|(points, most)| object([("points", Some(json!(points))), ("at_most", most)])),
    ]
}

fn limits() -> impl Strategy<Value = Value> {
    let on_points_limit = option::of(one_of(&["clip", "skip"]));
    let budget =
        (0_u8..3, 1_i64..=8, 5_i64..=90).prop_map(|(which, awards, points)| bounded(which, awards, points));
    (option::weighted(0.7, per_user()), option::weighted(0.65, budget), on_points_limit).prop_map(
        |(per_user, budget, on_points_limit)| {
            let word = on_points_limit.filter(|_| per_user.is_some() || budget.is_some());
            object([
                ("per_user", per_user.map(Value::from)),
                ("budget", budget),
                ("on_points_limit", word.map(Value::from)),
            ])
        },
    )
}

/// `awards`, `points`, or both.
fn bounded(which: u8, awards: i64, points: i64) -> Value {
    object([("awards", (which != 1).then(|| json!(awards))), ("points", (which != 0).then(|| json!(points)))])
}

/// Limits of a longer period are greater than those of a shorter one, so that each of them can bind.
fn per_user() -> impl Strategy<Value = Vec<Value>> {
    let limit = (0_u8..3, 1_i64..=2, 3_i64..=25);
    subsequence(&PERIODS[..], 1..=3).prop_flat_map(move |periods| {
        let count = periods.len();
        (Just(periods), vec(limit.clone(), count)).prop_map(|(periods, limits)| {
            let (mut awards_before, mut points_before) = (0, 0);
            let limit = |(period, (which, awards, points)): (&str, (u8, i64, i64))| {
                awards_before += awards;
                points_before += points;
                let mut limit = bounded(which, awards_before, points_before);
                limit["period"] = json!(period);
                limit
            };
            periods.into_iter().zip(limits).map(limit).collect()
        })
    })
}
