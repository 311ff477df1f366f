//! Hides small numbers of members from readers who must not learn about single members.

use super::{ColumnKind, ReportTable, Value};

/// The smallest number of members that every reader may see.
pub const FEWEST_MEMBERS: i64 = 5;

impl ReportTable {
    /// Hides what says something about fewer than [`FEWEST_MEMBERS`] members:
    ///
    /// - each number of members from 1 to 4;
    /// - the points and percentages of a row whose group is that small, because they are of these members;
    /// - all who came and went on a day on which one of these numbers is that small: their sum is the change of `active_28_days`;
    /// - when the small groups of a report have together that few members, also the smallest other one. The points of
    ///   all groups are known from other reports, so those of one hidden group would be what is missing.
    ///
    /// It does not protect a number from being computed as the difference of two large ones, such as those of two reports of different days.
    /// Points, orders and awards that are not of a group stay, however few members they are of.
    pub fn hide_small_cells(&mut self) {
        let kinds: Vec<ColumnKind> = self.report.columns.iter().map(|column| column.kind).collect();
        self.hide_second_group(&kinds);
        for row in &mut self.rows {
            hide_in_row(&kinds, row);
        }
    }

    /// Hides a group that is large enough, when the smaller ones alone could be told apart by subtraction.
    fn hide_second_group(&mut self, kinds: &[ColumnKind]) {
        let sizes = kinds.iter().filter(|kind| **kind == ColumnKind::GroupSize).count();
        // Sums of points of all rows are known elsewhere only for groups of all members, which have one size.
        if sizes != 1 || !kinds.contains(&ColumnKind::Points) {
            return;
        }
        let Some(place) = kinds.iter().position(|kind| *kind == ColumnKind::GroupSize) else { return };
        let size = |row: &Vec<Value>| match row.get(place) {
            Some(Value::Number(size)) => *size,
            _ => 0,
        };
        let hidden: i64 = self.rows.iter().map(size).filter(|size| is_small(*size)).sum();
        if !is_small(hidden) {
            return;
        }
        let others = self.rows.iter_mut().filter(|row| !is_small(size(row)) && size(row) > 0);
        if let Some(next) = others.min_by_key(|row| size(row)) {
            hide_kinds(kinds, next, &[ColumnKind::GroupSize, ColumnKind::Points, ColumnKind::Percent]);
        }
    }
}

/// Whether this many members are too few to be shown. None at all are no members.
fn is_small(members: i64) -> bool {
    (1..FEWEST_MEMBERS).contains(&members)
}

fn hide_in_row(kinds: &[ColumnKind], row: &mut [Value]) {
    let has_small = |kind: ColumnKind| {
        kinds.iter().zip(&*row).any(|(known, value)| *known == kind && is_small_value(value))
    };
    let (group, movers) = (has_small(ColumnKind::GroupSize), has_small(ColumnKind::Movers));
    for (kind, value) in kinds.iter().zip(row.iter_mut()) {
        let counts_members = matches!(kind, ColumnKind::Members | ColumnKind::Movers | ColumnKind::GroupSize);
        if counts_members && is_small_value(value) {
            *value = Value::Few;
        }
    }
    if group {
        hide_kinds(kinds, row, &[ColumnKind::Points, ColumnKind::Percent]);
    }
    if movers {
        hide_kinds(kinds, row, &[ColumnKind::Movers]);
    }
}

fn is_small_value(value: &Value) -> bool {
    matches!(value, Value::Number(members) if is_small(*members))
}

/// Hides the numbers of these kinds.
fn hide_kinds(kinds: &[ColumnKind], row: &mut [Value], hidden: &[ColumnKind]) {
    for (kind, value) in kinds.iter().zip(row) {
        if hidden.contains(kind) && matches!(value, Value::Number(_)) {
            *value = Value::Hidden;
        }
    }
}

#[cfg(test)]
mod tests {
    use pointbook_domain::Day;

    use super::*;
    use crate::reports::{DayRange, find_report};

    /// The cells of a report with these numbers after hiding, by row. Other columns keep their place with a text.
    fn hidden(name: &str, rows: &[&[i64]]) -> Vec<String> {
        let report = find_report(name).unwrap();
        let is_number =
            |kind: ColumnKind| !matches!(kind, ColumnKind::Day | ColumnKind::Month | ColumnKind::Text(_));
        let cells = |numbers: &&[i64]| {
            let mut numbers = numbers.iter();
            let cell = |kind| {
                if is_number(kind) {
                    Value::Number(*numbers.next().unwrap())
                } else {
                    Value::Text("t".to_owned())
                }
            };
            report.columns.iter().map(|column| column.kind).map(cell).collect()
        };
        let day = Day::from_days(20_000).unwrap();
        let (range, time_zone) = (DayRange { from: day, until: day }, "UTC".to_owned());
        let rows = rows.iter().map(cells).collect();
        let mut table = ReportTable { report, range, time_zone, is_complete: true, rows };
        table.hide_small_cells();
        let line = |row: &Vec<Value>| {
            let number = |value: &Value| match value {
                Value::Hidden => "-".to_owned(),
                other => other.to_string(),
            };
            row.iter()
                .filter(|value| !matches!(value, Value::Text(_)))
                .map(number)
                .collect::<Vec<_>>()
                .join(" ")
        };
        table.rows.iter().map(line).collect()
    }

    #[test]
    fn numbers_of_members_from_1_to_4_are_hidden() {
        // new, active, active in 7 days, active in 28 days, returning, lapsed.
        assert_eq!(hidden("members", &[&[0, 4, 5, 1, 0, 5]]), ["0 <5 5 <5 0 5"]);
        let days: [&[i64]; 2] = [&[7, 900, 3, 900, 0], &[7, 900, 5, 1_800, 0]];
        assert_eq!(hidden("campaign-days", &days), ["7 900 <5 900 0", "7 900 5 1800 0"]);
    }

    #[test]
    fn who_came_and_went_is_hidden_together() {
        assert_eq!(
            hidden("members", &[&[3, 50, 60, 90, 0, 17], &[5, 50, 60, 78, 6, 23]]),
            ["<5 50 60 90 - -", "5 50 60 78 6 23"]
        );
    }

    #[test]
    fn a_small_group_hides_what_its_members_did() {
        assert_eq!(hidden("cohorts", &[&[40, 100], &[4, 10], &[0, 0]]), ["40 100", "<5 -", "0 0"]);
        let per_thousand: &[i64] = &[300, 4, 9, 8, 7, 6, 5];
        assert_eq!(hidden("uplift", &[per_thousand]), ["300 <5 - - - - -"]);
    }

    #[test]
    fn groups_that_subtraction_would_reveal_are_hidden_with_the_next_one() {
        let alone: [&[i64]; 3] = [&[1, 1, 1, 3, 70, 9], &[5, 5, 5, 60, 800, 90], &[5, 5, 4, 20, 500, 50]];
        assert_eq!(hidden("segments", &alone), ["1 1 1 <5 - -", "5 5 5 60 800 90", "5 5 4 - - -"]);
        let several: [&[i64]; 3] = [&[1, 1, 1, 3, 70, 9], &[2, 1, 1, 2, 9, 1], &[5, 5, 5, 60, 800, 90]];
        assert_eq!(hidden("segments", &several), ["1 1 1 <5 - -", "2 1 1 <5 - -", "5 5 5 60 800 90"]);
        let none: [&[i64]; 1] = [&[1, 1, 1, 5, 70, 9]];
        assert_eq!(hidden("segments", &none), ["1 1 1 5 70 9"]);
    }
}
