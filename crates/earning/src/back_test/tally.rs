//! The sums of a back-test.

use std::collections::BTreeMap;

use pointbook_campaigns::Usage;
use pointbook_domain::{Day, UserId};

use super::result::{BackTestResult, DayTotal, DifferingRow, PaidTotal, UserTotal};

/// The most users and the most differing rows of a result.
pub(super) const MAX_LISTED: usize = 20;

/// What a back-test says of one ledger row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowOutcome {
    pub(super) seq: u64,
    /// The local day of the event.
    pub(super) day: Day,
    /// The points of the award; 0 without an award.
    pub(super) simulated: i64,
    pub(super) is_clipped: bool,
    /// The points that the row has of this campaign.
    pub(super) paid: i64,
}

/// A row whose paid points are not those of the back-test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) user_id: UserId,
    pub(super) seq: u64,
    simulated: i64,
    paid: i64,
}

/// It takes the rows of a user together.
#[derive(Debug, Default)]
pub(super) struct Tally {
    activities: u64,
    all: Usage,
    users: u64,
    clipped: u64,
    days: BTreeMap<Day, Usage>,
    /// Sorted: the one with the most points first, then by id.
    top_users: Vec<(UserId, Usage)>,
    paid: Usage,
    differing: u64,
    differences: Vec<Difference>,
    of_user: Usage,
}

impl Tally {
    pub(super) fn add_activity(&mut self) {
        self.activities += 1;
    }

    /// Counts the bonuses that a row has of this campaign.
    pub(super) fn add_paid(&mut self, bonuses: u64, points: i64) {
        self.paid.awards += bonuses;
        self.paid.points = self.paid.points.saturating_add(points);
    }

    /// Counts a row of a user.
    pub(super) fn add(&mut self, user_id: &UserId, row: &RowOutcome) {
        let RowOutcome { seq, day, simulated, is_clipped, paid } = *row;
        if simulated > 0 {
            self.clipped += u64::from(is_clipped);
            for usage in [&mut self.all, &mut self.of_user, self.days.entry(day).or_default()] {
                usage.awards += 1;
                usage.points = usage.points.saturating_add(simulated);
            }
        }
        if simulated != paid {
            self.differing += 1;
            if self.differences.len() < MAX_LISTED {
                self.differences.push(Difference { user_id: user_id.clone(), seq, simulated, paid });
            }
        }
    }

    /// Call it after the last row of a user. Users come in the order of their ids.
    pub(super) fn end_user(&mut self, user_id: &UserId) {
        let usage = std::mem::take(&mut self.of_user);
        if usage.awards == 0 {
            return;
        }
        self.users += 1;
        let place = self.top_users.partition_point(|(_, other)| other.points >= usage.points);
        if place < MAX_LISTED {
            self.top_users.insert(place, (user_id.clone(), usage));
            self.top_users.truncate(MAX_LISTED);
        }
    }

    /// The rows that the result lists because they differ.
    pub(super) fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// The result, with the ids of the transactions of [`Self::differences`].
    pub(super) fn into_result(self, transaction_ids: Vec<String>) -> BackTestResult {
        let Self { activities, all, users, clipped, days, top_users, paid, differing, differences, .. } =
            self;
        let day =
            |(day, Usage { awards, points }): (Day, Usage)| DayTotal { day: day.to_string(), awards, points };
        let user = |(id, Usage { awards, points }): (UserId, Usage)| UserTotal {
            user_id: id.to_string(),
            awards,
            points,
        };
        let row = |(Difference { user_id, simulated, paid, .. }, transaction_id): (Difference, String)| {
            DifferingRow { user_id: user_id.to_string(), transaction_id, simulated, paid }
        };
        BackTestResult {
            activities,
            awards: all.awards,
            points: all.points,
            users,
            clipped,
            days: days.into_iter().map(day).collect(),
            top_users: top_users.into_iter().map(user).collect(),
            paid: PaidTotal { awards: paid.awards, points: paid.points },
            differing,
            differing_rows: differences.into_iter().zip(transaction_ids).map(row).collect(),
        }
    }
}
