//! Requests that are executed once: the key, the effect and the response are one commit.

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::commands::{Facts, KeptResponse, KeyUse, StoredKey};
use pointbook_app::ports::{RequestKey, RequestKeyStore, StoredAnswer};
use pointbook_domain::Timestamp;
use tokio_postgres::Row;

use crate::connection::{Connection, Transaction};
use crate::error::{Outcome, StoreFailure};
use crate::row::{Record, count, hash, timestamp};
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;

#[async_trait]
impl RequestKeyStore for PostgresTenant {
    async fn forget_request_keys(&self, used_before: Timestamp, limit: u32) -> StoreResult<u32> {
        self.access
            .write("forget_request_keys", |database| forget(database, &self.id, used_before, limit).scoped())
            .await
    }

    async fn oldest_request_key(&self) -> StoreResult<Option<Timestamp>> {
        self.access.read_short("oldest_request_key", |database| oldest(database, &self.id).scoped()).await
    }
}

/// What is known of a key.
struct Found {
    /// Its place among the keys that were asked for, from 1.
    place: usize,
    /// What is stored of the request that was executed before.
    stored: Option<StoredKey>,
    /// Whether its principal has all the keys that it may have.
    is_full: bool,
}

/// Looks for keys, and whether their principals have all the keys that they may have: reads as many at most. The
/// columns in a report are those of the principal: a key is the client's own affair.
pub(crate) async fn find_all(
    database: &Transaction,
    tenant: &str,
    keys: &[&RequestKey],
) -> Outcome<Vec<Row>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let principals: Vec<&str> = keys.iter().map(|key| key.principal.as_str()).collect();
    let names: Vec<&str> = keys.iter().map(|key| key.key.as_str()).collect();
    let last_kept: Vec<Option<i64>> =
        keys.iter().map(|key| Some(i64::from(key.max_kept?.saturating_sub(1)))).collect();
    let select = "SELECT given.principal, given.place, found.fingerprint, found.answer,
             given.last_kept IS NOT NULL AND last.key IS NOT NULL
         FROM unnest($2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY
             AS given (principal, key, last_kept, place)
         LEFT JOIN LATERAL (
             SELECT fingerprint, answer FROM request_keys
             WHERE tenant_id = $1 AND principal = given.principal AND request_keys.key = given.key LIMIT 1
         ) AS found ON TRUE
         LEFT JOIN LATERAL (
             SELECT request_keys.key FROM request_keys WHERE tenant_id = $1 AND principal = given.principal
             ORDER BY request_keys.key LIMIT 1 OFFSET given.last_kept
         ) AS last ON TRUE";
    database.rows(select, &[&tenant, &principals, &names, &last_kept]).await
}

/// Puts the rows of [`find_all`] among the facts.
pub(crate) fn put_all(keys: &[&RequestKey], rows: &[Row], facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let Found { place, stored, is_full } = read(row)?;
        if let Some(key) = keys.get(place.wrapping_sub(1)) {
            facts.put_key(key, stored, is_full);
        }
    }
    Ok(())
}

fn read(row: &Row) -> Outcome<Found> {
    let record = Record::new("request_keys", 1, row);
    let stored = match record.read_optional(2, hash)? {
        Some(fingerprint) => Some(StoredKey { fingerprint, answer: StoredAnswer(record.get(3)?) }),
        None => None,
    };
    Ok(Found { place: record.read(1, count)?, stored, is_full: record.get(4)? })
}

/// Keeps the responses of requests that were not executed before. A key that another transaction took meanwhile
/// undoes everything.
pub(crate) async fn keep_all(database: &Transaction, tenant: &str, kept: &[KeptResponse]) -> Outcome<()> {
    if kept.is_empty() {
        return Ok(());
    }
    // All transactions that keep several take them in this order, so that they never wait for each other.
    let mut sorted: Vec<_> = kept.iter().collect();
    sorted.sort_unstable_by_key(|kept| (&kept.key.principal, &kept.key.key));
    let principals: Vec<&str> = sorted.iter().map(|kept| kept.key.principal.as_str()).collect();
    let keys: Vec<&str> = sorted.iter().map(|kept| kept.key.key.as_str()).collect();
    let fingerprints: Vec<&[u8]> = sorted.iter().map(|kept| kept.key.fingerprint.as_slice()).collect();
    let responses: Vec<&[u8]> = sorted.iter().map(|kept| kept.response.answer.0.as_slice()).collect();
    let times: Vec<i64> = sorted.iter().map(|kept| kept.now.as_micros()).collect();
    let uses: Vec<i64> = sorted.iter().map(|kept| kept.response.used_at(kept.now).as_micros()).collect();
    let inserted = database
        .execute(
            "INSERT INTO request_keys (tenant_id, principal, key, fingerprint, answer, created_at, last_used_at)
             SELECT $1, principal, key, fingerprint, answer, created_at, used_at
             FROM unnest($2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::bigint[], $7::bigint[])
                 AS given (principal, key, fingerprint, answer, created_at, used_at)
             ON CONFLICT (tenant_id, principal, key) DO NOTHING",
            &[&tenant, &principals, &keys, &fingerprints, &responses, &times, &uses],
        )
        .await?;
    if inserted == kept.len() as u64 { Ok(()) } else { Err(StoreFailure::Overtaken) }
}

/// Notes that keys were used again.
pub(crate) async fn touch_all(database: &Transaction, tenant: &str, uses: &[KeyUse]) -> Outcome<()> {
    let mut sorted: Vec<_> = uses.iter().collect();
    sorted.sort_unstable_by_key(|used| (&used.key.principal, &used.key.key));
    for KeyUse { key, now } in sorted {
        touch(database, tenant, key, *now).await?;
    }
    Ok(())
}

/// A clock that went back does not make the use look older, and a refusal stays as old as it is.
async fn touch(database: &Transaction, tenant: &str, key: &RequestKey, now: Timestamp) -> Outcome<()> {
    let touched = database
        .execute(
            "UPDATE request_keys SET last_used_at =
                 CASE WHEN last_used_at >= created_at THEN GREATEST(last_used_at, $4) ELSE last_used_at END
             WHERE tenant_id = $1 AND principal = $2 AND key = $3",
            &[&tenant, &key.principal, &key.key, &now.as_micros()],
        )
        .await?;
    if touched == 1 { Ok(()) } else { Err(StoreFailure::Overtaken) }
}

async fn oldest(database: &Connection, tenant: &str) -> Outcome<Option<Timestamp>> {
    let select = "SELECT last_used_at FROM request_keys WHERE tenant_id = $1 ORDER BY last_used_at LIMIT 1";
    let row = database.row(select, &[&tenant]).await?;
    row.map(|row| Record::new("request_keys", 0, &row).read(0, timestamp)).transpose()
}

/// Leaves out what somebody uses at this moment, or forgets at another instance. Two statements: as one, with
/// a limit that is not known when it is planned, it would read all keys there are.
async fn forget(database: &Transaction, tenant: &str, used_before: Timestamp, limit: u32) -> Outcome<u32> {
    let old = "SELECT principal, key FROM request_keys WHERE tenant_id = $1 AND last_used_at < $2
               ORDER BY last_used_at LIMIT $3 FOR UPDATE SKIP LOCKED";
    let rows = database.rows(old, &[&tenant, &used_before.as_micros(), &i64::from(limit)]).await?;
    let (mut principals, mut keys) = (Vec::<String>::new(), Vec::<String>::new());
    for row in &rows {
        let record = Record::new("request_keys", 0, row);
        principals.push(record.get(0)?);
        keys.push(record.get(1)?);
    }
    let delete = "DELETE FROM request_keys USING unnest($2::text[], $3::text[]) AS old (principal, key)
                  WHERE tenant_id = $1 AND request_keys.principal = old.principal AND request_keys.key = old.key";
    let forgotten = database.execute(delete, &[&tenant, &principals, &keys]).await?;
    // No more than the limit.
    Ok(u32::try_from(forgotten).unwrap_or(limit))
}
