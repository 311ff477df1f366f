//! Makes a background job due.

use pointbook_domain::Timestamp;

use crate::postgres::connection::Transaction;
use crate::postgres::error::Outcome;
use crate::schema::Dialect;
use crate::schema::texts::SCHEDULE_JOB;

pub(crate) async fn schedule(
    database: &Transaction,
    tenant: &str,
    (name, key): &(String, String),
    at: Timestamp,
) -> Outcome<()> {
    let upsert = SCHEDULE_JOB.write(Dialect::Postgres);
    database.execute(upsert, &[&tenant, name, key, &at.as_micros()]).await.map(drop)
}
