//! Requests that are executed once. One commit stores the idempotency key, the effect and the kept response.

use tokio_postgres::Row;

use crate::commands::{Facts, KeptResponse, KeyUse, StoredKey};
use crate::ports::{RequestKey, StoredAnswer};
use crate::postgres::connection::Transaction;
use crate::postgres::error::{Outcome, StoreFailure};
use crate::postgres::row;
use crate::schema::rows::KeptRequest;
use crate::schema::{ColumnAt, Dialect, OnConflict, Statement};
use crate::statement;

/// Finds keys, and whether their principals have the maximum of keys. Reads at most that many keys per principal. Errors name
/// only the principal, because a key belongs to the client.
pub(super) async fn find_all(
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

/// The principal, the position of the key in the parameters, from 1, the fingerprint and kept response of an executed request,
/// and whether the principal has the maximum of keys.
type KeyRow = (ColumnAt, u64, Option<([u8; 32], Vec<u8>)>, bool);

pub(super) fn put_all(keys: &[&RequestKey], rows: &[Row], facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let (_, position, stored, is_full): KeyRow = row::read_as(("request_keys", 1), row)?;
        let stored =
            stored.map(|(fingerprint, answer)| StoredKey { fingerprint, answer: StoredAnswer(answer) });
        let index = usize::try_from(position).ok().and_then(|position| position.checked_sub(1));
        if let Some(key) = index.and_then(|index| keys.get(index)) {
            facts.put_key(key, stored, is_full);
        }
    }
    Ok(())
}

/// Stores the responses of new requests. Fails as overtaken when another transaction has used a key meanwhile.
pub(super) async fn keep_all(database: &Transaction, tenant: &str, kept: &[KeptResponse]) -> Outcome<()> {
    // The order of keys prevents deadlocks between transactions that store several.
    let mut sorted: Vec<_> = kept.iter().map(kept_request).collect();
    sorted.sort_unstable_by_key(|kept| (kept.principal, kept.key));
    let insert = statement!(Statement::insert::<KeptRequest<'_>>(Dialect::Postgres, OnConflict::Keep));
    database.write_all(insert, tenant, &sorted).await
}

fn kept_request(KeptResponse { key, now, response }: &KeptResponse) -> KeptRequest<'_> {
    let RequestKey { principal, key, fingerprint, max_kept: _ } = key;
    let (answer, created_at, last_used_at) = (&response.answer.0[..], *now, response.used_at(*now));
    KeptRequest { principal, key, fingerprint, answer, created_at, last_used_at }
}

/// Updates the times of the last use. A clock that went back does not make them older. The time of a refusal stays: it is
/// before `created_at`, so that the key is removed sooner.
pub(super) async fn touch_all(database: &Transaction, tenant: &str, uses: &[KeyUse]) -> Outcome<()> {
    let mut sorted: Vec<_> = uses.iter().collect();
    sorted.sort_unstable_by_key(|used| (&used.key.principal, &used.key.key));
    let update = "UPDATE request_keys SET last_used_at =
             CASE WHEN last_used_at >= created_at THEN GREATEST(last_used_at, $4) ELSE last_used_at END
         WHERE tenant_id = $1 AND principal = $2 AND key = $3";
    for KeyUse { key: RequestKey { principal, key, .. }, now } in sorted {
        if database.execute(update, &[&tenant, principal, key, &now.as_micros()]).await? != 1 {
            return Err(StoreFailure::Overtaken);
        }
    }
    Ok(())
}
