//! The two values that a failed check compared, as strings for people.

use std::fmt::Display;

use pointbook_domain::{CivilDate, Points, Timestamp};

use crate::campaign::GroupWins;
use crate::combine::MAX_AWARDS;
use crate::conditions::{Conditions, DayWindow, HourWindow, Nth};
use crate::counters::{BudgetLeft, Usage};
use crate::inputs::Inputs;
use crate::limits::UserLimit;
use crate::period::PeriodKey;
use crate::refusal::Refusal;
use crate::reward::Amount;
use crate::rule_set::{CampaignVersion, VersionState};
use crate::weekday::Weekday;

/// The most items of a list that a comparison names.
const MAX_LISTED: usize = 10;

/// What the campaign wants, and what it got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    pub expected: String,
    pub actual: String,
}

/// The values of a check that failed.
pub(crate) fn compared(refusal: Refusal, version: &CampaignVersion, inputs: &Inputs<'_>) -> Option<Compared> {
    let campaign = version.campaign.as_ref();
    let compared = match refusal {
        Refusal::BaseNotPositive if inputs.event.points > Points::ZERO => {
            pair("no reversal", inputs.event.source_id)
        }
        Refusal::BaseNotPositive => pair("more than 0 points", inputs.event.points),
        Refusal::TooLate => pair(format!("not before {}", inputs.oldest()?), inputs.event.at),
        Refusal::NotStarted | Refusal::Paused => inactive(version),
        Refusal::OutsideWindow => outside(version, inputs.event.at),
        Refusal::Ordinal { position } => pair(ordinal(campaign.conditions.ordinal?.nth), position),
        Refusal::ControlGroup => pair("outside of the control group", "inside"),
        Refusal::RoundsToZero => pair("at least 1 point", reward(campaign.reward.amount, inputs)),
        Refusal::UserLimit { index, used } => user_limit(campaign.limits.per_user.get(index)?, used, inputs),
        Refusal::LostTo { wins, winner_has, loser_has, .. } => {
            let of = if wins == GroupWins::Highest { "points" } else { "priority" };
            pair(format!("{of} {winner_has} of the winner"), format!("{of} {loser_has}"))
        }
        Refusal::Budget(left) => pair("awards and points left", budget_left(left)),
        Refusal::Ceiling { most } => pair(format!("at most {most} points in all"), "0 points left"),
        Refusal::TooManyBonuses => {
            pair(format!("at most {MAX_AWARDS} bonuses"), format!("{MAX_AWARDS} bonuses before it"))
        }
        Refusal::Type
        | Refusal::Window
        | Refusal::Weekday
        | Refusal::Hours
        | Refusal::MinPoints
        | Refusal::SourcePrefix
        | Refusal::Attribute(_) => event_values(refusal, &campaign.conditions, inputs)?,
        Refusal::MemberSince
        | Refusal::MemberBefore
        | Refusal::NotAListedMember
        | Refusal::NoBirthDate
        | Refusal::NotBirthday
        | Refusal::BirthDateTooNew
        | Refusal::AlreadyThisYear { .. } => member_values(refusal, &campaign.conditions, inputs)?,
    };
    Some(compared)
}

fn pair(expected: impl Display, actual: impl Display) -> Compared {
    Compared { expected: expected.to_string(), actual: actual.to_string() }
}

fn event_values(refusal: Refusal, conditions: &Conditions, inputs: &Inputs<'_>) -> Option<Compared> {
    let event = inputs.event;
    let compared = match refusal {
        Refusal::Type if conditions.types.is_empty() => pair("a type other than order", event.kind),
        Refusal::Type => pair(listed(&conditions.types), event.kind),
        Refusal::Window => pair(listed(conditions.windows.iter().copied().map(days)), event.local.day),
        Refusal::Weekday => {
            let days = conditions.weekdays?.iter().map(Weekday::as_str);
            pair(listed(days), Weekday::of(event.local.day).as_str())
        }
        Refusal::Hours => {
            pair(listed(conditions.hours.iter().copied().map(hours)), time_of_day(event.local.minute_of_day))
        }
        Refusal::MinPoints => pair(format!("at least {}", conditions.min_points?), event.points),
        Refusal::SourcePrefix => pair(listed(&conditions.source_prefixes), event.source_id),
        Refusal::Attribute(index) => {
            let attribute = conditions.attributes.get(index)?;
            pair(listed(&attribute.values), event.attributes.get(&attribute.name).unwrap_or("absent"))
        }
        _ => return None,
    };
    Some(compared)
}

fn member_values(refusal: Refusal, conditions: &Conditions, inputs: &Inputs<'_>) -> Option<Compared> {
    let member = inputs.member;
    let compared = match refusal {
        Refusal::MemberSince => {
            pair(format!("created at {} or later", conditions.member_since?), member.created_at)
        }
        Refusal::MemberBefore => {
            pair(format!("created before {}", conditions.member_before?), member.created_at)
        }
        Refusal::NotAListedMember => {
            pair(format!("one of {} listed members", conditions.members.len()), member.id)
        }
        Refusal::NoBirthDate => pair("a birth date", "absent"),
        Refusal::NotBirthday => {
            let CivilDate { month, day, .. } = member.birth_date?.into();
            let window = conditions.birthday?.window.as_str();
            pair(format!("the {window} of the birthday {month:02}-{day:02}"), inputs.event.local.day)
        }
        Refusal::BirthDateTooNew => {
            let days = inputs.options.birth_date_days;
            pair(format!("set {days} days before"), format!("set at {}", member.birth_date_set_at?))
        }
        Refusal::AlreadyThisYear { last_paid } => {
            pair("no award for a birthday less than 330 days away", format!("an award for {last_paid}"))
        }
        _ => return None,
    };
    Some(compared)
}

/// The first items of a list.
fn listed<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut items = items.into_iter();
    let first: Vec<String> = items.by_ref().take(MAX_LISTED).map(|item| item.to_string()).collect();
    let more = items.count();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    first.join(", ") + &rest
}

fn days(window: DayWindow) -> String {
    let DayWindow { from, until } = window;
    format!("{from} until before {until}")
}

fn hours(window: HourWindow) -> String {
    format!("{} until before {}", time_of_day(window.from), time_of_day(window.until))
}

fn time_of_day(minute: u16) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

/// A version that has ended is outside at all times.
fn outside(version: &CampaignVersion, at: Timestamp) -> Compared {
    match version.state {
        VersionState::Ended | VersionState::Archived => inactive(version),
        VersionState::Draft | VersionState::Active | VersionState::Paused => pair(run_time(version), at),
    }
}

fn inactive(version: &CampaignVersion) -> Compared {
    pair("an active version", version.state.as_str())
}

/// When the version runs: after the beginning of the version and of the campaign, and before the end of the campaign.
fn run_time(version: &CampaignVersion) -> String {
    let run = version.campaign.run;
    let from = run.starts_at.map_or(version.from, |start| start.max(version.from));
    let from = if from == Timestamp::MIN { String::new() } else { format!("from {from} ") };
    let until = run.ends_at.map_or_else(|| "on".to_owned(), |end| format!("until before {end}"));
    from + &until
}

fn ordinal(nth: Nth) -> String {
    match nth {
        Nth::First => "the first".to_owned(),
        Nth::Every(number) => format!("a multiple of {number}"),
    }
}

fn reward(amount: Amount, inputs: &Inputs<'_>) -> String {
    match amount {
        Amount::Percent(percent) => format!("{percent} percent of {}", inputs.event.points),
        Amount::Points(points) => points.to_string(),
    }
}

fn user_limit(limit: &UserLimit, used: Usage, inputs: &Inputs<'_>) -> Compared {
    let UserLimit { period, awards, points } = *limit;
    let most = [awards.map(|most| format!("{most} awards")), points.map(|most| format!("{most} points"))];
    let most: Vec<String> = most.into_iter().flatten().collect();
    let key = PeriodKey::of(period, inputs.event.local.day);
    pair(
        format!("at most {} in {key}", most.join(" and ")),
        format!("{} awards and {} points", used.awards, used.points),
    )
}

fn budget_left(left: BudgetLeft) -> String {
    let awards = left.awards.map(|awards| format!("{awards} awards left"));
    let points = left.points.map(|points| format!("{points} points left"));
    listed(awards.into_iter().chain(points))
}
