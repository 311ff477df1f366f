//! The days of a user's history.

use pointbook_app::recording::GrowingHistory;

use crate::connection::Transaction;
use crate::error::Outcome;
use crate::row::Record;

/// Adds the rows of a history to their days; gives how many days had none before.
pub(super) async fn add(database: &Transaction, tenant: &str, history: &GrowingHistory<'_>) -> Outcome<u64> {
    let (days, added): (Vec<i32>, Vec<i64>) =
        history.days().map(|(day, added)| (day.as_days(), i64::from(added))).unzip();
    let rows = database
        .rows(
            "INSERT INTO history_days (tenant_id, user_id, day, transaction_count)
             SELECT $1, $2, day, added FROM unnest($3::integer[], $4::bigint[]) AS given (day, added)
             ON CONFLICT (tenant_id, user_id, day)
             DO UPDATE SET transaction_count = history_days.transaction_count + excluded.transaction_count
             RETURNING user_id, day, transaction_count",
            &[&tenant, &history.user_id().as_str(), &days, &added],
        )
        .await?;
    let mut new_days = 0;
    for row in &rows {
        let record = Record::new("history_days", 1, row);
        let (day, now): (i32, i64) = (record.get(1)?, record.get(2)?);
        // What was added is all that the day has.
        let is_new = days.binary_search(&day).is_ok_and(|place| added.get(place) == Some(&now));
        new_days += u64::from(is_new);
    }
    Ok(new_days)
}
