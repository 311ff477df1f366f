//! Warnings about one campaign.

use std::fmt::Display;

use pointbook_domain::{Day, Points, Timestamp};

use super::{Warning, WarningCode};
use crate::campaign::{Campaign, RunTime};
use crate::conditions::DayWindow;
use crate::limits::Limits;
use crate::period::Period;
use crate::reward::Amount;
use crate::weekday::{Weekday, Weekdays};
use crate::zones;

const DAYS_OF_WEEK: i32 = 7;

/// Warnings about conditions that no activity can meet.
pub(super) fn match_warnings(new: &Campaign, now: Timestamp) -> Vec<Warning> {
    let mut found = Vec::new();
    let conditions = &new.conditions;
    if is_after_end(new, now) {
        found.push(Warning::new(WarningCode::HasEnded, "the campaign has ended"));
    } else if is_after_windows(new, now) {
        found.push(Warning::new(WarningCode::HasEnded, "all days of the campaign are in the past"));
    }
    if conditions.weekdays.is_some_and(|weekdays| !has_weekday(new.run, &conditions.windows, weekdays)) {
        let message = "none of the days of the campaign is one of the weekdays";
        found.push(Warning::new(WarningCode::NeverMatches, message));
    }
    if let (Some(since), Some(end)) = (conditions.member_since, new.run.ends_at)
        && since >= end
    {
        let message = "only members who are created after the end of the campaign can match";
        found.push(Warning::new(WarningCode::NeverMatches, message));
    }
    found
}

/// Whether no activity from now on can match.
pub(super) fn is_over(campaign: &Campaign, now: Timestamp) -> bool {
    is_after_end(campaign, now) || is_after_windows(campaign, now)
}

fn is_after_end(campaign: &Campaign, now: Timestamp) -> bool {
    campaign.run.ends_at.is_some_and(|end| end <= now)
}

fn is_after_windows(campaign: &Campaign, now: Timestamp) -> bool {
    let windows = &campaign.conditions.windows;
    let is_past = |window: &DayWindow| zones::last_moment_before(window.until) <= now;
    !windows.is_empty() && windows.iter().all(is_past)
}

/// Whether some time zone has such a weekday while the campaign runs, in one of the windows.
fn has_weekday(run: RunTime, windows: &[DayWindow], weekdays: Weekdays) -> bool {
    let first = zones::first_day(run.starts_at.unwrap_or(Timestamp::MIN)).as_days();
    let last = zones::last_day(run.ends_at.unwrap_or(Timestamp::MAX)).as_days();
    let has_day = |from: i32, until: i32| {
        // After a week, the weekdays repeat.
        let mut days = (from..until).take(usize::try_from(DAYS_OF_WEEK).unwrap_or_default());
        days.any(|day| Day::from_days(day).is_some_and(|day| weekdays.contains(Weekday::of(day))))
    };
    let in_window = |window: &DayWindow| {
        has_day(first.max(window.from.as_days()), (last + 1).min(window.until.as_days()))
    };
    if windows.is_empty() { has_day(first, last + 1) } else { windows.iter().any(in_window) }
}

/// A limit and the largest numbers that it allows.
struct Bound {
    name: String,
    period: Option<Period>,
    awards: Option<u64>,
    points: Option<Points>,
}

/// Warnings about limits per user that a limit of a longer period, or the budget, makes superfluous.
pub(super) fn limit_warnings(limits: &Limits) -> Vec<Warning> {
    let per_user = limits.per_user.iter().map(|limit| Bound {
        name: format!("the limit per {}", limit.period.as_str()),
        period: Some(limit.period),
        awards: limit.awards,
        points: limit.points,
    });
    let budget = limits.budget.map(|budget| Bound {
        name: "the budget".to_owned(),
        period: None,
        awards: budget.awards,
        points: budget.points,
    });
    let bounds: Vec<Bound> = per_user.chain(budget).collect();
    let pairs = bounds
        .iter()
        .enumerate()
        .flat_map(|(at, bound)| bounds.iter().skip(at + 1).map(move |longer| (bound, longer)));
    pairs.flat_map(|(bound, longer)| pair_warnings(bound, longer)).collect()
}

fn pair_warnings(bound: &Bound, longer: &Bound) -> Vec<Warning> {
    let factor = reach(bound.period, longer.period);
    let exceeds = |most: u64, longer_most: u64| most > longer_most.saturating_mul(factor);
    let number = |points: Points| u64::try_from(points.get()).unwrap_or_default();
    let awards = bound.awards.zip(longer.awards);
    let points = bound.points.zip(longer.points).map(|(most, longer)| (number(most), number(longer)));
    let warning = |of: &str, numbers: Option<(u64, u64)>| {
        let (most, _) = numbers.filter(|&(most, longer_most)| exceeds(most, longer_most))?;
        Some(Warning::new(WarningCode::LimitNeverBinds, message(bound, most, of, &longer.name)))
    };
    [warning("awards", awards), warning("points", points)].into_iter().flatten().collect()
}

/// How many of the longer periods one shorter period may touch. A week may be in two months or years.
fn reach(shorter: Option<Period>, longer: Option<Period>) -> u64 {
    match (shorter, longer) {
        (Some(Period::Week), Some(Period::Month | Period::Year)) => 2,
        _ => 1,
    }
}

fn message(bound: &Bound, most: impl Display, of: &str, longer: &str) -> String {
    format!("{} of {most} {of} never binds, because {longer} allows fewer", bound.name)
}

/// A percentage that gives nothing for the least base points of the condition.
pub(super) fn reward_warning(new: &Campaign) -> Option<Warning> {
    let (Some(least), Amount::Percent(percent)) = (new.conditions.min_points, new.reward.amount) else {
        return None;
    };
    let message = format!("{percent} percent of the least base points, {least}, round down to 0");
    (new.reward.points(least) == 0).then(|| Warning::new(WarningCode::RoundsToZero, message))
}

/// A reward above the ceiling of the activities with the least base points. A factor of 0 sets no ceiling.
pub(super) fn ceiling_warning(new: &Campaign, factor: u32) -> Option<Warning> {
    let least = i128::from(new.conditions.min_points.map_or(1, Points::get));
    let at_most = new.reward.at_most.map(|most| i128::from(most.get()));
    // The most points of the reward that have a bound, and the percentage of one that has none.
    let (most, percent) = match new.reward.amount {
        Amount::Points(points) => {
            let points = i128::from(points.get());
            (Some(at_most.map_or(points, |most| most.min(points))), None)
        }
        Amount::Percent(percent) => (at_most, Some(percent)),
    };
    let is_above = percent.is_none_or(|percent| u64::from(percent) > u64::from(factor) * 100);
    let factor = i128::from(factor);
    if factor == 0 || !is_above || most.is_some_and(|most| most <= least * factor) {
        return None;
    }
    let cut = match most {
        Some(most) => {
            format!("the reward of activities with less than {} points", (most + factor - 1) / factor)
        }
        None => "the reward of all activities".to_owned(),
    };
    let message = format!("the ceiling of {factor} times the base points cuts {cut}");
    Some(Warning::new(WarningCode::CeilingCuts, message))
}
