//! What a day, its groups and their transactions must come to.

use std::collections::BTreeSet;

use super::super::Examiner;
use crate::read::{Day, Group, Transaction};
use crate::rule::{
    HISTORY_BONUS_SUMS, HISTORY_KNOWN_TYPES, HISTORY_ONE_GROUP, HISTORY_ORDER, HISTORY_SUMS, HISTORY_TYPES,
    HISTORY_UTC,
};

/// The types of the document.
const KNOWN_TYPES: [&str; 4] = ["code", "video", "quiz", "order"];

impl Examiner<'_> {
    pub(super) fn judge_day(&mut self, request: &str, day: &Day) {
        let types: Vec<&str> = day.groups.iter().map(|group| group.kind.as_str()).collect();
        let different: BTreeSet<_> = types.iter().collect();
        self.book.expect(&HISTORY_ONE_GROUP, request, different.len() == types.len(), || {
            (format!("one group for each type on {}", day.date), types.join(", "))
        });
        for group in &day.groups {
            self.judge_group(request, &day.date, group);
            for transaction in &group.transactions {
                self.judge_transaction(request, &day.date, group, transaction);
            }
        }
        self.judge_order(request, day);
    }

    fn judge_group(&mut self, request: &str, date: &str, group: &Group) {
        let Group { kind, total_points, total_bonus_points, transactions, .. } = group;
        let sum = |amount: fn(&Transaction) -> i64| {
            transactions.iter().map(|one| i128::from(amount(one))).sum::<i128>()
        };
        let (points, bonus) = (sum(|one| one.points), sum(|one| one.bonus_points));
        let fits = i128::from(*total_points) == points && i128::from(*total_bonus_points) == bonus;
        self.book.expect(&HISTORY_SUMS, request, fits, || {
            let wanted = format!("totalPoints {points} and totalBonusPoints {bonus}");
            (format!("{wanted} for {kind} on {date}"), format!("{total_points} and {total_bonus_points}"))
        });
        let is_known = KNOWN_TYPES.contains(&kind.as_str());
        self.book.expect(&HISTORY_KNOWN_TYPES, request, is_known, || {
            (KNOWN_TYPES.join(", "), format!("{kind} on {date}"))
        });
    }

    fn judge_transaction(&mut self, request: &str, date: &str, group: &Group, transaction: &Transaction) {
        let Transaction { created_at, kind, bonus_points, bonuses, .. } = transaction;
        self.book.expect(&HISTORY_TYPES, request, *kind == group.kind, || {
            (format!("type {} within its group on {date}", group.kind), kind.clone())
        });
        self.book.expect(&HISTORY_UTC, request, created_at.starts_with(date), || {
            (format!("created_at on {date}"), created_at.clone())
        });
        if *bonus_points > 0 || !bonuses.is_empty() {
            let sum: i128 = bonuses.iter().map(|bonus| i128::from(bonus.points)).sum();
            self.book.expect(&HISTORY_BONUS_SUMS, request, sum == i128::from(*bonus_points), || {
                (
                    format!("bonus_points {sum}, the sum of its breakdown, at {created_at}"),
                    bonus_points.to_string(),
                )
            });
        }
    }

    /// Texts of one form compare as their times do.
    fn judge_order(&mut self, request: &str, day: &Day) {
        let downwards =
            |times: &[&str]| times.windows(2).all(|pair| matches!(pair, [left, right] if left >= right));
        let mut newest = Vec::new();
        let mut fits = true;
        for group in &day.groups {
            let times: Vec<&str> = group.transactions.iter().map(|found| found.created_at.as_str()).collect();
            newest.extend(times.iter().max().copied());
            fits &= downwards(&times);
        }
        fits &= downwards(&newest);
        self.book.expect(&HISTORY_ORDER, request, fits, || {
            (format!("newest first on {}", day.date), "another order".to_owned())
        });
    }
}
