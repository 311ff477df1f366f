//! Everything that happened so far. Each question scans the whole list.

use super::calendar::{date_of, monday_of};
use super::data::Event;

/// Points that a campaign gave to a user.
#[derive(Debug, Clone)]
pub(crate) struct PastAward {
    pub(crate) campaign: String,
    pub(crate) user: String,
    /// The local day of the event.
    pub(crate) day: i64,
    pub(crate) points: i64,
    /// The birthday that the campaign celebrated, if it has a birthday condition.
    pub(crate) birthday: Option<i64>,
}

/// Both lists are in the order of recording, which may differ from the order of the events' times.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    pub(crate) events: Vec<Event>,
    pub(crate) awards: Vec<PastAward>,
}

/// A number of awards and the sum of their points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) awards: i128,
    pub(crate) points: i128,
}

impl History {
    /// The position of a new event among the user's events that count, from 1. `of` is `type` or `all`.
    pub(crate) fn ordinal(&self, event: &Event, of: &str) -> i128 {
        let mut position = 1;
        for past in &self.events {
            let counts = past.points > 0 && past.kind != "order";
            let same_type = of == "all" || past.kind == event.kind;
            if past.user == event.user && counts && same_type {
                position += 1;
            }
        }
        position
    }

    /// What the user got from the campaign in the period that contains this local day.
    pub(crate) fn used(&self, campaign: &str, user: &str, period: &str, day: i64) -> Usage {
        sum(self.awards.iter().filter(|past| {
            past.campaign == campaign && past.user == user && is_same_period(period, past.day, day)
        }))
    }

    /// What all users got from the campaign.
    pub(crate) fn spent(&self, campaign: &str) -> Usage {
        sum(self.awards.iter().filter(|past| past.campaign == campaign))
    }

    /// The latest birthday for which the campaign paid the user.
    pub(crate) fn last_birthday(&self, campaign: &str, user: &str) -> Option<i64> {
        let mut last = None;
        for past in &self.awards {
            if past.campaign == campaign && past.user == user && past.birthday.is_some() {
                last = last.max(past.birthday);
            }
        }
        last
    }
}

fn sum<'a>(awards: impl Iterator<Item = &'a PastAward>) -> Usage {
    let mut usage = Usage { awards: 0, points: 0 };
    for past in awards {
        usage.awards += 1;
        usage.points += i128::from(past.points);
    }
    usage
}

fn is_same_period(period: &str, left: i64, right: i64) -> bool {
    let (left_date, right_date) = (date_of(left), date_of(right));
    match period {
        "day" => left == right,
        "week" => monday_of(left) == monday_of(right),
        "month" => left_date.0 == right_date.0 && left_date.1 == right_date.1,
        "year" => left_date.0 == right_date.0,
        "ever" => true,
        _ => panic!("unknown period {period}"),
    }
}
