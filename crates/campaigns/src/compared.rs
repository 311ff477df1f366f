//! The two values that a failed check compared, for people.

use pointbook_domain::{ActivityType, CivilDate, Points, Timestamp};

use crate::birthday::BirthdayWindow;
use crate::campaign::{Campaign, GroupWins};
use crate::combine::MAX_AWARDS;
use crate::conditions::{Conditions, DayWindow, HourWindow, Nth};
use crate::counters::{BudgetLeft, Usage};
use crate::fact::{Fact, Phrase, Value};
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
    pub expected: Fact,
    pub actual: Fact,
}

/// The values of a check that failed. `winner` is the campaign that this one lost to.
pub(crate) fn compared(
    refusal: Refusal,
    version: &CampaignVersion,
    winner: Option<&CampaignVersion>,
    inputs: &Inputs<'_>,
) -> Option<Compared> {
    let (campaign, event) = (version.campaign.as_ref(), inputs.event);
    let compared = match refusal {
        Refusal::BaseNotPositive if event.points > Points::ZERO => {
            pair(bare(Phrase::NoReversal), text(event.source_id))
        }
        Refusal::BaseNotPositive => pair(bare(Phrase::MoreThanNothing), of_points(event.points)),
        Refusal::TooLate => {
            pair(phrase(Phrase::NotBefore, [Value::Time(inputs.oldest()?)]), Value::Time(event.at))
        }
        Refusal::NotStarted if version.state == VersionState::Active => {
            pair(run_time(version), Value::Time(event.at))
        }
        Refusal::NotStarted | Refusal::Paused => inactive(version),
        Refusal::OutsideWindow => outside(version, event.at),
        Refusal::Ordinal { position } => pair(ordinal(campaign.conditions.ordinal?.nth), number(position)),
        Refusal::ControlGroup => pair(bare(Phrase::OutsideControl), bare(Phrase::InsideControl)),
        Refusal::RoundsToZero => pair(bare(Phrase::AtLeastOnePoint), reward(campaign.reward.amount, inputs)),
        Refusal::UserLimit { index, used, wanted } => {
            user_limit(campaign.limits.per_user.get(index)?, used, wanted, inputs)
        }
        Refusal::LostTo { wins, winner_has, loser_has, .. } => {
            lost(wins, (winner_has, &winner?.campaign), (loser_has, campaign))
        }
        Refusal::Budget { left, wanted } => budget(left, wanted)?,
        Refusal::Ceiling { most } => ceiling(most),
        Refusal::TooManyBonuses => too_many_bonuses(),
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

fn pair(expected: impl Into<Fact>, actual: impl Into<Fact>) -> Compared {
    Compared { expected: expected.into(), actual: actual.into() }
}

fn phrase(phrase: Phrase, values: impl Into<Vec<Value>>) -> Fact {
    Fact::Phrase(phrase, values.into())
}

fn bare(of: Phrase) -> Fact {
    phrase(of, [])
}

fn text(text: &impl ToString) -> Value {
    Value::Text(text.to_string())
}

fn number(number: impl Into<i128>) -> Value {
    Value::Number(number.into())
}

fn of_points(points: Points) -> Value {
    number(points.get())
}

fn event_values(refusal: Refusal, conditions: &Conditions, inputs: &Inputs<'_>) -> Option<Compared> {
    let event = inputs.event;
    let kind = |kind: &ActivityType| Value::Kind(kind.to_string());
    let compared = match refusal {
        Refusal::Type if conditions.types.is_empty() => pair(bare(Phrase::NotOrder), kind(event.kind)),
        Refusal::Type => pair(listed(conditions.types.iter().map(kind)), kind(event.kind)),
        Refusal::Window => {
            let days = |window: &DayWindow| Value::Days(window.from, window.until);
            pair(listed(conditions.windows.iter().map(days)), Value::Day(event.local.day))
        }
        Refusal::Weekday => {
            let days = conditions.weekdays?.iter().map(Value::Weekday);
            pair(listed(days), Value::Weekday(Weekday::of(event.local.day)))
        }
        Refusal::Hours => {
            let hours = |window: &HourWindow| Value::Hours(window.from, window.until);
            pair(listed(conditions.hours.iter().map(hours)), Value::TimeOfDay(event.local.minute_of_day))
        }
        Refusal::MinPoints => {
            pair(phrase(Phrase::AtLeast, [of_points(conditions.min_points?)]), of_points(event.points))
        }
        Refusal::SourcePrefix => {
            pair(listed(conditions.source_prefixes.iter().map(text)), text(event.source_id))
        }
        Refusal::Attribute(index) => {
            let attribute = conditions.attributes.get(index)?;
            let actual = event.attributes.get(&attribute.name);
            let actual = actual.map_or_else(|| bare(Phrase::Absent), |value| text(&value).into());
            pair(listed(attribute.values.iter().map(text)), actual)
        }
        _ => return None,
    };
    Some(compared)
}

fn member_values(refusal: Refusal, conditions: &Conditions, inputs: &Inputs<'_>) -> Option<Compared> {
    let member = inputs.member;
    let at = |of: Phrase, at: Timestamp| phrase(of, [Value::Time(at)]);
    let compared = match refusal {
        Refusal::MemberSince => {
            pair(at(Phrase::CreatedFrom, conditions.member_since?), Value::Time(member.created_at))
        }
        Refusal::MemberBefore => {
            pair(at(Phrase::CreatedBefore, conditions.member_before?), Value::Time(member.created_at))
        }
        Refusal::NotAListedMember => {
            pair(phrase(Phrase::OneOfMembers, [number(conditions.members.len() as u64)]), text(member.id))
        }
        Refusal::NoBirthDate => pair(bare(Phrase::BirthDate), bare(Phrase::Absent)),
        Refusal::NotBirthday => {
            let CivilDate { month, day, .. } = member.birth_date?.into();
            let window = match conditions.birthday?.window {
                BirthdayWindow::Day => Phrase::DayOfBirthday,
                BirthdayWindow::Week => Phrase::WeekOfBirthday,
                BirthdayWindow::Month => Phrase::MonthOfBirthday,
            };
            pair(phrase(window, [Value::Birthday(month, day)]), Value::Day(inputs.event.local.day))
        }
        Refusal::BirthDateTooNew => pair(
            phrase(Phrase::SetDaysBefore, [number(inputs.options.birth_date_days)]),
            at(Phrase::SetAt, member.birth_date_set_at?),
        ),
        Refusal::AlreadyThisYear { last_paid } => {
            pair(bare(Phrase::NoNearAward), phrase(Phrase::AwardFor, [Value::Day(last_paid)]))
        }
        _ => return None,
    };
    Some(compared)
}

/// The first items of a list.
fn listed(values: impl IntoIterator<Item = Value>) -> Fact {
    let mut values = values.into_iter();
    let first = values.by_ref().take(MAX_LISTED).collect();
    Fact::List(first, values.count())
}

/// A version that has ended is outside at all times.
fn outside(version: &CampaignVersion, at: Timestamp) -> Compared {
    match version.state {
        VersionState::Ended | VersionState::Archived => inactive(version),
        VersionState::Draft | VersionState::Active | VersionState::Paused => {
            pair(run_time(version), Value::Time(at))
        }
    }
}

fn inactive(version: &CampaignVersion) -> Compared {
    pair(bare(Phrase::ActiveVersion), Value::State(version.state))
}

/// When the version runs: after the beginning of the version and of the campaign, and before the end of the campaign.
fn run_time(version: &CampaignVersion) -> Fact {
    let run = version.campaign.run;
    let from = run.starts_at.map_or(version.from, |start| start.max(version.from));
    match run.ends_at {
        Some(end) if from == Timestamp::MIN => phrase(Phrase::Until, [Value::Time(end)]),
        Some(end) => phrase(Phrase::FromUntil, [from, end].map(Value::Time)),
        None => phrase(Phrase::From, [Value::Time(from)]),
    }
}

fn ordinal(nth: Nth) -> Fact {
    match nth {
        Nth::First => bare(Phrase::First),
        Nth::Every(every) => phrase(Phrase::MultipleOf, [number(every)]),
    }
}

fn reward(amount: Amount, inputs: &Inputs<'_>) -> Fact {
    match amount {
        Amount::Percent(percent) => {
            phrase(Phrase::PercentOf, [number(percent), of_points(inputs.event.points)])
        }
        Amount::Points(points) => of_points(points).into(),
    }
}

/// The numbers of the rule. Of equals, the priorities decide, and then the ids.
fn lost(
    wins: GroupWins,
    (winner_has, winner): (i64, &Campaign),
    (loser_has, loser): (i64, &Campaign),
) -> Compared {
    if winner_has == loser_has {
        let both = |campaign: &Campaign| [number(winner_has), number(campaign.priority)];
        return if winner.priority == loser.priority {
            pair(phrase(Phrase::IdBefore, [text(winner.id())]), text(loser.id()))
        } else {
            pair(phrase(Phrase::BothOfWinner, both(winner)), phrase(Phrase::BothOf, both(loser)))
        };
    }
    let (winner, loser) = if wins == GroupWins::Highest {
        (Phrase::PointsOfWinner, Phrase::PointsOf)
    } else {
        (Phrase::PriorityOfWinner, Phrase::PriorityOf)
    };
    pair(phrase(winner, [number(winner_has)]), phrase(loser, [number(loser_has)]))
}

fn ceiling(most: i128) -> Compared {
    pair(phrase(Phrase::AtMostInAll, [number(most)]), phrase(Phrase::PointsLeft, [number(0)]))
}

fn too_many_bonuses() -> Compared {
    let most = || [number(MAX_AWARDS as u64)];
    pair(phrase(Phrase::AtMostBonuses, most()), phrase(Phrase::BonusesBefore, most()))
}

fn user_limit(limit: &UserLimit, used: Usage, wanted: i64, inputs: &Inputs<'_>) -> Compared {
    let UserLimit { period, awards, points } = *limit;
    let key = Value::Period(PeriodKey::of(period, inputs.event.local.day));
    let most = match (awards.map(number), points.map(of_points)) {
        (Some(awards), Some(points)) => phrase(Phrase::AtMostBoth, [awards, points, key]),
        (Some(awards), None) => phrase(Phrase::AtMostAwards, [awards, key]),
        (None, points) => phrase(Phrase::AtMostPoints, points.into_iter().chain([key]).collect::<Vec<_>>()),
    };
    let numbers = [number(used.awards), number(used.points)];
    let has_left = awards_left(awards, used.awards) && points.is_some_and(|most| used.points < most.get());
    // The limit has points left, but fewer than the award has.
    let used = if has_left {
        phrase(Phrase::UsedBeside, numbers.into_iter().chain([number(wanted)]).collect::<Vec<_>>())
    } else {
        phrase(Phrase::Used, numbers)
    };
    pair(most, used)
}

fn awards_left(most: Option<u64>, used: u64) -> bool {
    most.is_none_or(|most| used < most)
}

/// `None` without a budget.
fn budget(left: BudgetLeft, wanted: i64) -> Option<Compared> {
    let has_left = awards_left(left.awards, 0) && left.points.is_some_and(|points| points > 0);
    let expected =
        if has_left { phrase(Phrase::AtLeastLeft, [number(wanted)]) } else { bare(Phrase::SomeLeft) };
    Some(pair(expected, budget_left(left)?))
}

/// `None` without a budget.
fn budget_left(left: BudgetLeft) -> Option<Fact> {
    Some(match (left.awards.map(number), left.points.map(number)) {
        (Some(awards), Some(points)) => phrase(Phrase::BothLeft, [awards, points]),
        (Some(awards), None) => phrase(Phrase::AwardsLeft, [awards]),
        (None, points) => phrase(Phrase::PointsLeft, [points?]),
    })
}
