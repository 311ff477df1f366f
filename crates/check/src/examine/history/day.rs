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
        let Day { date, groups } = day;
        let types: Vec<&str> = groups.iter().map(|group| group.kind.as_str()).collect();
        let fits = types.iter().collect::<BTreeSet<_>>().len() == types.len();
        let wanted = format!("one group for each type on {date}");
        self.book.expect(&HISTORY_ONE_GROUP, request, fits, wanted, types.join(", "));
        for group in groups {
            self.judge_group(request, date, group);
            for transaction in &group.transactions {
                self.judge_transaction(request, date, group, transaction);
            }
        }
        let wanted = format!("newest first on {date}");
        self.book.expect(&HISTORY_ORDER, request, is_newest_first(groups), wanted, "another order");
    }

    fn judge_group(&mut self, request: &str, date: &str, group: &Group) {
        let Group { kind, total_points, total_bonus_points, transactions, .. } = group;
        let sum = |amount: fn(&Transaction) -> i64| -> i128 {
            transactions.iter().map(|one| i128::from(amount(one))).sum()
        };
        let (points, bonus) = (sum(|one| one.points), sum(|one| one.bonus_points));
        let fits = i128::from(*total_points) == points && i128::from(*total_bonus_points) == bonus;
        let wanted = format!("totalPoints {points} and totalBonusPoints {bonus} for {kind} on {date}");
        let came = format!("{total_points} and {total_bonus_points}");
        self.book.expect(&HISTORY_SUMS, request, fits, wanted, came);
        let (fits, came) = (KNOWN_TYPES.contains(&kind.as_str()), format!("{kind} on {date}"));
        self.book.expect(&HISTORY_KNOWN_TYPES, request, fits, KNOWN_TYPES.join(", "), came);
    }

    fn judge_transaction(&mut self, request: &str, date: &str, group: &Group, transaction: &Transaction) {
        let Transaction { created_at, kind, bonus_points, bonuses, .. } = transaction;
        let wanted = format_args!("type {} within its group on {date}", group.kind);
        self.book.expect(&HISTORY_TYPES, request, *kind == group.kind, wanted, kind);
        let wanted = format_args!("created_at on {date}");
        self.book.expect(&HISTORY_UTC, request, created_at.starts_with(date), wanted, created_at);
        if *bonus_points > 0 || !bonuses.is_empty() {
            let sum: i128 = bonuses.iter().map(|bonus| i128::from(bonus.points)).sum();
            let wanted = format_args!("bonus_points {sum}, the sum of its breakdown, at {created_at}");
            let fits = sum == i128::from(*bonus_points);
            self.book.expect(&HISTORY_BONUS_SUMS, request, fits, wanted, bonus_points);
        }
    }
}

/// Whether groups, by their newest transaction, and transactions in each come newest first. Times of one form
/// compare as strings.
fn is_newest_first(groups: &[Group]) -> bool {
    let times = |group: &Group| -> Vec<String> {
        group.transactions.iter().map(|transaction| transaction.created_at.clone()).collect()
    };
    let newest = groups.iter().map(|group| times(group).into_iter().max());
    newest.is_sorted_by(|left, right| left >= right)
        && groups.iter().all(|group| times(group).is_sorted_by(|left, right| left >= right))
}
