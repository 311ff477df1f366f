//! Sums by key: the rows of all tables of figures but those of members.

use std::collections::{BTreeMap, BTreeSet};

use pointbook_domain::Day;
use pointbook_store::commands::RowChange;
use pointbook_store::schema::{
    CAMPAIGN_DAYS, COHORTS, Cell, Column, DAILY_MEMBERS, DAILY_TOTALS, Group, PRODUCT_DAYS, Row, Table,
    VINTAGES, Write, cells,
};
use serde_json::Value;

use crate::{Month, difference};

/// The tables whose rows are sums.
pub(crate) const SUM_TABLES: [&Table; 6] =
    [&DAILY_TOTALS, &DAILY_MEMBERS, &COHORTS, &VINTAGES, &CAMPAIGN_DAYS, &PRODUCT_DAYS];

/// The sums of one table, by the cells of the key.
pub(crate) type TableSums = BTreeMap<Vec<Cell>, Vec<i128>>;

/// Sums of rows with the same key. A row has at most 54 bits, so 128 bits never overflow, and the order of adding does not matter. A stored sum has
/// 64 bits: members who earn and spend the largest balance 1,024 times reach the end of them. Then it stays at the largest number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sums(BTreeMap<&'static str, TableSums>);

impl Sums {
    pub(crate) fn add<T: Group + Write>(&mut self, row: &T) {
        self.add_times(row, 1);
    }

    pub(crate) fn subtract<T: Group + Write>(&mut self, row: &T) {
        self.add_times(row, -1);
    }

    fn add_times<T: Group + Write>(&mut self, row: &T, times: i128) {
        self.add_cells(T::TABLE, cells(row).into_iter().map(Cell::from).collect(), times);
    }

    /// Adds a stored row.
    pub(crate) fn add_stored(&mut self, table: &'static Table, row: Row) {
        self.add_cells(table, row, 1);
    }

    fn add_cells(&mut self, table: &'static Table, mut key: Row, times: i128) {
        let numbers = key.split_off(table.key_columns);
        let sums = self.0.entry(table.name).or_default().entry(key).or_insert_with(|| vec![0; numbers.len()]);
        for (sum, cell) in sums.iter_mut().zip(numbers) {
            if let Cell::Integer(number) = cell {
                *sum = sum.saturating_add(i128::from(number) * times);
            }
        }
    }

    pub(crate) fn add_all(&mut self, other: Self) {
        for (table, sums) in other.0 {
            let table = self.0.entry(table).or_default();
            for (key, more) in sums {
                let sums = table.entry(key).or_insert_with(|| vec![0; more.len()]);
                sums.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.saturating_add(more));
            }
        }
    }

    /// Where the stored rows of a table are not these sums, in words.
    pub(crate) fn differences(&self, stored: &Self, table: &'static Table) -> Vec<String> {
        let empty = TableSums::new();
        let (counted, stored) = (self.of(table).unwrap_or(&empty), stored.of(table).unwrap_or(&empty));
        let keys: BTreeSet<_> = counted.keys().chain(stored.keys()).collect();
        let row = |of: &TableSums, key: &Row| of.get(key).map(|sums| stored_form(sums));
        let wrong = |key: &Row| {
            let words = difference(table, row(stored, key), row(counted, key))?;
            Some(format!("{}: {words}", named_row(table, key)))
        };
        keys.into_iter().filter_map(wrong).collect()
    }

    pub(crate) fn of(&self, table: &'static Table) -> Option<&TableSums> {
        self.0.get(table.name)
    }

    /// The keys of each table, as JSON arrays.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (&'static Table, Vec<Vec<Value>>)> {
        let keys = |sums: &TableSums| sums.keys().map(|key| key.iter().map(json).collect()).collect();
        SUM_TABLES.into_iter().filter_map(move |table| Some((table, keys(self.of(table)?))))
    }

    /// What makes the stored sums these sums more. A row of zeros goes, as if it had never been counted.
    pub(crate) fn changes(&self, stored: &Self) -> Vec<RowChange> {
        let mut changes = Vec::new();
        for table in SUM_TABLES {
            for (key, sums) in self.of(table).into_iter().flatten() {
                let before = stored.of(table).and_then(|stored| stored.get(key));
                let mut after = sums.clone();
                for (sum, before) in after.iter_mut().zip(before.into_iter().flatten()) {
                    *sum = sum.saturating_add(*before);
                }
                let after = stored_form(&after);
                let row = || key.iter().cloned().chain(after.iter().copied().map(Cell::Integer)).collect();
                if after.iter().any(|sum| *sum != 0) {
                    changes.push(RowChange::Write(table, row()));
                } else if before.is_some() {
                    changes.push(RowChange::Remove(table, row()));
                }
            }
        }
        changes
    }
}

/// The sums as a row has them: beyond 64 bits, the largest number there.
fn stored_form(sums: &[i128]) -> Vec<i64> {
    let cut = |sum: &i128| i64::try_from(*sum).unwrap_or(if *sum < 0 { i64::MIN } else { i64::MAX });
    sums.iter().map(cut).collect()
}

/// The table, and the key with days and months as people write them.
fn named_row(table: &Table, key: &Row) -> String {
    let cell = |(column, cell): (&Column, &Cell)| {
        let shown = match (column.name, cell) {
            ("day", Cell::Integer(day)) => {
                i32::try_from(*day).ok().and_then(Day::from_days).map(|day| day.to_string())
            }
            ("month" | "joined", Cell::Integer(month)) => Some(Month(*month).to_string()),
            _ => None,
        };
        format!(", {} {}", column.name, shown.unwrap_or_else(|| cell.describe()))
    };
    let key: String = table.key().iter().zip(key).map(cell).collect();
    format!("table {}{key}", table.name)
}

/// Where the stored row is not the counted one, in words. Counted zeros need no row.
fn difference(table: &Table, stored: Option<Vec<i64>>, counted: Option<Vec<i64>>) -> Option<String> {
    let columns = || table.columns.iter().skip(table.key_columns).map(|column| column.name);
    match (stored, counted) {
        (Some(stored), Some(counted)) => {
            let words = difference::of_columns(columns(), &stored, &counted).join(", ");
            (!words.is_empty()).then_some(words)
        }
        (Some(stored), None) => {
            let stored = difference::named(columns(), &stored);
            Some(format!("is stored with {stored}, but the ledger gives no such row"))
        }
        (None, Some(counted)) if counted.iter().any(|sum| *sum != 0) => {
            let counted = difference::named(columns(), &counted);
            Some(format!("is missing, but the ledger gives {counted}"))
        }
        (None, _) => None,
    }
}

/// Keys are numbers and texts.
fn json(cell: &Cell) -> Value {
    match cell {
        Cell::Integer(number) => (*number).into(),
        Cell::Text(text) => (**text).into(),
        Cell::Null | Cell::Bytes(_) => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use pointbook_store::schema::rows::{Cohort, Vintage};

    use super::*;

    fn vintage(month: i64, issued_points: i64) -> Vintage {
        Vintage { month, issued_points, spent_points: 0, reversed_points: 0, expired_points: 0 }
    }

    #[test]
    fn a_sum_of_zeros_leaves_no_row() {
        let (mut stored, mut sums) = (Sums::default(), Sums::default());
        stored.add(&vintage(1, 10));
        stored.add(&vintage(2, 10));
        sums.subtract(&vintage(1, 10));
        sums.add(&vintage(2, 5));
        let cohort = Cohort { joined: 1, month: 1, members: 1 };
        sums.add(&cohort);
        sums.subtract(&cohort);
        let numbers = |cells: &[i64]| cells.iter().copied().map(Cell::Integer).collect::<Row>();
        let expected = [
            RowChange::Remove(&VINTAGES, numbers(&[1, 0, 0, 0, 0])),
            RowChange::Write(&VINTAGES, numbers(&[2, 15, 0, 0, 0])),
        ];
        assert!(sums.changes(&stored) == expected);
    }

    /// The largest amount of points, so often that the sum leaves 64 bits.
    #[test]
    fn a_sum_beyond_64_bits_stays_at_the_largest_number() {
        let most = pointbook_domain::points::MAX_POINTS;
        let (mut sums, mut counted) = (Sums::default(), Sums::default());
        for _ in 0..1_025 {
            sums.add(&vintage(1, most));
            sums.subtract(&vintage(2, most));
        }
        let row = |month, sum| [month, sum, 0, 0, 0].map(Cell::Integer).to_vec();
        let ends = [row(1, i64::MAX), row(2, i64::MIN)];
        let expected = ends.clone().map(|row| RowChange::Write(&VINTAGES, row));
        assert!(sums.changes(&Sums::default()) == expected);
        let mut stored = Sums::default();
        for row in ends {
            stored.add_stored(&VINTAGES, row);
        }
        assert!(sums.changes(&stored) == expected, "more changes nothing");
        counted.add_all(sums);
        assert_eq!(counted.differences(&stored, &VINTAGES), [""; 0]);
    }

    #[test]
    fn a_difference_names_the_column_and_both_values() {
        let (mut stored, mut counted) = (Sums::default(), Sums::default());
        for (month, before, now) in [(1, 10, 10), (2, 10, 11)] {
            stored.add(&vintage(month, before));
            counted.add(&vintage(month, now));
        }
        stored.add(&vintage(3, 7));
        counted.add(&vintage(4, 8));
        counted.add(&vintage(5, 0));
        let expected = [
            "table vintages, month 0000-03: issued_points is 10 but the ledger gives 11",
            "table vintages, month 0000-04: is stored with issued_points 7, spent_points 0, reversed_points 0, expired_points 0, but the ledger gives no such row",
            "table vintages, month 0000-05: is missing, but the ledger gives issued_points 8, spent_points 0, reversed_points 0, expired_points 0",
        ];
        assert_eq!(counted.differences(&stored, &VINTAGES), expected);
    }
}
