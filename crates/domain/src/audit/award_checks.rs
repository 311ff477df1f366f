//! Checks the awards of a user against the breakdowns of the ledger rows, and recounts the activities that earned points.

use std::collections::BTreeMap;

use super::fact::StoredRow;
use crate::{ActivityType, EarnedCounts};

#[derive(Debug, Default)]
pub(super) struct AwardChecks {
    /// The number and the points of the awards of each row that did not come yet, by `seq`.
    awards: BTreeMap<i64, (usize, i128)>,
    earned: EarnedCounts,
}

impl AwardChecks {
    /// Takes an award. All of them come before the first row.
    pub(super) fn take_award(&mut self, seq: i64, points: i64) {
        let (number, sum) = self.awards.entry(seq).or_default();
        *number += 1;
        *sum += i128::from(points);
    }

    /// Takes the next row. Returns its fault.
    pub(super) fn take_row(&mut self, row: &StoredRow) -> Option<String> {
        if EarnedCounts::counts_row(row.kind(), row.points(), row.source_id())
            && let Ok(kind) = ActivityType::new(row.kind())
        {
            self.earned.add_one(&kind);
        }
        let (number, sum) = self.awards.remove(&row.seq).unwrap_or_default();
        let transaction = &row.content.as_ref().ok()?.transaction;
        let (expected, breakdown) =
            (transaction.bonus_origin.awards(), transaction.activity.bonuses.breakdown());
        let added = breakdown.get(transaction.requested_bonuses().len()..).unwrap_or_default();
        let points: i128 = added.iter().map(|bonus| i128::from(bonus.points.get())).sum();
        let is_right = (number, sum) == (expected, points) && added.len() == expected;
        (!is_right).then(|| {
            format!("has {number} awards of {sum} points but its breakdown has {expected} of {points} points")
        })
    }

    /// What is wrong after the last row.
    pub(super) fn differences(&self, stored: Option<&str>) -> Vec<String> {
        let orphans = self.awards.iter().map(|(seq, (number, sum))| {
            format!("{number} awards of {sum} points belong to transaction {seq}, which does not exist")
        });
        let recounted = self.earned.to_string();
        let count = stored.filter(|stored| **stored != recounted).map(|stored| {
            format!("earning activities are counted as {stored:?} but the transactions come to {recounted:?}")
        });
        count.into_iter().chain(orphans).collect()
    }
}
