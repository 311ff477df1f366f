//! What recording has come to, on its way into the tables.

use std::future::ready;

use super::days::DayColumns;
use super::transaction_row::RowColumns;
use super::user_state::StateColumns;
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::pipeline::both;

/// New rows with the days and states of their users, of which there is nothing without a row.
#[derive(Default)]
pub(crate) struct Changes {
    pub(super) rows: RowColumns,
    pub(super) days: DayColumns,
    pub(super) new_users: StateColumns,
    pub(super) known_users: StateColumns,
}

impl Changes {
    /// Writes all of it in one round trip; see [`Self::write_beside`].
    pub(crate) async fn write(self, database: &Transaction, tenant: &str) -> Outcome<()> {
        self.write_beside(database, tenant, ready(Ok(()))).await
    }

    /// Writes all of it in one round trip, together with something else. New users are written in one before,
    /// since everything of theirs refers to them.
    pub(crate) async fn write_beside(
        self,
        database: &Transaction,
        tenant: &str,
        other: impl Future<Output = Outcome<()>>,
    ) -> Outcome<()> {
        let Self { rows, days, new_users, known_users } = self;
        new_users.insert(database, tenant).await?;
        let states_and_days = both(known_users.update(database, tenant), days.upsert(database, tenant));
        both(both(rows.insert(database, tenant), states_and_days), other).await?;
        Ok(())
    }
}
