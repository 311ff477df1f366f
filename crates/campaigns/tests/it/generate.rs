//! Campaigns and activities of a small world, so that they often meet.

use std::sync::Arc;

use pointbook_campaigns::{CampaignVersion, Options, VersionState, parse};
use pointbook_domain::Feb29;
use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::{Attributes, SourceId, Timestamp, UserId};
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

use crate::scene::{Scene, attributes, day, english, kind, points, time};

const TYPES: [&str; 3] = ["code", "quiz", "video"];
const USERS: [&str; 3] = ["aiko", "ben", "cleo"];
const ZONES: [&str; 5] =
    ["UTC", "Europe/Berlin", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu"];
const DAYS: [&str; 6] = ["2026-11-20", "2026-11-24", "2026-11-25", "2026-11-26", "2026-12-01", "2027-01-01"];
const TIMES: [&str; 5] = [
    "2026-11-18T12:00:00Z",
    "2026-11-25T00:00:00Z",
    "2026-11-25T11:00:00Z",
    "2026-12-01T00:00:00Z",
    "2027-01-02T00:00:00Z",
];
const MINUTES: [&str; 5] = ["00:00", "09:30", "12:00", "12:01", "23:59"];

/// A member with a value, in some of all cases.
fn maybe(
    name: &'static str,
    value: impl Strategy<Value = Value> + 'static,
) -> BoxedStrategy<Option<(String, Value)>> {
    weighted(0.15, value.prop_map(move |value| (name.to_owned(), value))).boxed()
}

fn object(members: Vec<BoxedStrategy<Option<(String, Value)>>>) -> BoxedStrategy<Value> {
    members.prop_map(|members| Value::Object(members.into_iter().flatten().collect::<Map<_, _>>())).boxed()
}

/// Some of these words, at least one.
fn some_of(words: &'static [&'static str]) -> impl Strategy<Value = Value> {
    subsequence(words, 1..=words.len()).prop_shuffle().prop_map(Value::from)
}

/// Two of these words in order, as a window.
fn window(words: &'static [&'static str]) -> impl Strategy<Value = Value> {
    subsequence(words, 2).prop_map(|ends| json!([{"from": ends[0], "until": ends[1]}]))
}

fn conditions() -> BoxedStrategy<Value> {
    let attributes =
        subsequence(vec![("sku", "A1"), ("sku", "A2"), ("store", "tokyo")], 1..=2).prop_map(|pairs| {
            let mut values: Map<String, Value> = Map::new();
            for (name, value) in pairs {
                let list = values.entry(name).or_insert_with(|| json!([]));
                list.as_array_mut().unwrap().push(json!(value));
            }
            Value::Object(values)
        });
    let ordinal = prop_oneof![
        select(vec!["type", "all"]).prop_map(|of| json!({"first": true, "of": of})),
        (1..4_u32, select(vec!["type", "all"])).prop_map(|(every, of)| json!({"every": every, "of": of})),
    ];
    let birthday = (select(vec!["day", "week", "month"]), select(vec!["first", "each"]))
        .prop_map(|(window, pays)| json!({"window": window, "pays": pays}));
    object(vec![
        maybe("types", some_of(&TYPES)),
        maybe("windows", window(&DAYS)),
        maybe("source_prefixes", some_of(&["SPRING-", "S", "B"])),
        maybe("attributes", attributes),
        maybe("weekdays", some_of(&["mon", "tue", "wed", "thu", "fri", "sat", "sun"])),
        maybe("hours", window(&MINUTES)),
        maybe("min_points", select(vec![json!(1), json!(4), json!(101)])),
        maybe("ordinal", ordinal),
        maybe("member_since", select(vec![json!("2026-03-01T00:00:00Z")])),
        maybe("member_before", select(vec![json!("2026-06-01T00:00:00Z")])),
        maybe("members", some_of(&USERS)),
        maybe("birthday", birthday),
    ])
}

fn reward() -> BoxedStrategy<Value> {
    let amount = prop_oneof![
        4 => select(vec![1, 25, 50, 100, 300, 10_000]).prop_map(|percent| ("percent", percent)),
        1 => select(vec![1, 7, 500, MAX_POINTS]).prop_map(|points| ("points", points)),
    ];
    (amount, weighted(0.2, select(vec![1, 60, 200])))
        .prop_map(|((name, amount), at_most)| json!({name: amount, "at_most": at_most}))
        .boxed()
}

fn numbers() -> impl Strategy<Value = (Option<u64>, Option<u64>)> {
    prop_oneof![
        (1..4_u64).prop_map(|awards| (Some(awards), None)),
        (1..300_u64).prop_map(|points| (None, Some(points))),
        (1..4_u64, 1..300_u64).prop_map(|(awards, points)| (Some(awards), Some(points))),
    ]
}

fn limits() -> BoxedStrategy<Value> {
    let periods = subsequence(vec!["day", "week", "month", "year", "ever"], 1..=2);
    let per_user = (periods, proptest::collection::vec(numbers(), 2)).prop_map(|(periods, numbers)| {
        let limits = periods.iter().zip(numbers);
        limits
            .map(|(period, (awards, points))| json!({"period": period, "awards": awards, "points": points}))
            .collect()
    });
    let budget = numbers().prop_map(|(awards, points)| json!({"awards": awards, "points": points}));
    object(vec![
        maybe("per_user", per_user),
        maybe("budget", budget),
        maybe("on_points_limit", some_word(&["clip", "skip"])),
    ])
}

fn some_word(words: &'static [&'static str]) -> impl Strategy<Value = Value> {
    select(words).prop_map(Value::from)
}

/// A valid definition.
pub(crate) fn definitions() -> BoxedStrategy<Value> {
    let group = (some_word(&["g", "h"]), some_word(&["first", "highest"]));
    let group = group.prop_map(|(name, wins)| json!({"name": name, "wins": wins}));
    let fixed = |name: &'static str, value: BoxedStrategy<Value>| {
        value.prop_map(move |value| Some((name.to_owned(), value))).boxed()
    };
    let definition = object(vec![
        fixed("id", some_word(&["a", "b", "c", "d", "e", "f"]).boxed()),
        fixed("title", Just(json!({"en": "Title", "de": "Titel"})).boxed()),
        maybe("kind", some_word(&["birthday", "campaign", "welcome"])),
        maybe("starts_at", some_word(&TIMES)),
        maybe("ends_at", some_word(&TIMES)),
        fixed("conditions", conditions()),
        fixed("reward", reward()),
        fixed("limits", weighted(0.4, limits()).prop_map(Option::unwrap_or_default).boxed()),
        maybe("group", group),
        maybe("priority", (-1..3_i32).prop_map(Value::from)),
        maybe("control_percent", select(vec![json!(10)])),
    ]);
    definition
        .prop_filter("contradictions are no campaigns", |value| parse(value, &english()).is_ok())
        .boxed()
}

fn versions() -> impl Strategy<Value = CampaignVersion> {
    let state = prop_oneof![
        9 => Just(VersionState::Active),
        1 => select(VersionState::ALL),
    ];
    let from = prop_oneof![4 => Just(Timestamp::MIN), 1 => select(&TIMES[..]).prop_map(time)];
    (definitions(), state, from, 1..4_u32).prop_map(|(definition, state, from, version)| {
        let campaign = Arc::new(parse(&definition, &english()).unwrap());
        CampaignVersion { campaign, version, state, from }
    })
}

fn options() -> impl Strategy<Value = Options> {
    let numbers = (
        select(vec![Feb29::Feb28, Feb29::March1]),
        select(vec![0, 30]),
        select(vec![0, 1, 3, 10]),
        select(vec![0, 7]),
    );
    numbers.prop_map(|(feb29, birth_date_days, ceiling_factor, max_age_days)| Options {
        feb29,
        birth_date_days,
        ceiling_factor,
        max_age_days,
        own_locale: english(),
    })
}

/// The campaigns and settings of a tenant, with all budgets.
pub(crate) fn scenes() -> impl Strategy<Value = Scene> {
    let parts = (proptest::collection::vec(versions(), 0..12), options(), select(&ZONES[..]));
    (parts, subsequence(&["a", "c", "e"][..], 0..=2)).prop_map(|((versions, options, zone), control)| {
        let mut scene = Scene { versions, options, ..Scene::new() };
        scene.zone(zone);
        for version in &scene.versions {
            scene.memory.fund(&version.campaign);
            let id = version.campaign.id();
            if control.contains(&id.as_str()) {
                scene.memory.control.insert((id.clone(), scene.user_id.clone()));
            }
        }
        scene
    })
}

/// What changes a scene from one activity to the next.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    user: &'static str,
    kind: &'static str,
    source_id: &'static str,
    points: i64,
    at: &'static str,
    hours_later: u32,
    age_hours: u32,
    attributes: Attributes,
    born: Option<&'static str>,
}

/// Times near which activities happen: a usual day, both changes of the clock in Berlin, and the end of the year.
const EVENT_TIMES: [&str; 6] = [
    "2026-11-25T11:59:59.999999Z",
    "2026-11-24T10:00:00Z",
    "2026-10-25T00:30:00Z",
    "2026-03-29T01:00:00Z",
    "2026-12-31T22:59:59.999999Z",
    "2028-02-28T12:00:00Z",
];

pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let pairs = vec![("sku", "A1"), ("store", "tokyo"), ("channel", "app")];
    let what = (
        select(&USERS[..]),
        prop_oneof![9 => select(&TYPES[..]), 1 => Just("order")],
        select(&["SPRING-1", "B-7", "x"][..]),
        select(&[-5, 0, 1, 3, 10, 100, 100, 1_000, MAX_POINTS][..]),
        subsequence(pairs, 0..=3),
    );
    let when = (
        select(&EVENT_TIMES[..]),
        prop_oneof![Just(0_u32), 0..72_u32, 0..9_000_u32],
        prop_oneof![9 => Just(0_u32), 1 => 0..400_u32],
        weighted(0.8, select(&["1990-11-25", "2000-02-29", "1990-01-01", "1990-12-31"][..])),
    );
    let step =
        (what, when).prop_map(|((user, kind, source_id, points, pairs), (at, later, age, born))| Step {
            user,
            kind,
            source_id,
            points,
            at,
            hours_later: later,
            age_hours: age,
            attributes: attributes(&pairs),
            born,
        });
    proptest::collection::vec(step, 1..12)
}

impl Step {
    /// Makes this the activity of a scene.
    pub(crate) fn set(&self, scene: &mut Scene) {
        const SECONDS_PER_HOUR: u32 = 3_600;
        scene.user_id = UserId::new(self.user).unwrap();
        scene.kind = kind(self.kind);
        scene.source_id = SourceId::new(self.source_id).unwrap();
        scene.points = points(self.points);
        scene.at = time(self.at).plus_seconds(self.hours_later * SECONDS_PER_HOUR);
        scene.now = Some(scene.at.plus_seconds(self.age_hours * SECONDS_PER_HOUR));
        scene.attributes = self.attributes.clone();
        scene.birth_date = self.born.map(day);
        scene.birth_date_set_at = self.born.map(|_| time("2026-10-25T12:00:00Z"));
        scene.created_at =
            time(if self.user == "ben" { "2026-03-01T00:00:00Z" } else { "2026-06-01T00:00:00Z" });
    }
}
