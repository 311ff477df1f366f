//! Reads the newest page of one history after the other.

use std::time::Instant;

use anyhow::{Result, ensure};

use super::{Worker, statements};

/// Reads until the given time. Returns the number of pages. A page has the default number of days.
pub(super) async fn read(mut worker: Worker, until: Instant) -> Result<usize> {
    const DAYS: i64 = 15;
    let statement = worker.client.prepare(statements::HISTORY_PAGE).await?;
    let mut count = 0;
    while Instant::now() < until {
        for user in worker.turns.next(1) {
            let rows = worker.client.query(&statement, &[&worker.tenant, &user, &DAYS, &0_i64]).await?;
            ensure!(!rows.is_empty(), "{user} has no history");
            count += 1;
        }
    }
    Ok(count)
}
