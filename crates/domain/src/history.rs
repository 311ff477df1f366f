//! The point history: transactions grouped by UTC day, then by activity type.

use crate::order::is_refund;
use crate::points::MAX_POINTS;
use crate::{ActivityType, Day, Transaction};

/// All transactions of one user on one UTC day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryDay {
    /// The day.
    pub day: Day,
    /// Its groups; the one with the newest transaction first.
    pub groups: Vec<ActivityGroup>,
}

/// The transactions of one type on one day, newest first. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityGroup {
    /// The type they share.
    pub kind: ActivityType,
    /// Newest first; transactions of one moment by id.
    pub transactions: Vec<Transaction>,
}

impl ActivityGroup {
    /// Sum of the base points.
    pub fn total_points(&self) -> i64 {
        sum(self.transactions.iter().map(|row| row.activity.points.get()))
    }

    /// How many of them gave points back for a cancelled order.
    pub fn refund_count(&self) -> usize {
        self.transactions.iter().filter(|row| is_refund(&row.activity)).count()
    }

    /// Sum of the bonus points.
    pub fn total_bonus_points(&self) -> i64 {
        sum(self.transactions.iter().map(|row| row.activity.bonuses.total().get()))
    }
}

/// Balances keep their bounds, but a part of a day need not: what is beyond ±[`MAX_POINTS`] is shown
/// as that, so that no client reads a number that a double cannot hold.
fn sum(amounts: impl Iterator<Item = i64>) -> i64 {
    amounts.fold(0, i64::saturating_add).clamp(-MAX_POINTS, MAX_POINTS)
}

/// Groups transactions, given in any order: days newest first, in a day the group with the newest
/// transaction first, in a group newest first, and ties by id.
pub fn group_by_day(mut transactions: Vec<Transaction>) -> Vec<HistoryDay> {
    transactions
        .sort_by(|a, b| b.activity.created_at.cmp(&a.activity.created_at).then_with(|| a.id.cmp(&b.id)));
    let mut days: Vec<HistoryDay> = Vec::new();
    for transaction in transactions {
        let day = transaction.activity.created_at.day();
        match days.last_mut() {
            Some(last) if last.day == day => add(&mut last.groups, transaction),
            _ => {
                let mut groups = Vec::new();
                add(&mut groups, transaction);
                days.push(HistoryDay { day, groups });
            }
        }
    }
    days
}

fn add(groups: &mut Vec<ActivityGroup>, transaction: Transaction) {
    match groups.iter_mut().find(|group| group.kind == transaction.activity.kind) {
        Some(group) => group.transactions.push(transaction),
        None => groups
            .push(ActivityGroup { kind: transaction.activity.kind.clone(), transactions: vec![transaction] }),
    }
}
