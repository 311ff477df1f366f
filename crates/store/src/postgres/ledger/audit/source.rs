//! Reads the facts of one table with a cursor.

use std::cmp::Ordering;
use std::collections::VecDeque;

use tokio_postgres::Row;

use crate::postgres::connection::Connection;
use crate::postgres::error::Outcome;
use crate::postgres::row::Stored;
use crate::schema::Corrupt;
use crate::schema::audit::OwnedFact;

type ReadFact = fn(&Stored<'_>) -> Result<OwnedFact, Corrupt>;

/// The facts of one statement, ordered by user.
pub(super) struct Source<'d> {
    database: &'d Connection,
    fetch: &'static str,
    read: ReadFact,
    rows: VecDeque<Row>,
    /// `None` at the end.
    next: Option<OwnedFact>,
}

impl<'d> Source<'d> {
    /// Runs `declare`, which declares a cursor for a tenant. The statement `fetch` returns its next rows.
    pub(super) async fn open(
        database: &'d Connection,
        tenant: &str,
        declare: &'static str,
        fetch: &'static str,
        read: ReadFact,
    ) -> Outcome<Self> {
        database.execute(declare, &[&tenant]).await?;
        let mut source = Self { database, fetch, read, rows: VecDeque::new(), next: None };
        source.advance().await?;
        Ok(source)
    }

    /// Returns the next fact and reads the one after it.
    pub(super) async fn advance(&mut self) -> Outcome<Option<OwnedFact>> {
        if self.rows.is_empty() {
            self.rows = self.database.rows(self.fetch, &[]).await?.into();
        }
        let after = self.rows.pop_front().map(|row| (self.read)(&Stored(&row))).transpose()?;
        Ok(std::mem::replace(&mut self.next, after))
    }

    /// Compares the users of the next facts in database order. A source at its end comes last.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        match (&self.next, &other.next) {
            (Some((user, _)), Some((other, _))) => user.as_str().cmp(other.as_str()),
            (next, other) => next.is_none().cmp(&other.is_none()),
        }
    }
}
