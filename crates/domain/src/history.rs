//! The point history: transactions grouped by UTC day, then by activity type.

mod rows;
mod unchecked;

use self::rows::Row;
pub use self::rows::{HistoryRow, HistoryRows, ReadRow};
pub use self::unchecked::{TextError, UncheckedHistoryRows};
use crate::points::MAX_POINTS;
use crate::{ActivityType, Day, Points};

/// The grouped rows of some days.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GroupedHistory {
    /// The rows of a group are next to each other.
    rows: HistoryRows,
    /// In the order of the history.
    groups: Vec<Group>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    day: Day,
    kind: usize,
    start: usize,
    end: usize,
}

/// All transactions of one user on one UTC day.
#[derive(Debug, Clone, Copy)]
pub struct HistoryDay<'h> {
    pub day: Day,
    rows: &'h HistoryRows,
    groups: &'h [Group],
}

/// The transactions of one type on one day, newest first. Never empty.
#[derive(Debug, Clone, Copy)]
pub struct ActivityGroup<'h> {
    pub kind: &'h ActivityType,
    /// The index in [`GroupedHistory::kinds`].
    pub kind_place: usize,
    all: &'h HistoryRows,
    rows: &'h [Row],
}

impl GroupedHistory {
    /// The days, newest first.
    pub fn days(&self) -> impl Iterator<Item = HistoryDay<'_>> {
        let Self { rows, groups } = self;
        let days = groups.chunk_by(|one, next| one.day == next.day);
        days.filter_map(move |groups| Some(HistoryDay { day: groups.first()?.day, rows, groups }))
    }

    pub fn kinds(&self) -> &[ActivityType] {
        &self.rows.kinds
    }

    /// All titles and subtitles without separators, in no order. A search for a character in each of them can search them all at
    /// once.
    pub fn texts(&self) -> &str {
        &self.rows.texts
    }

    pub fn row_count(&self) -> usize {
        self.rows.len()
    }
}

impl<'h> HistoryDay<'h> {
    /// Its groups; the one with the newest transaction first.
    pub fn groups(&self) -> impl Iterator<Item = ActivityGroup<'h>> + use<'h> {
        let all = self.rows;
        self.groups.iter().filter_map(move |Group { kind, start, end, day: _ }| {
            let rows = all.rows.get(*start..*end)?;
            Some(ActivityGroup { kind: all.kinds.get(*kind)?, kind_place: *kind, all, rows })
        })
    }
}

impl<'h> ActivityGroup<'h> {
    /// Newest first; transactions of one moment by id.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = HistoryRow<'h>> + use<'h> {
        let all = self.all;
        self.rows.iter().map(move |row| all.view(row))
    }

    pub fn total_points(&self) -> i64 {
        sum(self.rows.iter().map(|row| row.points))
    }

    /// How many of them returned points for a cancelled order.
    pub fn refund_count(&self) -> usize {
        self.rows.iter().filter(|row| row.is_refund).count()
    }

    pub fn total_bonus_points(&self) -> i64 {
        sum(self.rows.iter().map(|row| self.all.bonuses(row).total()))
    }
}

/// A balance stays within its bounds, but a part of a day need not. A sum beyond ±[`MAX_POINTS`] becomes that bound, so that
/// clients read only numbers that a double holds.
fn sum(amounts: impl Iterator<Item = Points>) -> i64 {
    amounts.fold(0, |sum: i64, points| sum.saturating_add(points.get())).clamp(-MAX_POINTS, MAX_POINTS)
}

/// Groups the rows of whole days. Days are newest first. In a day, the group with the newest transaction comes first. In a
/// group, the newest transaction comes first. Equal times are sorted by id.
pub fn group_by_day(mut rows: HistoryRows) -> GroupedHistory {
    let mut groups = Vec::with_capacity(rows.len());
    // By type: its group on the present day, or on an earlier one.
    let mut latest = vec![None; rows.kinds.len()];
    let mut start = 0;
    // The rows came from the newest to the oldest. Rows of one moment came from the last id to the first.
    for moment in rows.rows.chunk_by_mut(|one, next| one.created_at == next.created_at) {
        moment.reverse();
    }
    for rows in rows.rows.chunk_by_mut(|one, next| one.created_at.day() == next.created_at.day()) {
        group_one_day(rows, start, &mut groups, &mut latest);
        start += rows.len();
    }
    GroupedHistory { rows, groups }
}

/// Moves the rows of each group together, and adds the groups. The first row is at `start`.
fn group_one_day(rows: &mut [Row], start: usize, groups: &mut Vec<Group>, latest: &mut [Option<usize>]) {
    let Some(day) = rows.first().map(|row| row.created_at.day()) else { return };
    let first_group = groups.len();
    for row in &mut *rows {
        let Some(latest) = latest.get_mut(row.kind) else { continue };
        row.group = latest.filter(|&group| group >= first_group).unwrap_or(groups.len());
        *latest = Some(row.group);
        match groups.get_mut(row.group) {
            Some(group) => group.end += 1,
            None => groups.push(Group { day, kind: row.kind, start: 0, end: 1 }),
        }
    }
    rows.sort_by_key(|row| row.group);
    let mut start = start;
    for group in groups.iter_mut().skip(first_group) {
        (group.start, group.end) = (start, start + group.end);
        start = group.end;
    }
}
