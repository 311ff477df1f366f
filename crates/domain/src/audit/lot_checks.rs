//! Recomputes the lots of a user from what each row moved, and from the changes without a row.

use super::fact::{StoredLots, StoredRow};
use crate::Day;
use crate::expiry::{Lots, Moves};

#[derive(Debug, Default)]
pub(super) struct LotChecks {
    /// What all changes and rows so far come to.
    moved: Moves,
    /// The `seq` of the row before the first change. Rows after it say what they moved.
    kept_after: Option<i64>,
}

impl LotChecks {
    /// Takes a change without a row. All of them are told before the first row.
    pub(super) fn take_change(&mut self, after_seq: i64, moves: &Moves) {
        self.moved.extend(moves);
        self.kept_after = Some(self.kept_after.map_or(after_seq, |first| first.min(after_seq)));
    }

    /// Takes the next row. Returns its fault.
    pub(super) fn take_row(&mut self, row: &StoredRow) -> Option<String> {
        let content = row.content.as_ref().ok()?;
        let is_kept = self.kept_after.is_some_and(|seq| seq < row.seq);
        let Some(moves) = &content.moves else {
            return is_kept.then(|| "does not say which lots it moved".to_owned());
        };
        if !is_kept {
            if self.kept_after.is_some() {
                return Some("moved lots before there were any".to_owned());
            }
            self.kept_after = Some(row.seq - 1);
        }
        self.moved.extend(moves);
        let (total, net) = (moves.total(), row.net_points());
        (i128::from(total) != net).then(|| format!("moved {total} points of lots but has {net} points"))
    }

    /// What is wrong after the last row. All rows come to this sum.
    pub(super) fn differences(&self, sum: i128, stored: &StoredLots) -> Vec<String> {
        let recomputed: Lots = self.moved.iter().map(|moved| (moved.last_day, moved.points)).collect();
        let Some(text) = &stored.lots else {
            let has_some = self.kept_after.is_some() || stored.next_expiry_on.is_some();
            return has_some
                .then(|| format!("has no lots, but {recomputed} was moved"))
                .into_iter()
                .collect();
        };
        let mut wrong = Vec::new();
        let Ok(lots) = Lots::parse(text) else { return vec![format!("lots {text:?} cannot be read")] };
        if lots != recomputed {
            wrong.push(format!("lots are {lots} but what was moved comes to {recomputed}"));
        }
        if i128::from(lots.balance()) != sum {
            wrong.push(format!("lots come to {} but the transactions to {sum}", lots.balance()));
        }
        if !lots.is_sound() {
            wrong.push(format!("lots are {lots}: one is below 0, or there is a debt beside others"));
        }
        let next = i64::from(lots.next_last_day().as_days());
        if stored.next_expiry_on != Some(next) {
            let day = |days: i64| i32::try_from(days).ok().and_then(Day::from_days);
            let noted =
                stored.next_expiry_on.and_then(day).map_or("no day".to_owned(), |day| day.to_string());
            wrong.push(format!(
                "points end next on {}, but the user's row says {noted}",
                lots.next_last_day()
            ));
        }
        wrong
    }
}
