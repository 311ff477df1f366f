//! The sums of a back-test.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use pointbook_campaigns::Usage;
use pointbook_domain::{ActivityType, Day, Points, TransactionId, UserId};
use sha2::{Digest, Sha256};

use super::lacking::Lacking;
use super::result::{BackTestResult, DayTotal, DifferingRow, PaidTotal, UserTotal};

/// The most users and the most differing rows of a result.
pub(super) const MAX_LISTED: usize = 20;

/// What a back-test says of one ledger row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RowOutcome {
    pub(super) id: TransactionId,
    pub(super) kind: ActivityType,
    /// The local day of the event.
    pub(super) day: Day,
    /// The points of the award; 0 without an award.
    pub(super) simulated: i64,
    pub(super) is_clipped: bool,
    /// The birthday that the award pays for.
    pub(super) birthday: Option<Day>,
    /// The bonuses that the row has of this campaign, back-filled ones included.
    pub(super) paid: Usage,
    /// Whether some of it is an award of the campaign or of a back-fill, and not only a bonus of the request.
    pub(super) has_award: bool,
    pub(super) is_reversed: bool,
}

impl RowOutcome {
    /// The points that it has too little of the campaign. `None` when it has enough.
    pub(super) fn lacks(&self) -> Option<Points> {
        let points = Points::new(self.simulated.saturating_sub(self.paid.points)).ok()?;
        (points > Points::ZERO).then_some(points)
    }
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
    due: Usage,
    differing: u64,
    differing_rows: Vec<DifferingRow>,
    fingerprint: Sha256,
    /// What a back-fill has to give. `None` unless it was asked for.
    pub(super) lacking: Option<Lacking>,
}

impl Tally {
    pub(super) fn add_activity(&mut self) {
        self.activities += 1;
    }

    /// Counts the rows of a user. Users come in the order of their ids.
    pub(super) fn add_user(&mut self, user_id: &UserId, rows: impl IntoIterator<Item = RowOutcome>) {
        let mut of_user = Usage::default();
        for row in rows {
            self.add(user_id, row, &mut of_user);
        }
        if of_user.awards == 0 {
            return;
        }
        self.users += 1;
        let place = self.top_users.partition_point(|(_, other)| other.points >= of_user.points);
        if place < MAX_LISTED {
            self.top_users.insert(place, (user_id.clone(), of_user));
            self.top_users.truncate(MAX_LISTED);
        }
    }

    fn add(&mut self, user_id: &UserId, row: RowOutcome, of_user: &mut Usage) {
        let RowOutcome { day, simulated, is_clipped, paid, .. } = row;
        self.paid.awards += paid.awards;
        self.paid.points = self.paid.points.saturating_add(paid.points);
        if simulated > 0 {
            self.fingerprint.update(format!("{}\n{simulated}\n", row.id));
            self.clipped += u64::from(is_clipped);
            for usage in [&mut self.all, of_user, self.days.entry(day).or_default()] {
                usage.awards += 1;
                usage.points = usage.points.saturating_add(simulated);
            }
        }
        if let Some(points) = row.lacks().filter(|_| !row.is_reversed) {
            self.due.awards += 1;
            self.due.points = self.due.points.saturating_add(points.get());
        }
        if simulated != paid.points {
            self.differing += 1;
            if self.differing_rows.len() < MAX_LISTED {
                let (user_id, transaction_id) = (user_id.to_string(), row.id.to_string());
                self.differing_rows.push(DifferingRow {
                    user_id,
                    transaction_id,
                    simulated,
                    paid: paid.points,
                });
            }
        }
        if let Some(lacking) = &mut self.lacking {
            lacking.add(user_id, row);
        }
    }

    pub(super) fn into_result(self) -> BackTestResult {
        let fingerprint = HEXLOWER.encode(&self.fingerprint.clone().finalize());
        let Self {
            activities,
            all,
            users,
            clipped,
            days,
            top_users,
            paid,
            due,
            differing,
            differing_rows,
            ..
        } = self;
        let day =
            |(day, Usage { awards, points }): (Day, Usage)| DayTotal { day: day.to_string(), awards, points };
        let user = |(id, Usage { awards, points }): (UserId, Usage)| UserTotal {
            user_id: id.to_string(),
            awards,
            points,
        };
        let total = |Usage { awards, points }: Usage| PaidTotal { awards, points };
        BackTestResult {
            activities,
            awards: all.awards,
            points: all.points,
            users,
            clipped,
            days: days.into_iter().map(day).collect(),
            top_users: top_users.into_iter().map(user).collect(),
            paid: total(paid),
            due: total(due),
            differing,
            differing_rows,
            fingerprint,
        }
    }
}
