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
    /// Percent of the base points, from 1 to [`Reward::MAX_PERCENT`].
    Percent(u32),
    Points(Points),
}

impl Reward {
    pub(crate) const MAX_PERCENT: u32 = 10_000;

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

#[cfg(test)]
mod tests {
    use pointbook_domain::points::MAX_POINTS;

    use super::*;

    fn points(points: i64) -> Points {
        Points::new(points).unwrap()
    }

    fn percent(percent: u32, base: i64) -> i64 {
        Reward { amount: Amount::Percent(percent), at_most: None }.points(points(base))
    }

    #[test]
    fn a_percentage_rounds_down() {
        assert_eq!(percent(25, 3), 0);
        assert_eq!(percent(25, 4), 1);
        assert_eq!(percent(25, 7), 1);
        assert_eq!(percent(50, 199), 99);
        assert_eq!(percent(1, 99), 0);
        assert_eq!(percent(150, 1), 1);
    }

    #[test]
    fn the_largest_percentage_of_the_most_points_is_exact() {
        assert_eq!(percent(10_000, MAX_POINTS), MAX_POINTS * 100);
        assert_eq!(percent(1, MAX_POINTS), MAX_POINTS / 100);
    }

    #[test]
    fn an_award_has_at_most_the_points_of_its_bound() {
        let reward = Reward { amount: Amount::Percent(100), at_most: Some(points(500)) };
        assert_eq!(reward.points(points(499)), 499);
        assert_eq!(reward.points(points(501)), 500);
        let reward = Reward { amount: Amount::Points(points(100)), at_most: Some(points(7)) };
        assert_eq!(reward.points(points(1)), 7);
    }
}
