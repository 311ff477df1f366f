//! The lots of a member, and what a row of the ledger changes in them.

use std::collections::BTreeMap;

use super::{never, owed};
use crate::Day;

/// What a row of the ledger gives to a lot, or takes from it (negative).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The lot.
    pub last_day: Day,
    pub points: i64,
}

/// What a member has, by the last day of the points. All lots together are the balance.
///
/// No lot is below 0. What the balance is below 0 is a debt on the day [`owed`], and then there is no lot. New points pay it first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lots {
    /// None of them is 0.
    by_last_day: BTreeMap<Day, i64>,
}

impl FromIterator<(Day, i64)> for Lots {
    fn from_iter<T: IntoIterator<Item = (Day, i64)>>(lots: T) -> Self {
        let mut all = Self::default();
        for (last_day, points) in lots {
            all.add(last_day, points);
        }
        all
    }
}

impl Lots {
    /// The lots with their points, the first to end first, after the debt.
    pub fn iter(&self) -> impl Iterator<Item = (Day, i64)> {
        self.by_last_day.iter().map(|(last_day, points)| (*last_day, *points))
    }

    /// All points.
    pub fn balance(&self) -> i64 {
        self.by_last_day.values().sum()
    }

    /// The last day of the points that end first. `None` when none of them ends.
    pub fn next_last_day(&self) -> Option<Day> {
        self.by_last_day
            .keys()
            .copied()
            .find(|last_day| *last_day > owed())
            .filter(|last_day| *last_day < never())
    }

    /// Adds points that end on this day, after the debt is paid.
    pub fn give(&mut self, points: i64, last_day: Day) -> Vec<Move> {
        let paid = points.min(-self.of(owed()));
        let mut moves = Moves::default();
        moves.add(owed(), paid);
        moves.add(last_day, points - paid);
        self.apply(moves)
    }

    /// Takes points: from these lots first, and then from what ends first. What the member does not have becomes a debt.
    pub fn take(&mut self, points: i64, own: &[Day]) -> Vec<Move> {
        let mut left = points;
        let mut moves = Moves::default();
        let others: Vec<Day> = self.by_last_day.keys().copied().collect();
        for last_day in own.iter().copied().chain(others) {
            let has = self.of(last_day) + moves.of(last_day);
            let taken = left.min(has.max(0));
            moves.add(last_day, -taken);
            left -= taken;
        }
        moves.add(owed(), -left);
        self.apply(moves)
    }

    /// Removes the lots that ended before this day, the first to end first.
    pub fn end(&mut self, today: Day) -> Vec<Move> {
        let kept = self.by_last_day.split_off(&today);
        let ended = std::mem::replace(&mut self.by_last_day, kept);
        let (debt, ended): (Vec<_>, Vec<_>) =
            ended.into_iter().partition(|(last_day, _)| *last_day == owed());
        self.by_last_day.extend(debt);
        ended.into_iter().map(|(last_day, points)| Move { last_day, points: -points }).collect()
    }

    /// Takes back what a row did to its lots. What a lot gave that ended before `today`, or what became a debt, comes back as points that end
    /// on `instead`.
    pub fn undo(&mut self, moves: &[Move], today: Day, instead: Day) -> Vec<Move> {
        let (gave, took): (Vec<&Move>, Vec<&Move>) = moves.iter().partition(|moved| moved.points > 0);
        let mut all = Moves::default();
        let given: i64 = gave.iter().map(|moved| moved.points).sum();
        let own: Vec<Day> = gave.iter().map(|moved| moved.last_day).collect();
        all.extend(self.take(given, &own));
        for Move { last_day, points } in took {
            let last_day = if *last_day < today { instead } else { *last_day };
            all.extend(self.give(-points, last_day));
        }
        all.into_moves()
    }

    fn of(&self, last_day: Day) -> i64 {
        self.by_last_day.get(&last_day).copied().unwrap_or_default()
    }

    fn add(&mut self, last_day: Day, points: i64) {
        let now = self.of(last_day) + points;
        if now == 0 {
            self.by_last_day.remove(&last_day);
        } else {
            self.by_last_day.insert(last_day, now);
        }
    }

    fn apply(&mut self, moves: Moves) -> Vec<Move> {
        let moves = moves.into_moves();
        for moved in &moves {
            self.add(moved.last_day, moved.points);
        }
        moves
    }
}

/// Moves of one row, at most one for each lot.
#[derive(Default)]
struct Moves(BTreeMap<Day, i64>);

impl Moves {
    fn of(&self, last_day: Day) -> i64 {
        self.0.get(&last_day).copied().unwrap_or_default()
    }

    fn add(&mut self, last_day: Day, points: i64) {
        *self.0.entry(last_day).or_default() += points;
    }

    fn extend(&mut self, moves: Vec<Move>) {
        for moved in moves {
            self.add(moved.last_day, moved.points);
        }
    }

    fn into_moves(self) -> Vec<Move> {
        let moves = self.0.into_iter().filter(|(_, points)| *points != 0);
        moves.map(|(last_day, points)| Move { last_day, points }).collect()
    }
}

#[cfg(test)]
mod tests;
