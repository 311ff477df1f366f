//! What one ledger row says to the figures.

use std::convert::Infallible;

use pointbook_domain::order::is_refund;
use pointbook_domain::{Activity, Day};
use pointbook_store::schema::rows::DailyTotal;

/// How a row moves points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Move {
    /// The member earned points.
    Issue(i64),
    /// An order, or another row that takes points.
    Spend(i64),
    /// Points ended. Below 0 when they come back.
    Expire(i64),
    /// Points of a cancelled order come back.
    Refund(i64),
    /// Takes back another row. Below 0 when that row took points.
    Reverse(i64),
}

impl Move {
    pub(crate) fn of(activity: &Activity) -> Self {
        let net = activity.points.get().saturating_add(activity.bonuses.total().get());
        let source = || Ok::<_, Infallible>(activity.source_id.as_str());
        let is_refund = is_refund(activity.kind.as_str(), activity.points, source).unwrap_or_default();
        match () {
            () if activity.is_reversal() => Self::Reverse(net.saturating_neg()),
            () if is_refund => Self::Refund(net),
            () if activity.is_expiry() => Self::Expire(net.saturating_neg()),
            () if net < 0 => Self::Spend(net.saturating_neg()),
            () => Self::Issue(net),
        }
    }

    /// The row as a part of its day's totals.
    pub(crate) fn total(self, activity: &Activity, day: Day) -> DailyTotal {
        let none = DailyTotal {
            day,
            kind: activity.kind.as_str().to_owned(),
            transactions: 1,
            earned_points: 0,
            bonus_points: 0,
            spent_points: 0,
            refunded_points: 0,
            reversed_points: 0,
            reversals: 0,
            expired_points: 0,
        };
        match self {
            Self::Issue(_) => DailyTotal {
                earned_points: activity.points.get(),
                bonus_points: activity.bonuses.total().get(),
                ..none
            },
            Self::Spend(spent_points) => DailyTotal { spent_points, ..none },
            Self::Expire(expired_points) => DailyTotal { expired_points, ..none },
            Self::Refund(refunded_points) => DailyTotal { refunded_points, ..none },
            Self::Reverse(reversed_points) => DailyTotal { reversed_points, reversals: 1, ..none },
        }
    }
}
