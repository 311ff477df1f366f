//! The lots of a member, and what a row of the ledger changes in them.

use std::collections::BTreeMap;
use std::fmt;

use super::{never, owed};
use crate::id::FormError;
use crate::zones::timestamp_text::parse_day;
use crate::{Day, Points};

/// What a row of the ledger gives to a lot, or takes from it (negative).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The lot.
    pub last_day: Day,
    pub points: i64,
}

/// What a row of the ledger changes in the lots: at most one move for each of them, and none of 0 points, by day. It displays as
/// `2027-01-31:-20,2027-02-28:-5`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moves(BTreeMap<Day, i64>);

/// What a member has, by the last day of the points. All lots together are the balance. It displays as `2027-01-31:120,2027-02-28:50`.
///
/// No lot is below 0. What the balance is below 0 is a debt on the day [`owed`], and then there is no lot. New points pay it first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lots(Moves);

/// Lots that came from outside may break the rule about debts. An audit tells.
impl FromIterator<(Day, i64)> for Lots {
    fn from_iter<T: IntoIterator<Item = (Day, i64)>>(lots: T) -> Self {
        let mut all = Self::default();
        lots.into_iter().for_each(|(last_day, points)| all.0.add(last_day, points));
        all
    }
}

impl Lots {
    /// Reads the form that [`fmt::Display`] writes.
    ///
    /// # Errors
    /// [`FormError`] for any other text.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        Moves::parse(text).map(Self)
    }

    /// The lots with their points, the first to end first, after the debt.
    pub fn iter(&self) -> impl Iterator<Item = (Day, i64)> {
        self.0.0.iter().map(|(last_day, points)| (*last_day, *points))
    }

    /// The lots that end some day, the first to end first.
    pub fn ending(&self) -> impl Iterator<Item = (Day, i64)> {
        self.iter().filter(|(last_day, _)| (owed() < *last_day) && (*last_day < never()))
    }

    /// The lots that ended before this day.
    pub fn due(&self, today: Day) -> impl Iterator<Item = (Day, i64)> {
        self.ending().take_while(move |(last_day, _)| *last_day < today)
    }

    /// All points.
    pub fn balance(&self) -> i64 {
        self.0.total()
    }

    /// Whether no lot is below 0, and no lot is beside a debt.
    pub fn is_sound(&self) -> bool {
        let debt = self.0.of(owed());
        self.iter()
            .all(|(last_day, points)| if last_day == owed() { points < 0 } else { points > 0 && debt == 0 })
    }

    /// The last day of the points that end first. [`never`] when none of them ends.
    pub fn next_last_day(&self) -> Day {
        self.ending().next().map_or_else(never, |(last_day, _)| last_day)
    }

    /// Adds points that end on this day, after the debt is paid.
    pub fn give(&mut self, points: i64, last_day: Day) -> Moves {
        let paid = points.min(self.0.of(owed()).saturating_neg());
        let mut moves = Moves::default();
        moves.add(owed(), paid);
        moves.add(last_day, points - paid);
        self.apply(moves)
    }

    /// Takes points: from these lots first, and then from what ends first. What the member does not have becomes a debt.
    pub fn take(&mut self, points: i64, own: &[Day]) -> Moves {
        let mut left = points;
        let mut moves = Moves::default();
        let others: Vec<Day> = self.0.0.keys().copied().collect();
        for last_day in own.iter().copied().chain(others) {
            let has = self.0.of(last_day) + moves.of(last_day);
            let taken = left.min(has.max(0));
            moves.add(last_day, -taken);
            left -= taken;
        }
        moves.add(owed(), -left);
        self.apply(moves)
    }

    /// Removes the lot of this day.
    pub fn end(&mut self, last_day: Day) -> Moves {
        let mut moves = Moves::default();
        moves.add(last_day, self.0.of(last_day).saturating_neg());
        self.apply(moves)
    }

    /// Takes back points that a row gave with these moves: from its own lots first.
    pub fn take_back(&mut self, points: i64, given: &Moves) -> Moves {
        let own: Vec<Day> =
            given.0.iter().filter(|(_, moved)| **moved > 0).map(|(last_day, _)| *last_day).collect();
        self.take(points, &own)
    }

    /// Gives back points that a row took with these moves: to its lots, what ends last first. It skips the first `before` points, which an earlier row
    /// gave back. `day_of` says when points end now that
    /// belong to a lot. What became a debt, or was taken before there were lots, belongs to none. What the row postponed belongs to the later
    /// lot.
    pub fn give_back(
        &mut self,
        (points, before): (i64, i64),
        taken: &Moves,
        day_of: impl Fn(Option<Day>) -> Day,
    ) -> Moves {
        let (mut left, mut skipped, mut moves) = (points, before, Moves::default());
        let later =
            taken.iter().filter(|one| one.points > 0 && one.last_day > owed()).map(|one| one.last_day).max();
        for (last_day, took) in taken.0.iter().rev().filter(|(last_day, _)| **last_day > owed()) {
            let took = took.saturating_neg().max(0);
            let of_before = skipped.min(took);
            skipped -= of_before;
            let back = left.min(took - of_before);
            if back > 0 {
                let lot = later.map_or(*last_day, |later| later.max(*last_day));
                moves.extend(&self.give(back, day_of(Some(lot))));
                left -= back;
            }
        }
        if left > 0 {
            moves.extend(&self.give(left, day_of(None)));
        }
        moves
    }

    /// Moves the points that end before this day to it. A debt stays.
    pub fn postpone(&mut self, until: Day) -> Moves {
        let mut moves = Moves::default();
        for (last_day, points) in self.ending().take_while(|(last_day, _)| *last_day < until) {
            moves.add(last_day, points.saturating_neg());
            moves.add(until, points);
        }
        self.apply(moves)
    }

    /// Changes the lots as these moves say.
    fn apply(&mut self, moves: Moves) -> Moves {
        self.0.extend(&moves);
        moves
    }
}

impl Moves {
    /// Reads the form that [`fmt::Display`] writes.
    ///
    /// # Errors
    /// [`FormError`] for any other text.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        let mut moves = Self::default();
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let (day, points) = part.split_once(':').ok_or(RULE)?;
            let points = points.parse().ok().and_then(|points| Points::new(points).ok()).ok_or(RULE)?;
            moves.0.insert(parse_day(day).ok_or(RULE)?, points.get());
        }
        // Another order, a day that is there twice, or 0 points.
        if moves.to_string() == text && moves.0.values().all(|points| *points != 0) {
            Ok(moves)
        } else {
            Err(RULE)
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Move> {
        self.0.iter().map(|(last_day, points)| Move { last_day: *last_day, points: *points })
    }

    /// What all moves come to: what the row changed of the balance.
    pub fn total(&self) -> i64 {
        self.0.values().fold(0, |sum, points| sum.saturating_add(*points))
    }

    /// Adds what another change moved.
    pub fn extend(&mut self, others: &Self) {
        others.0.iter().for_each(|(last_day, points)| self.add(*last_day, *points));
    }

    fn of(&self, last_day: Day) -> i64 {
        self.0.get(&last_day).copied().unwrap_or_default()
    }

    fn add(&mut self, last_day: Day, points: i64) {
        let now = self.of(last_day).saturating_add(points);
        if now == 0 {
            self.0.remove(&last_day);
        } else {
            self.0.insert(last_day, now);
        }
    }
}

const RULE: FormError = FormError("not a list of days and points");

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Move { last_day, points }) in self.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{last_day}:{points}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Lots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests;
