//! The points of a member by the month in which they were earned.

use std::collections::BTreeMap;

use crate::Month;

/// What happened to the points of one month of earning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct MonthPoints {
    pub(crate) issued: i64,
    /// Orders pay with the oldest points first, and give back the newest first.
    pub(crate) spent: i64,
    /// What reversals took back.
    pub(crate) reversed: i64,
    /// The oldest points end first too.
    pub(crate) expired: i64,
}

impl MonthPoints {
    /// Below 0 for points that an imported history spent before it earned them.
    fn open(&self) -> i64 {
        self.issued.saturating_sub(self.spent).saturating_sub(self.reversed).saturating_sub(self.expired)
    }
}

/// The open points of all months are the balance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MemberVintages(BTreeMap<Month, MonthPoints>);

impl MemberVintages {
    /// Reads `[[month, issued, spent, reversed, expired], ...]`, where `expired` may be absent. `None` for other text.
    pub(crate) fn from_json(json: &str) -> Option<Self> {
        let rows: Vec<Vec<i64>> = serde_json::from_str(json).ok()?;
        let month = |row: Vec<i64>| match row[..] {
            [month, issued, spent, reversed] => {
                Some((Month(month), MonthPoints { issued, spent, reversed, expired: 0 }))
            }
            [month, issued, spent, reversed, expired] => {
                Some((Month(month), MonthPoints { issued, spent, reversed, expired }))
            }
            _ => None,
        };
        rows.into_iter().map(month).collect::<Option<_>>().map(Self)
    }

    /// Without the points that ended, where none did.
    pub(crate) fn to_json(&self) -> String {
        let row = |(month, points): (Month, MonthPoints)| {
            let MonthPoints { issued, spent, reversed, expired } = points;
            let ended = (expired != 0).then_some(expired);
            [month.0, issued, spent, reversed].into_iter().chain(ended).collect::<Vec<i64>>()
        };
        // Numbers always serialise.
        serde_json::to_string(&self.iter().map(row).collect::<Vec<_>>()).unwrap_or_default()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Month, MonthPoints)> {
        self.0.iter().map(|(month, points)| (*month, *points))
    }

    /// Each month with the issued, the spent, the reversed and the ended points.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (Month, [i64; 4])> {
        self.iter().map(|(month, MonthPoints { issued, spent, reversed, expired })| {
            (month, [issued, spent, reversed, expired])
        })
    }

    /// New points pay first what was spent before it was earned.
    pub(crate) fn issue(&mut self, month: Month, points: i64) {
        add(&mut self.at(month).issued, points);
        self.settle();
    }

    /// What no month has left counts for `month`, whose points are then owed.
    pub(crate) fn spend(&mut self, month: Month, points: i64) {
        self.take(month, points, |stored| &mut stored.spent);
    }

    /// Points of an order that was cancelled.
    pub(crate) fn refund(&mut self, month: Month, points: i64) {
        self.give(month, points, |stored| &mut stored.spent);
    }

    /// Points ended, or come back after that (below 0).
    pub(crate) fn expire(&mut self, month: Month, points: i64) {
        match points {
            ..0 => self.give(month, points.saturating_neg(), |stored| &mut stored.expired),
            points => self.take(month, points, |stored| &mut stored.expired),
        }
    }

    /// Takes open points of the oldest months first.
    fn take(&mut self, month: Month, points: i64, taken_of: fn(&mut MonthPoints) -> &mut i64) {
        let mut left = points;
        for stored in self.0.values_mut() {
            let taken = left.min(stored.open().max(0));
            add(taken_of(stored), taken);
            left = left.saturating_sub(taken);
        }
        add(taken_of(self.at(month)), left);
    }

    /// Gives back what was taken, to the newest months first.
    fn give(&mut self, month: Month, points: i64, taken_of: fn(&mut MonthPoints) -> &mut i64) {
        let mut left = points;
        for stored in self.0.values_mut().rev() {
            let taken = taken_of(stored);
            let returned = left.min((*taken).max(0));
            add(taken, returned.saturating_neg());
            left = left.saturating_sub(returned);
        }
        add(taken_of(self.at(month)), left.saturating_neg());
    }

    /// Takes back points that were earned in `month`. What of them was spent, the points of other months pay.
    pub(crate) fn reverse(&mut self, month: Month, points: i64) {
        add(&mut self.at(month).reversed, points);
        self.settle();
    }

    /// Lets months with open points pay for months that owe some, the oldest first.
    fn settle(&mut self) {
        let find = |months: &BTreeMap<Month, MonthPoints>, is_wanted: fn(i64) -> bool| {
            months.iter().map(|(month, points)| (*month, points.open())).find(|(_, open)| is_wanted(*open))
        };
        // Each payment leaves one month with 0. The bound is for sums that are at the largest number and stay there.
        for _ in 0..self.0.len() {
            let Some((owing, owed)) = find(&self.0, |open| open < 0) else { break };
            let Some((paying, open)) = find(&self.0, |open| open > 0) else { break };
            let paid = open.min(owed.saturating_neg());
            // Of what the month owes, some was spent, and some has ended.
            let MonthPoints { spent, expired, .. } = *self.at(owing);
            let of_ended = paid.saturating_sub(spent.max(0)).clamp(0, expired.max(0));
            let of_spent = paid - of_ended;
            add(&mut self.at(owing).spent, of_spent.saturating_neg());
            add(&mut self.at(paying).spent, of_spent);
            add(&mut self.at(owing).expired, of_ended.saturating_neg());
            add(&mut self.at(paying).expired, of_ended);
        }
    }

    fn at(&mut self, month: Month) -> &mut MonthPoints {
        self.0.entry(month).or_default()
    }
}

/// A sum beyond 64 bits stays at the largest number.
fn add(sum: &mut i64, points: i64) {
    *sum = sum.saturating_add(points);
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAY: Month = Month(4);
    const JUNE: Month = Month(5);
    const JULY: Month = Month(6);

    fn open(vintages: &MemberVintages) -> Vec<(Month, i64)> {
        vintages.iter().map(|(month, points)| (month, points.open())).collect()
    }

    fn earned() -> MemberVintages {
        let mut vintages = MemberVintages::default();
        vintages.issue(MAY, 100);
        vintages.issue(JUNE, 50);
        vintages
    }

    #[test]
    fn the_oldest_points_are_spent_first_and_given_back_last() {
        let mut vintages = earned();
        vintages.spend(JULY, 120);
        assert_eq!(open(&vintages), [(MAY, 0), (JUNE, 30), (JULY, 0)]);
        vintages.refund(JULY, 120);
        assert_eq!(open(&vintages), [(MAY, 100), (JUNE, 50), (JULY, 0)]);
    }

    #[test]
    fn points_that_were_never_earned_are_owed_until_new_ones_pay_them() {
        let mut vintages = earned();
        vintages.spend(JUNE, 170);
        assert_eq!(open(&vintages), [(MAY, 0), (JUNE, -20)]);
        vintages.issue(JULY, 15);
        assert_eq!(open(&vintages), [(MAY, 0), (JUNE, -5), (JULY, 0)]);
        vintages.issue(JULY, 15);
        assert_eq!(open(&vintages), [(MAY, 0), (JUNE, 0), (JULY, 10)]);
    }

    #[test]
    fn a_reversal_takes_from_the_month_of_earning() {
        let mut vintages = earned();
        vintages.reverse(JUNE, 50);
        assert_eq!(open(&vintages), [(MAY, 100), (JUNE, 0)]);
        vintages.spend(JULY, 90);
        vintages.issue(JULY, 100);
        vintages.reverse(MAY, 100);
        assert_eq!(open(&vintages), [(MAY, 0), (JUNE, 0), (JULY, 10)]);
    }

    #[test]
    fn sums_beyond_64_bits_stay_at_the_largest_number() {
        let mut vintages = MemberVintages::default();
        for month in [MAY, JUNE, MAY] {
            vintages.issue(month, i64::MAX);
            vintages.spend(JULY, i64::MAX);
            vintages.spend(month, i64::MAX);
            vintages.reverse(JUNE, i64::MAX);
            vintages.refund(JULY, i64::MAX);
        }
        vintages.issue(MAY, 1);
        let issued: Vec<i64> = vintages.iter().map(|(_, points)| points.issued).collect();
        assert_eq!(issued, [i64::MAX, i64::MAX, 0]);
    }

    #[test]
    fn months_survive_their_stored_form() {
        let vintages = earned();
        assert_eq!(vintages.to_json(), "[[4,100,0,0],[5,50,0,0]]");
        assert_eq!(MemberVintages::from_json(&vintages.to_json()), Some(vintages));
        assert_eq!(MemberVintages::from_json("[[4,100]]"), None);
    }
}
