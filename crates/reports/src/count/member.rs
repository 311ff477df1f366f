//! What the figures count of one member.

use std::collections::BTreeSet;

use pointbook_domain::{Day, UserId};
use pointbook_store::schema::rows::{Cohort, MemberRow, Vintage};

use super::active_days::{ActiveDay, ActiveDays};
use super::day_sums::DaySums;
use super::effect::Move;
use super::vintages::MemberVintages;
use crate::sums::Sums;
use crate::{Month, difference};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) user_id: UserId,
    /// The rows up to this one are counted.
    pub(crate) counted_seq: u64,
    earned_points: i64,
    spent_points: i64,
    expired_points: i64,
    days: ActiveDays,
    vintages: MemberVintages,
    campaigns: BTreeSet<String>,
}

impl Member {
    /// A member of whom no row is counted.
    pub(crate) fn new(user_id: UserId) -> Self {
        Self {
            user_id,
            counted_seq: 0,
            earned_points: 0,
            spent_points: 0,
            expired_points: 0,
            days: ActiveDays::default(),
            vintages: MemberVintages::default(),
            campaigns: BTreeSet::new(),
        }
    }

    /// `None` when a column has no valid value.
    pub(crate) fn from_row(row: MemberRow) -> Option<Self> {
        let MemberRow { user_id, counted_seq, earned_points, spent_points, expired_points, .. } = row;
        Some(Self {
            user_id,
            counted_seq,
            earned_points,
            spent_points,
            expired_points,
            days: ActiveDays::from_bytes(&row.days)?,
            vintages: MemberVintages::from_json(&row.vintages)?,
            campaigns: row.campaigns.into_iter().collect(),
        })
    }

    pub(crate) fn to_row(&self) -> MemberRow {
        let Self { user_id, counted_seq, earned_points, spent_points, expired_points, days, .. } = self;
        MemberRow {
            user_id: user_id.clone(),
            counted_seq: *counted_seq,
            earned_points: *earned_points,
            spent_points: *spent_points,
            day_count: days.days().len().try_into().unwrap_or(i64::MAX),
            last_day: days.last(),
            days: days.to_bytes(),
            vintages: self.vintages.to_json(),
            campaigns: self.campaigns.iter().cloned().collect(),
            expired_points: *expired_points,
        }
    }

    /// Counts what the member did on a day.
    pub(crate) fn add_day(&mut self, active: ActiveDay, days: &mut DaySums, sums: &mut Sums) {
        let (day, joined_before) = (active.day, self.days.first());
        let Some(new) = self.days.add(active) else { return };
        days.add(new);
        let month = Month::from(day);
        let has_month = |other: Option<Day>| other.is_some_and(|other| Month::from(other) == month);
        let is_new_month = !has_month(new.before) && !has_month(new.after);
        let joined = Month::from(self.days.first().unwrap_or(day));
        if let Some(before) = joined_before.map(Month::from).filter(|before| *before != joined) {
            for month in self.months().into_iter().filter(|other| *other != month) {
                sums.subtract(&cohort(before, month));
                sums.add(&cohort(joined, month));
            }
        }
        if is_new_month {
            sums.add(&cohort(joined, month));
        }
    }

    fn months(&self) -> BTreeSet<Month> {
        self.days.days().map(Month::from).collect()
    }

    /// Counts a move of points for the month of their day.
    pub(crate) fn move_points(&mut self, moved: Move, month: Month) {
        match moved {
            Move::Issue(points) => {
                self.earned_points = self.earned_points.saturating_add(points);
                self.vintages.issue(month, points);
            }
            Move::Spend(points) => {
                self.spent_points = self.spent_points.saturating_add(points);
                self.vintages.spend(month, points);
            }
            Move::Expire(points) => {
                self.expired_points = self.expired_points.saturating_add(points);
                self.vintages.expire(month, points);
            }
            Move::Refund(points) => {
                self.spent_points = self.spent_points.saturating_sub(points);
                self.vintages.refund(month, points);
            }
            Move::Reverse(points) => {
                self.earned_points = self.earned_points.saturating_sub(points);
                self.vintages.reverse(month, points);
            }
        }
    }

    /// Whether it is the first award of the campaign.
    pub(crate) fn add_campaign(&mut self, campaign_id: &str) -> bool {
        self.campaigns.insert(campaign_id.to_owned())
    }

    /// Where the stored figures of the member are others, in words.
    pub(crate) fn differences(&self, stored: &Self) -> Vec<String> {
        let numbers = |member: &Self| [member.earned_points, member.spent_points, member.expired_points];
        let columns = ["earned_points", "spent_points", "expired_points"];
        let mut found = difference::of_columns(columns, &numbers(stored), &numbers(self));
        let columns = ["earned_points", "bonus_points", "orders"];
        found.extend(difference::of_list("days", columns, stored.days.numbers(), self.days.numbers()));
        let columns = ["issued_points", "spent_points", "reversed_points", "expired_points"];
        let (before, now) = (stored.vintages.numbers(), self.vintages.numbers());
        found.extend(difference::of_list("vintages", columns, before, now));
        let campaigns = |member: &Self| [format!("{:?}", member.campaigns)];
        found.extend(difference::of_columns(["campaigns"], &campaigns(stored), &campaigns(self)));
        found
    }

    /// Where a row says something else of its days than the days themselves, in words.
    pub(crate) fn summary_differences(row: &MemberRow) -> Vec<String> {
        // Days that cannot be read end the count of the member.
        let Some(days) = ActiveDays::from_bytes(&row.days) else { return Vec::new() };
        let summary = |count: i64, last: Option<Day>| {
            [count.to_string(), last.map_or_else(|| "none".to_owned(), |day| day.to_string())]
        };
        let stored = summary(row.day_count, row.last_day);
        let counted = summary(days.days().len().try_into().unwrap_or(i64::MAX), days.last());
        difference::of_columns(["day_count", "last_day"], &stored, &counted)
    }

    /// The member's part of the sums by month of earning.
    pub(crate) fn vintages(&self) -> impl Iterator<Item = Vintage> {
        self.vintages.iter().map(|(month, points)| Vintage {
            month: month.0,
            issued_points: points.issued,
            spent_points: points.spent,
            reversed_points: points.reversed,
            expired_points: points.expired,
        })
    }
}

fn cohort(joined: Month, month: Month) -> Cohort {
    Cohort { joined: joined.0, month: month.0, members: 1 }
}
