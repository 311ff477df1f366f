//! Everything that happened so far. Each question scans the whole list.

use super::calendar::{date_of, monday_of};
use super::data::{Award, Event};

/// Both lists are in the order of recording, which may differ from the order of the events' times.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    /// Each with its user.
    pub(crate) events: Vec<(String, Event)>,
    pub(crate) awards: Vec<Award>,
}

/// A number of awards and the sum of their points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) awards: i128,
    pub(crate) points: i128,
}

impl History {
    /// The position of a new event among the user's events that count, from 1. `of` is `type` or `all`.
    pub(crate) fn ordinal(&self, user: &str, event: &Event, of: &str) -> i128 {
        let mut position = 1;
        for (past_user, past) in &self.events {
            let counts = past.may_earn() && past.kind != "order";
            let same_type = of == "all" || past.kind == event.kind;
            if past_user == user && counts && same_type {
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
        let of_user = self.awards.iter().filter(|past| past.campaign == campaign && past.user == user);
        of_user.filter_map(|past| past.birthday).max()
    }
}

fn sum<'a>(awards: impl Iterator<Item = &'a Award>) -> Usage {
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
