//! Sequences of events for some campaigns.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::Model;
use super::super::calendar::{Date, MICROS_PER_DAY, MICROS_PER_MINUTE, date_of, parse_day};
use super::super::data::{Event, Feb29, Member, Options, Step};
use super::definitions::versions;
use super::{
    BIRTHDAYS, CHANNELS, CONDITIONS, Focus, GROUPS, PREFIXES, STORES, Stage, TYPES, USERS, control, one_of,
};

/// First days shortly before a year end, a month end, a 29 February, and a 1 March of a common year.
const FIRST_DAYS: [&str; 8] = [
    "2025-12-22",
    "2024-02-17",
    "2024-12-24",
    "2025-02-17",
    "2026-10-24",
    "2026-12-21",
    "2027-02-20",
    "2028-02-20",
];

/// The most points that an activity or its bonuses may have.
const MAX_POINTS: i64 = 9_007_199_254_740_991;

/// UTC, UTC+1, UTC+14, UTC-11 and UTC+5:45.
const OFFSETS: [i64; 5] = [0, 60, 840, -660, 345];

/// Campaigns, and events in the order of recording.
#[derive(Debug, Clone)]
pub(crate) struct Scenario {
    pub(crate) model: Model,
    pub(crate) steps: Vec<Step>,
}

/// An event before its user and its day are known.
#[derive(Debug, Clone)]
struct Draft {
    user: usize,
    /// Days after the latest event so far. Negative for an event that arrives late.
    days: i64,
    /// Microseconds since local midnight.
    time: i64,
    kind: &'static str,
    prefix: &'static str,
    points: i64,
    attributes: BTreeMap<String, String>,
    new_birth_date: Option<NewBirthDate>,
    /// Days after the event before. The user is the same and has a birthday. Replaces `user` and `days`.
    year_jump: Option<i64>,
    /// How long after the event it is recorded.
    delay: Option<i64>,
}

#[derive(Debug, Clone)]
struct NewBirthDate {
    /// `None` makes the day of the event a birthday.
    date: Option<Date>,
    /// How long before the event the user set the date, in microseconds. `None` means long ago.
    set_before: Option<i64>,
}

pub(crate) fn scenario() -> impl Strategy<Value = Scenario> {
    let stage = (select(&FIRST_DAYS[..]), select(&OFFSETS[..]))
        .prop_map(|(first_day, offset_minutes)| Stage { first_day: parse_day(first_day), offset_minutes });
    let focus = prop_oneof![2 => Just(CONDITIONS), 1 => Just(BIRTHDAYS), 1 => Just(GROUPS)];
    (stage, focus).prop_flat_map(|(stage, focus)| {
        let members = USERS.map(|user| member(stage, user));
        (versions(stage, focus), options(), members, vec(draft(stage, focus), 5..=40)).prop_map(
            move |(versions, options, members, drafts)| {
                let options = Options { control: control(&versions), ..options };
                let model = Model::new(versions, options);
                Scenario { model, steps: steps(stage, members, drafts) }
            },
        )
    })
}

fn options() -> impl Strategy<Value = Options> {
    let feb29 = select(&[Feb29::Feb28, Feb29::March1][..]);
    let days = (select(&[0, 1, 30, 30][..]), select(&[0, 1, 7, 7][..]));
    let ceiling_factor = select(&[0, 0, 1, 3, 10, 10][..]);
    (feb29, days, ceiling_factor).prop_map(|(feb29, (birth_date_days, max_age_days), ceiling_factor)| {
        let (own_locale, control) = ("en".to_owned(), BTreeSet::new());
        Options { feb29, birth_date_days, ceiling_factor, max_age_days, own_locale, control }
    })
}

fn member(stage: Stage, user: &'static str) -> impl Strategy<Value = Member> {
    let set_at = prop_oneof![
        3 => Just(None),
        1 => (-40_i64..=5).prop_map(move |day| Some(stage.instant(stage.first_day + day, 720))),
    ];
    let created_at = (select(&[-400_i64, -10, -3, 0, 3][..]), -1_i64..=1)
        .prop_map(move |(day, micros)| stage.instant(stage.first_day + day, 0) + micros);
    let locale = option::weighted(0.7, one_of(&["de", "de-AT", "de-CH", "en", "fr"]));
    let birth_date = option::weighted(0.85, birth_date(stage));
    (birth_date, set_at, created_at, locale).prop_map(|(birth_date, set_at, created_at, locale)| Member {
        id: user.to_owned(),
        birth_date,
        set_at,
        created_at,
        locale: locale.map(str::to_owned),
    })
}

/// Birthdays in the weeks of the scenario, and often on a special day.
fn birth_date(stage: Stage) -> impl Strategy<Value = Date> {
    let special = select(&[(2, 28), (2, 29), (2, 29), (3, 1), (12, 31), (1, 1)][..]);
    let near = (0_i64..=20).prop_map(move |days| {
        let (_, month, day) = date_of(stage.first_day + days);
        (month, day)
    });
    // Leap years, so that 29 February exists.
    let year = select(&[1980_i64, 1996, 2000][..]);
    (year, prop_oneof![1 => special, 1 => near]).prop_map(|(year, (month, day))| (year, month, day))
}

fn draft(stage: Stage, focus: Focus) -> impl Strategy<Value = Draft> {
    let kind = prop_oneof![8 => one_of(&TYPES), 1 => Just("order")];
    let points =
        prop_oneof![12 => 1_i64..=30, 1 => -5_i64..=0, 1 => select(&[100_i64, 1_000, MAX_POINTS][..])];
    let what = (kind, one_of(&PREFIXES), points, attributes());
    let birthday = (
        option::weighted(focus.new_birth_date, new_birth_date(stage)),
        option::weighted(focus.year_jump, year_jump()),
    );
    (0..USERS.len(), days(), time(), what, birthday, delay()).prop_map(
        |(user, days, time, (kind, prefix, points, attributes), (new_birth_date, year_jump), delay)| Draft {
            user,
            days,
            time,
            kind,
            prefix,
            points,
            attributes,
            new_birth_date,
            year_jump,
            delay,
        },
    )
}

fn new_birth_date(stage: Stage) -> impl Strategy<Value = NewBirthDate> {
    let date = option::of(birth_date(stage));
    (date, set_before()).prop_map(|(date, set_before)| NewBirthDate { date, set_before })
}

/// Mostly the same or the next day, sometimes earlier.
fn days() -> impl Strategy<Value = i64> {
    prop_oneof![14 => 0_i64..=1, 3 => 2_i64..=5, 3 => -8_i64..=-1]
}

/// Around the bound of 330 days, and a year.
fn year_jump() -> impl Strategy<Value = i64> {
    select(&[329_i64, 330, 331, 365, 366, -330, -329][..])
}

/// Around midnight and around whole hours, to the microsecond.
fn time() -> impl Strategy<Value = i64> {
    let hour = (1_i64..24, -1_i64..=1).prop_map(|(hour, micros)| hour * 60 * MICROS_PER_MINUTE + micros);
    prop_oneof![2 => select(&[0, 1, MICROS_PER_DAY - 1][..]), 2 => hour, 1 => 0..MICROS_PER_DAY]
}

fn attributes() -> impl Strategy<Value = BTreeMap<String, String>> {
    let (store, channel) = (option::weighted(0.8, one_of(&STORES)), option::weighted(0.7, one_of(&CHANNELS)));
    (store, channel).prop_map(|(store, channel)| {
        let both = [("store", store), ("channel", channel)];
        both.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))).collect()
    })
}

/// Around the bounds of 1 and 30 days, and after the event.
fn set_before() -> impl Strategy<Value = Option<i64>> {
    let near =
        (select(&[0_i64, 1, 30][..]), -1_i64..=1).prop_map(|(days, micros)| days * MICROS_PER_DAY + micros);
    prop_oneof![Just(None), near.prop_map(Some)]
}

/// Around the bounds of 1 and 7 days.
fn delay() -> impl Strategy<Value = Option<i64>> {
    let near =
        (select(&[1_i64, 7][..]), -1_i64..=1).prop_map(|(days, micros)| days * MICROS_PER_DAY + micros);
    prop_oneof![3 => Just(None), 6 => Just(Some(0)), 1 => near.prop_map(Some)]
}

fn steps(stage: Stage, mut members: [Member; 3], drafts: Vec<Draft>) -> Vec<Step> {
    let mut latest_day = stage.first_day;
    let mut steps: Vec<Step> = Vec::new();
    for (mut draft, number) in drafts.into_iter().zip(0..) {
        let mut day = latest_day + draft.days;
        if let (Some(jump), Some(before)) = (draft.year_jump, steps.last()) {
            day = before.event.day + jump;
            draft.user = USERS.iter().position(|user| *user == before.member.id).unwrap();
            draft.new_birth_date = Some(NewBirthDate { date: None, set_before: None });
        }
        latest_day = latest_day.max(day);
        let at = stage.instant(day, 0) + draft.time;
        let member = &mut members[draft.user];
        if let Some(NewBirthDate { date, set_before }) = draft.new_birth_date {
            let (_, month, day_of_month) = date_of(day);
            member.birth_date = Some(date.unwrap_or((1996, month, day_of_month)));
            member.set_at = set_before.map(|micros| at - micros);
        }
        let event = Event {
            kind: draft.kind.to_owned(),
            source_id: format!("{}{number}", draft.prefix),
            points: draft.points,
            at,
            day,
            minute: draft.time / MICROS_PER_MINUTE,
            attributes: draft.attributes,
        };
        steps.push(Step { event, member: member.clone(), now: draft.delay.map(|delay| at + delay) });
    }
    steps
}
