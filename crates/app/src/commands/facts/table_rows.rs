//! Whole small tables that commands read and change, such as the webhooks of a tenant. Their rows need no SQL of their own.

use pointbook_schema::{Cell, Group, Query, Read, Row, Table, Write, cells};

use super::Facts;
use crate::commands::{CommandError, RowChange};

/// A type `T` with all columns of its table, in their order.
impl Facts {
    /// All rows of a table.
    pub fn put_table(&mut self, table: &'static Table, rows: Vec<Row>) {
        self.tables.entry(table.name).or_insert(rows);
    }

    /// The rows of a loaded table, with the changes of the commands before.
    ///
    /// # Errors
    /// When the command did not need the table, or a row is not what it should be.
    pub fn rows<T: Group + for<'r> Read<'r>>(&self) -> Result<Vec<T>, CommandError> {
        let rows = self.tables.get(T::TABLE.name).ok_or_else(CommandError::not_loaded(T::TABLE.name))?;
        let query = Query::of::<T>("rows", &[]);
        query.read(rows).map_err(|corrupt| CommandError::Corrupt(corrupt.0))
    }

    /// Writes a row, in place of one with the same key.
    ///
    /// # Errors
    /// When the command did not need the table.
    pub fn write_row<T: Group + Write>(&mut self, row: &T) -> Result<(), CommandError> {
        let row = self.take_row(row)?;
        self.loaded_rows(T::TABLE)?.push(row.clone());
        self.changes.rows.push(RowChange::Write(T::TABLE, row));
        Ok(())
    }

    /// Removes the row with the key of this one.
    ///
    /// # Errors
    /// When the command did not need the table.
    pub fn remove_row<T: Group + Write>(&mut self, row: &T) -> Result<(), CommandError> {
        let row = self.take_row(row)?;
        self.changes.rows.push(RowChange::Remove(T::TABLE, row));
        Ok(())
    }

    /// Forgets the row with the same key, and earlier changes of it. Gives the cells of this one.
    fn take_row<T: Group + Write>(&mut self, row: &T) -> Result<Row, CommandError> {
        let row: Row = cells(row).into_iter().map(Cell::from).collect();
        let is_other = |other: &Row| T::TABLE.key_of(other) != T::TABLE.key_of(&row);
        self.loaded_rows(T::TABLE)?.retain(is_other);
        self.changes.rows.retain(|change| change.table().name != T::TABLE.name || is_other(change.row()));
        Ok(row)
    }

    fn loaded_rows(&mut self, table: &'static Table) -> Result<&mut Vec<Row>, CommandError> {
        self.tables.get_mut(table.name).ok_or_else(CommandError::not_loaded(table.name))
    }
}
