//! The days of users' histories.

use pointbook_app::commands::DayCount;

use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};

/// Days to which rows are added, by column.
#[derive(Default)]
pub(super) struct DayColumns {
    users: Vec<String>,
    days: Vec<i32>,
    added: Vec<i64>,
}

impl DayColumns {
    pub(super) fn of(counts: &[DayCount]) -> Self {
        let mut columns = Self::default();
        for DayCount { user_id, day, added } in counts {
            columns.users.push(user_id.as_str().to_owned());
            columns.days.push(day.as_days());
            columns.added.push(i64::from(*added));
        }
        columns
    }

    /// Begins days, and adds to those that there are.
    pub(super) async fn upsert(&self, database: &Transaction, tenant: &str) -> Outcome<()> {
        if self.days.is_empty() {
            return Ok(());
        }
        let upserted = database
            .execute(
                "INSERT INTO history_days (tenant_id, user_id, day, transaction_count)
                 SELECT $1, user_id, day, added
                 FROM unnest($2::text[], $3::integer[], $4::bigint[]) AS given (user_id, day, added)
                 ON CONFLICT (tenant_id, user_id, day)
                 DO UPDATE SET transaction_count = history_days.transaction_count + excluded.transaction_count",
                &[&tenant, &self.users, &self.days, &self.added],
            )
            .await?;
        if upserted == self.days.len() as u64 { Ok(()) } else { Err(StoreFailure::Overtaken) }
    }
}
