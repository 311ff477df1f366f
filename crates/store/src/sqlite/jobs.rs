//! Makes a background job due.

use pointbook_domain::Timestamp;
use rusqlite::{Transaction, params};

use crate::schema::Dialect;
use crate::schema::texts::SCHEDULE_JOB;
use crate::sqlite::error::Outcome;

pub(crate) fn schedule(
    database: &Transaction<'_>,
    tenant: &str,
    (name, key): &(String, String),
    at: Timestamp,
) -> Outcome<()> {
    let mut upsert = database.prepare_cached(SCHEDULE_JOB.write(Dialect::Sqlite))?;
    upsert.execute(params![tenant, name, key, at.as_micros()])?;
    Ok(())
}
