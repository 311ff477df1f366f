//! Definitions and events that often match, conflict and reach limits.
//!
//! A scenario plays in a few weeks around a day on which periods or birthdays are special. All numbers are small.

mod definitions;
mod scenarios;

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

pub(crate) use self::scenarios::{Scenario, scenario};
use super::calendar::MICROS_PER_MINUTE;
use super::data::Version;
use super::definition::{id, number};

/// The user ids of every scenario.
const USERS: [&str; 3] = ["aiko", "ben", "caro"];

/// The activity types of campaigns. Events may also be orders.
const TYPES: [&str; 3] = ["code", "scan", "video"];

const STORES: [&str; 3] = ["kyoto", "osaka", "tokyo"];

const CHANNELS: [&str; 2] = ["app", "web"];

/// Starts of source ids. The two spellings of `SPRING-` show that upper and lower case differ.
const PREFIXES: [&str; 3] = ["AUTUMN-", "SPRING-", "spring-"];

/// Where and when a scenario plays.
#[derive(Debug, Clone, Copy)]
struct Stage {
    /// The first local day, as days since 1970-01-01.
    first_day: i64,
    /// The distance of the tenant's zone from UTC. The zones of scenarios do not change their clocks.
    offset_minutes: i64,
}

/// What a scenario is mostly about: how often its campaigns and events have some property.
#[derive(Debug, Clone, Copy)]
struct Focus {
    /// Multiplies the probability of each condition except the birthday.
    conditions: f64,
    birthday: f64,
    group: f64,
    limits: f64,
    /// How often a user gets a new birth date.
    new_birth_date: f64,
    /// How often an event is a birthday of the user of the event before, about a year away from that event.
    year_jump: f64,
}

const CONDITIONS: Focus =
    Focus { conditions: 1.0, birthday: 0.25, group: 0.5, limits: 0.5, new_birth_date: 0.06, year_jump: 0.01 };
const BIRTHDAYS: Focus =
    Focus { conditions: 0.2, birthday: 0.9, group: 0.1, limits: 0.2, new_birth_date: 0.4, year_jump: 0.3 };
const GROUPS: Focus = Focus {
    conditions: 0.2,
    birthday: 0.05,
    group: 0.95,
    limits: 0.8,
    new_birth_date: 0.06,
    year_jump: 0.01,
};

impl Stage {
    /// The instant of a local time, which may have more minutes than a day.
    fn instant(self, day: i64, minute: i64) -> i64 {
        (day * 24 * 60 + minute - self.offset_minutes) * MICROS_PER_MINUTE
    }
}

/// The pairs of campaign and user in the control groups: about as many percent as the campaign says.
fn control(versions: &[Version]) -> BTreeSet<(String, String)> {
    let mut pairs = BTreeSet::new();
    for Version { definition, .. } in versions {
        let percent = definition.get("control_percent").map_or(0, number);
        let sum = |user: &str| {
            id(definition)
                .bytes()
                .chain(user.bytes())
                .fold(0, |sum, byte| (sum * 31 + i128::from(byte)) % 100)
        };
        let users = USERS.into_iter().filter(|user| sum(user) < percent);
        pairs.extend(users.map(|user| (id(definition).to_owned(), user.to_owned())));
    }
    pairs
}

/// Some of these words in their order, at least one.
fn some_of(words: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    subsequence(words, 1..=words.len())
}

fn one_of(words: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    select(words)
}

/// Every verdict of the model. Attributes and winners vary, so these words have no name behind them.
const VERDICTS: [&str; 29] = [
    "already_this_year",
    "applied",
    "attribute",
    "base_not_positive",
    "birth_date_too_new",
    "budget",
    "ceiling",
    "clipped",
    "control_group",
    "hours",
    "lost_to",
    "member_before",
    "member_since",
    "min_points",
    "no_birth_date",
    "not_a_listed_member",
    "not_birthday",
    "not_started",
    "ordinal",
    "outside_window",
    "paused",
    "rounds_to_zero",
    "source_prefix",
    "too_late",
    "too_many_bonuses",
    "type",
    "user_limit",
    "weekday",
    "window",
];

/// The words of all verdicts on the events of a scenario.
fn verdicts(Scenario { mut model, steps }: Scenario) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for step in &steps {
        let outcome = model.decide(step);
        model.record(step, outcome.awards);
        words.extend(outcome.verdicts.into_values().map(|(_, verdict)| verdict));
    }
    words.iter().map(|word| word.split([':', '.', ' ']).next().unwrap().to_owned()).collect()
}

#[test]
fn scenarios_reach_every_verdict() {
    let (mut runner, mut found) = (TestRunner::deterministic(), BTreeSet::new());
    for _ in 0..200 {
        found.extend(verdicts(scenario().new_tree(&mut runner).unwrap().current()));
    }
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), VERDICTS);
}
