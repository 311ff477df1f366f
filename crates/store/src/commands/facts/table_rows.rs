//! Rows of small tables that commands read and change, such as the webhooks of a tenant. They need no SQL of their own.

use std::collections::BTreeSet;

use super::Facts;
use crate::commands::{CommandError, RowChange, RowsNeed};
use crate::schema::{Cell, Group, Query, Read, Row, Table, Write, cells};

/// A type `T` with all columns of its table, in their order.
impl Facts {
    /// The rows of a need.
    pub fn load_rows(&mut self, need: RowsNeed, rows: Vec<Row>) {
        if !self.rows.iter().any(|(known, _)| *known == need) {
            self.rows.push((need, rows));
        }
    }

    /// All rows of a loaded table, with the changes of the commands before.
    ///
    /// # Errors
    /// As [`Self::needed_rows`].
    pub fn rows<T: Group + for<'r> Read<'r>>(&self) -> Result<Vec<T>, CommandError> {
        self.needed_rows(&RowsNeed::all(T::TABLE))
    }

    /// The rows of a need, with the changes of the commands before.
    ///
    /// # Errors
    /// When the command did not need them, or a row is not what it should be.
    pub fn needed_rows<T: Group + for<'r> Read<'r>>(&self, need: &RowsNeed) -> Result<Vec<T>, CommandError> {
        let loaded = self.rows.iter().find(|(known, _)| known == need);
        let (_, rows) = loaded.ok_or_else(CommandError::not_loaded(T::TABLE.name))?;
        let query = Query::of::<T>("rows", &[]);
        query.read(rows).map_err(|corrupt| CommandError::Corrupt(corrupt.0))
    }

    /// Writes a row, in place of one with the same key.
    ///
    /// # Errors
    /// When the command did not need the row.
    pub fn write_row<T: Group + Write>(&mut self, row: &T) -> Result<(), CommandError> {
        let row = self.take_row(row)?;
        for (need, rows) in self.loaded(T::TABLE) {
            if need.have(&row) {
                rows.push(row.clone());
            }
        }
        self.changes.rows.push(RowChange::Write(T::TABLE, row));
        Ok(())
    }

    /// Writes rows of different keys, each in place of one with the same key, into a table that the command did not need: one that
    /// is too large to load. No command reads them.
    pub fn put_rows<'r, T: Group + Write + 'r>(&mut self, rows: impl IntoIterator<Item = &'r T>) {
        let rows: Vec<Row> = rows.into_iter().map(row_of).collect();
        let keys: BTreeSet<&[Cell]> = rows.iter().map(|row| T::TABLE.key_of(row)).collect();
        self.changes.rows.retain(|old| old.table() != T::TABLE || !keys.contains(T::TABLE.key_of(old.row())));
        self.changes.rows.extend(rows.into_iter().map(|row| RowChange::Write(T::TABLE, row)));
    }

    /// Changes rows that the command did not need, and that no other command of its group changes: each once.
    pub fn change_rows(&mut self, changes: impl IntoIterator<Item = RowChange>) {
        self.changes.rows.extend(changes);
    }

    /// Removes the row with the key of this one.
    ///
    /// # Errors
    /// When the command did not need the row.
    pub fn remove_row<T: Group + Write>(&mut self, row: &T) -> Result<(), CommandError> {
        let row = self.take_row(row)?;
        self.changes.rows.push(RowChange::Remove(T::TABLE, row));
        Ok(())
    }

    /// Forgets the row with the same key, and earlier changes of it. Gives the cells of this one.
    fn take_row<T: Group + Write>(&mut self, row: &T) -> Result<Row, CommandError> {
        let row = row_of(row);
        let is_other = |other: &Row| T::TABLE.key_of(other) != T::TABLE.key_of(&row);
        if !self.loaded(T::TABLE).any(|(need, _)| need.have(&row)) {
            return Err(CommandError::not_loaded(T::TABLE.name)());
        }
        self.loaded(T::TABLE).for_each(|(_, rows)| rows.retain(is_other));
        self.changes.rows.retain(|change| change.table().name != T::TABLE.name || is_other(change.row()));
        Ok(row)
    }

    fn loaded(&mut self, table: &'static Table) -> impl Iterator<Item = &mut (RowsNeed, Vec<Row>)> {
        self.rows.iter_mut().filter(move |(need, _)| need.table().name == table.name)
    }
}

fn row_of<T: Write>(value: &T) -> Row {
    cells(value).into_iter().map(Cell::from).collect()
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{Timestamp, Webhook, WebhookAttempt, WebhookSecret};

    use super::*;
    use crate::schema::{WEBHOOK_ATTEMPTS, WEBHOOKS};

    fn webhook() -> Webhook {
        let at = Timestamp::from_micros(0).unwrap();
        Webhook {
            id: "wh_1".to_owned(),
            url: "https://hooks.example/secret-path".to_owned(),
            types: pointbook_domain::EventTypes::default(),
            mode: pointbook_domain::WebhookMode::Each,
            lanes: 1,
            secret: WebhookSecret::from_bytes([7; 32]),
            previous_secret: None,
            previous_secret_until: None,
            state: pointbook_domain::WebhookState::Active,
            disabled_because: None,
            state_since: at,
            epoch: 1,
            start_generation: 1,
            start_position: 0,
            created_at: at,
        }
    }

    #[test]
    fn no_secret_of_a_row_is_printed() {
        let webhook = webhook();
        let printed = format!("{:?}", RowChange::Write(&WEBHOOKS, row_of(&webhook)));
        assert!(printed.contains("webhooks") && !printed.contains(webhook.secret.reveal()), "{printed}");
    }

    #[test]
    fn a_row_that_was_put_replaces_an_earlier_one() {
        let attempt = |slot, position| {
            let (webhook_id, at) = ("wh_1".to_owned(), Timestamp::from_micros(0).unwrap());
            WebhookAttempt { webhook_id, slot, at, duration_ms: 1, position, status: None, error: None }
        };
        let mut facts = Facts::default();
        facts.put_rows(&[attempt(1, 1), attempt(2, 2)]);
        facts.put_rows(&[attempt(2, 3)]);
        let expected =
            [attempt(1, 1), attempt(2, 3)].map(|row| RowChange::Write(&WEBHOOK_ATTEMPTS, row_of(&row)));
        assert!(facts.into_changes().rows == expected);
    }
}
