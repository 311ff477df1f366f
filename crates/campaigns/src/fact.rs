//! What a comparison says, in parts, so that a page can say it in other languages.

use std::fmt;

use pointbook_domain::{Day, Timestamp};

use crate::period::PeriodKey;
use crate::rule_set::VersionState;
use crate::weekday::Weekday;

/// One side of a comparison. It displays in English, as the interface says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    One(Value),
    /// The first values of a list, and how many more there are.
    List(Vec<Value>, usize),
    Phrase(Phrase, Vec<Value>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// An id, a prefix or the value of an attribute.
    Text(String),
    /// An activity type.
    Kind(String),
    Number(i128),
    Time(Timestamp),
    Day(Day),
    Weekday(Weekday),
    /// From the first day to the day before the second one.
    Days(Day, Day),
    /// Minutes since midnight.
    TimeOfDay(u16),
    /// From the first time of day until before the second one.
    Hours(u16, u16),
    /// A month and a day.
    Birthday(u32, u32),
    State(VersionState),
    Period(PeriodKey),
}

macro_rules! phrases {
    ($($phrase:ident = $name:literal: $english:literal,)*) => {
        /// What stands around values.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Phrase {
            $($phrase,)*
        }

        impl Phrase {
            pub const ALL: &'static [Self] = &[$(Self::$phrase),*];

            /// The name for the texts of pages.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$phrase => $name,)*
                }
            }

            /// With `{}` for each value.
            fn english(self) -> &'static str {
                match self {
                    $(Self::$phrase => $english,)*
                }
            }
        }
    };
}

phrases! {
    Absent = "absent": "absent",
    ActiveVersion = "active-version": "an active version",
    AtLeast = "at-least": "at least {}",
    AtLeastLeft = "at-least-left": "at least {} points left",
    AtLeastOnePoint = "at-least-one-point": "at least 1 point",
    AtMostAwards = "at-most-awards": "at most {} awards in {}",
    AtMostBonuses = "at-most-bonuses": "at most {} bonuses",
    AtMostBoth = "at-most-both": "at most {} awards and {} points in {}",
    AtMostInAll = "at-most-in-all": "at most {} points in all",
    AtMostPoints = "at-most-points": "at most {} points in {}",
    AwardFor = "award-for": "an award for {}",
    AwardsLeft = "awards-left": "{} awards left",
    BirthDate = "birth-date": "a birth date",
    BonusesBefore = "bonuses-before": "{} bonuses before it",
    BothOf = "both-of": "points {} and priority {}",
    BothOfWinner = "both-of-winner": "points {} and priority {} of the winner",
    BothLeft = "both-left": "{} awards left, {} points left",
    CreatedBefore = "created-before": "created before {}",
    CreatedFrom = "created-from": "created at {} or later",
    DayOfBirthday = "day-of-birthday": "the day of the birthday {}",
    First = "first": "the first",
    From = "from": "from {} on",
    FromUntil = "from-until": "from {} until before {}",
    IdBefore = "id-before": "all else being equal, an id before {}",
    InsideControl = "inside-control": "inside",
    MonthOfBirthday = "month-of-birthday": "the month of the birthday {}",
    MoreThanNothing = "more-than-nothing": "more than 0 points",
    MultipleOf = "multiple-of": "a multiple of {}",
    NoNearAward = "no-near-award": "no award for a birthday less than 330 days away",
    NoReversal = "no-reversal": "no reversal",
    NotBefore = "not-before": "not before {}",
    NotOrder = "not-order": "a type other than order",
    OneOfMembers = "one-of-members": "one of {} listed members",
    OutsideControl = "outside-control": "outside of the control group",
    PercentOf = "percent-of": "{} percent of {}",
    PointsLeft = "points-left": "{} points left",
    PointsOf = "points-of": "points {}",
    PointsOfWinner = "points-of-winner": "points {} of the winner",
    PriorityOf = "priority-of": "priority {}",
    PriorityOfWinner = "priority-of-winner": "priority {} of the winner",
    SetAt = "set-at": "set at {}",
    SetDaysBefore = "set-days-before": "set {} days before",
    SomeLeft = "some-left": "awards and points left",
    Until = "until": "until before {}",
    Used = "used": "{} awards and {} points",
    UsedBeside = "used-beside": "{} awards and {} points beside an award of {}",
    WeekOfBirthday = "week-of-birthday": "the week of the birthday {}",
}

impl From<Value> for Fact {
    fn from(value: Value) -> Self {
        Self::One(value)
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(value) => value.fmt(f),
            Self::List(values, more) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                f.write_str(&values.join(", "))?;
                if *more > 0 { write!(f, " and {more} more") } else { Ok(()) }
            }
            Self::Phrase(phrase, values) => {
                let (mut texts, mut values) = (phrase.english().split("{}"), values.iter());
                f.write_str(texts.next().unwrap_or_default())?;
                texts.try_for_each(|text| {
                    values.next().map_or(Ok(()), |value| value.fmt(f))?;
                    f.write_str(text)
                })
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) | Self::Kind(text) => f.write_str(text),
            Self::Number(number) => number.fmt(f),
            Self::Time(at) => at.fmt(f),
            Self::Day(day) => day.fmt(f),
            Self::Weekday(day) => f.write_str(day.as_str()),
            Self::Days(from, until) => write!(f, "{from} until before {until}"),
            Self::TimeOfDay(minute) => f.write_str(&time_of_day(*minute)),
            Self::Hours(from, until) => {
                write!(f, "{} until before {}", time_of_day(*from), time_of_day(*until))
            }
            Self::Birthday(month, day) => write!(f, "{month:02}-{day:02}"),
            Self::State(state) => f.write_str(state.as_str()),
            Self::Period(period) => period.fmt(f),
        }
    }
}

/// Such as `08:05`.
pub fn time_of_day(minute: u16) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}
