//! How the update of a row is said in SQL.

use super::changes::{RowUpdate, TableChanges};
use super::facts::Guard;
use super::needs::Held;
use crate::schema::{Cell, Check, Column, Lock, Row, Set, UpdateShape};

/// What an update does, and the values of its parameters after the tenant: the key, then those of the shape.
pub(crate) struct Update {
    pub(crate) shape: UpdateShape,
    pub(crate) values: Row,
}

impl TableChanges {
    /// The update of a row that sets the changed columns, and these columns too.
    pub(crate) fn update(&self, row: &RowUpdate, also: &[Column]) -> Update {
        let RowUpdate { before, after, guards, held } = row;
        let (mut sets, mut checks) = (Vec::new(), Vec::new());
        let mut values: Row = self.kind.key_of(after).to_vec();
        for (column, (before, after)) in self.kind.columns.iter().zip(before.iter().zip(after)) {
            if before == after && !also.contains(column) {
                continue;
            }
            let is_counter = self.kind.table.counters.contains(&column.name);
            if let (true, Cell::Integer(before), Cell::Integer(after)) = (is_counter, before, after) {
                sets.push(Set::Add(*column));
                values.push(Cell::Integer(after.saturating_sub(*before)));
            } else {
                sets.push(Set::To(*column));
                values.push(after.clone());
            }
        }
        for (column, before) in self.kind.columns.iter().zip(before) {
            if self.kind.table.guards.contains(&column.name) {
                checks.push(Check::Is(*column));
                values.push(before.clone());
            }
        }
        for guard in guards {
            let column = self.kind.table.column(guard.column());
            match guard {
                Guard::Is(_, value) => {
                    checks.push(Check::Is(column));
                    values.push(value.clone());
                }
                Guard::Within(_, bounds) => {
                    checks.push(Check::Within(column));
                    values.extend(bounds.map(Cell::Integer));
                }
            }
        }
        let skips_held = *held == Held::No && self.kind.table.lock == Lock::NamedRows;
        Update { shape: UpdateShape { sets, checks, skips_held }, values }
    }

    /// The columns that some of the updates change.
    pub(crate) fn changed_columns(&self) -> Vec<Column> {
        let changes = |place: usize| {
            self.updated.iter().any(|RowUpdate { before, after, .. }| before.get(place) != after.get(place))
        };
        self.kind
            .columns
            .iter()
            .enumerate()
            .filter(|(place, _)| changes(*place))
            .map(|(_, column)| *column)
            .collect()
    }
}
