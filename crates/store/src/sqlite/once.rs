//! Requests that are executed once. One commit stores the idempotency key, the effect and the kept response.

use pointbook_domain::Timestamp;
use rusqlite::{Transaction, params};

use crate::commands::{Facts, StoredKey};
use crate::ports::{NewAnswer, RequestKey, StoredAnswer};
use crate::schema::rows::KeptRequest;
use crate::schema::{ColumnAt, Dialect, OnConflict, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::row::missing;
use crate::statement;

/// Loads the kept response of a key, and whether the principal may keep another key.
pub(crate) fn load(
    database: &Transaction<'_>,
    tenant: &str,
    key: &RequestKey,
    facts: &mut Facts,
) -> Outcome<()> {
    let stored = find(database, tenant, key)?;
    let is_full = stored.is_none() && is_full(database, tenant, key)?;
    facts.put_key(key, stored, is_full);
    Ok(())
}

/// Finds a kept response. Errors name only the principal, because a key belongs to the client.
fn find(database: &Transaction<'_>, tenant: &str, key: &RequestKey) -> Outcome<Option<StoredKey>> {
    let select = "SELECT principal, fingerprint, answer FROM request_keys
         WHERE tenant_id = ?1 AND principal = ?2 AND key = ?3";
    let found: Option<(ColumnAt, [u8; 32], Vec<u8>)> =
        row::one_of(("request_keys", 1), database, select, [tenant, &key.principal, &key.key])?;
    Ok(found.map(|(_, fingerprint, answer)| StoredKey { fingerprint, answer: StoredAnswer(answer) }))
}

/// Whether the principal has its maximum of keys. Reads at most that many keys.
fn is_full(database: &Transaction<'_>, tenant: &str, key: &RequestKey) -> Outcome<bool> {
    let Some(last) = key.max_kept.map(|max| max.saturating_sub(1)) else { return Ok(false) };
    let mut select = database.prepare_cached(
        "SELECT key FROM request_keys WHERE tenant_id = ?1 AND principal = ?2 ORDER BY key LIMIT 1 OFFSET ?3",
    )?;
    Ok(select.exists(params![tenant, key.principal, last])?)
}

/// Updates the time of the last use. A clock that went back does not make it older. The time of a refusal stays: it is
/// before `created_at`, so that the key is removed sooner.
pub(crate) fn touch(
    database: &Transaction<'_>,
    tenant: &str,
    key: &RequestKey,
    now: Timestamp,
) -> Outcome<()> {
    let mut update = database.prepare_cached(
        "UPDATE request_keys SET last_used_at =
             CASE WHEN last_used_at < ?4 AND last_used_at >= created_at THEN ?4 ELSE last_used_at END
         WHERE tenant_id = ?1 AND principal = ?2 AND key = ?3",
    )?;
    match update.execute(params![tenant, key.principal, key.key, now.as_micros()])? {
        1 => Ok(()),
        _ => Err(missing("request_keys", &key.principal)),
    }
}

pub(crate) fn insert(
    database: &Transaction<'_>,
    tenant: &str,
    key: &RequestKey,
    now: Timestamp,
    new: &NewAnswer,
) -> Outcome<()> {
    let RequestKey { principal, key, fingerprint, max_kept: _ } = key;
    let (answer, created_at, last_used_at) = (&new.answer.0[..], now, new.used_at(now));
    let row = KeptRequest { principal, key, fingerprint, answer, created_at, last_used_at };
    let insert = statement!(Statement::insert::<KeptRequest<'_>>(Dialect::Sqlite, OnConflict::Fail));
    row::write(database, insert, tenant, &row).map(drop)
}
