//! Sums by key: the rows of all tables of figures but those of members.

use std::collections::{BTreeMap, BTreeSet};

use pointbook_app::commands::RowChange;
use pointbook_schema::{
    CAMPAIGN_DAYS, COHORTS, Cell, DAILY_MEMBERS, DAILY_TOTALS, Group, PRODUCT_DAYS, Row, Table, VINTAGES,
    Write, cells,
};
use serde_json::Value;

/// The tables whose rows are sums.
pub(crate) const SUM_TABLES: [&Table; 6] =
    [&DAILY_TOTALS, &DAILY_MEMBERS, &COHORTS, &VINTAGES, &CAMPAIGN_DAYS, &PRODUCT_DAYS];

/// The sums of one table, by the cells of the key.
pub(crate) type TableSums = BTreeMap<Vec<Cell>, Vec<i64>>;

/// Sums of rows with the same key. They wrap at 64 bits, so that the order of adding does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sums(BTreeMap<&'static str, TableSums>);

impl Sums {
    pub(crate) fn add<T: Group + Write>(&mut self, row: &T) {
        self.add_times(row, 1);
    }

    pub(crate) fn subtract<T: Group + Write>(&mut self, row: &T) {
        self.add_times(row, -1);
    }

    fn add_times<T: Group + Write>(&mut self, row: &T, times: i64) {
        self.add_cells(T::TABLE, cells(row).into_iter().map(Cell::from).collect(), times);
    }

    /// Adds a stored row.
    pub(crate) fn add_stored(&mut self, table: &'static Table, row: Row) {
        self.add_cells(table, row, 1);
    }

    fn add_cells(&mut self, table: &'static Table, mut key: Row, times: i64) {
        let numbers = key.split_off(table.key_columns);
        let sums = self.0.entry(table.name).or_default().entry(key).or_insert_with(|| vec![0; numbers.len()]);
        for (sum, cell) in sums.iter_mut().zip(numbers) {
            if let Cell::Integer(number) = cell {
                *sum = sum.wrapping_add(number.wrapping_mul(times));
            }
        }
    }

    pub(crate) fn add_all(&mut self, other: Self) {
        for (table, sums) in other.0 {
            let table = self.0.entry(table).or_default();
            for (key, more) in sums {
                let sums = table.entry(key).or_insert_with(|| vec![0; more.len()]);
                sums.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.wrapping_add(more));
            }
        }
    }

    /// Where the stored rows of a table are not these sums, in words.
    pub(crate) fn differences(&self, stored: &Self, table: &'static Table) -> Vec<String> {
        let empty = TableSums::new();
        let (counted, stored) = (self.of(table).unwrap_or(&empty), stored.of(table).unwrap_or(&empty));
        let keys: BTreeSet<_> = counted.keys().chain(stored.keys()).collect();
        let sums = |of: &TableSums, key: &Row| of.get(key).cloned().unwrap_or_default();
        let is_zero = |sums: &[i64]| sums.iter().all(|sum| *sum == 0);
        let pairs = keys.into_iter().map(|key| (key, sums(counted, key), sums(stored, key)));
        let wrong = pairs
            .filter(|(_, counted, stored)| counted != stored && !(is_zero(counted) && stored.is_empty()));
        wrong
            .map(|(key, counted, stored)| {
                format!("{}: {stored:?} is stored but the ledger gives {counted:?}", table.describe(key))
            })
            .collect()
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
                let after: Vec<i64> = match before {
                    Some(before) => {
                        sums.iter().zip(before).map(|(sum, before)| sum.wrapping_add(*before)).collect()
                    }
                    None => sums.clone(),
                };
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
    use pointbook_schema::rows::{Cohort, Vintage};

    use super::*;

    fn vintage(month: i64, issued_points: i64) -> Vintage {
        Vintage { month, issued_points, spent_points: 0, reversed_points: 0 }
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
            RowChange::Remove(&VINTAGES, numbers(&[1, 0, 0, 0])),
            RowChange::Write(&VINTAGES, numbers(&[2, 15, 0, 0])),
        ];
        assert!(sums.changes(&stored) == expected);
    }
}
