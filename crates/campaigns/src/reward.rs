//! What a campaign pays for an activity.

use pointbook_domain::Points;

/// A number of points, or a part of the base points. Other bonuses never count, so the order of campaigns does not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reward {
    pub(crate) amount: Amount,
    /// The most points of one award.
    pub(crate) at_most: Option<Points>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount {
    /// Percent of the base points, from 1 to [`MAX_PERCENT`](crate::sizes::MAX_PERCENT).
    Percent(u32),
    Points(Points),
}

impl Reward {
    /// The points for an activity with these base points, before all limits. It rounds down. Together with other awards, it may
    /// exceed the bounds of [`Points`].
    pub(crate) fn points(&self, base: Points) -> i64 {
        let points = match self.amount {
            Amount::Percent(percent) => percent_of(base, percent),
            Amount::Points(points) => points.get(),
        };
        self.at_most.map_or(points, |most| points.min(most.get()))
    }
}

/// 53 bits times 10,000 percent exceed 64 bits, so the product has 128. The quotient fits.
fn percent_of(base: Points, percent: u32) -> i64 {
    let points = i128::from(base.get()) * i128::from(percent) / 100;
    i64::try_from(points).unwrap_or(i64::MAX)
}
