//! Requests that are executed once: the key, the effect and the answer are one commit.

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{Execution, Once, RequestKey, RequestKeyStore, StoredAnswer};
use pointbook_domain::Timestamp;

use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::row::{Record, hash, missing};
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;

/// Does the work of a write unless its request was executed before, and keeps the answer. Work that is
/// not polled does nothing. The row of
/// the key is the first that the transaction takes: of two requests with one key the second waits here
/// for the end of the first, and then finds its answer, or nothing where the first was undone.
pub(crate) async fn execute<T>(
    database: &Transaction,
    tenant: &str,
    once: Option<&Once<T>>,
    work: impl Future<Output = Outcome<T>>,
) -> Outcome<Execution<T>> {
    let Some(Once { key, now, answer }) = once else { return Ok(Execution::Executed(work.await?)) };
    if !insert(database, tenant, key, *now).await? {
        return repeat(database, tenant, key, *now).await;
    }
    let outcome = work.await?;
    let answer = answer(&outcome).ok_or(StoreFailure::NoAnswer)?;
    keep(database, tenant, key, &answer).await?;
    Ok(Execution::Executed(outcome))
}

#[async_trait]
impl RequestKeyStore for PostgresTenant {
    async fn forget_request_keys(&self, used_before: Timestamp, limit: u32) -> StoreResult<u32> {
        self.access
            .write("forget_request_keys", |database| forget(database, &self.id, used_before, limit).scoped())
            .await
    }
}

/// Takes the key, still without an answer, which nobody sees before it is kept; false when the key has
/// one.
async fn insert(database: &Transaction, tenant: &str, key: &RequestKey, now: Timestamp) -> Outcome<bool> {
    let RequestKey { principal, key, fingerprint } = key;
    let inserted = database
        .execute(
            "INSERT INTO request_keys (tenant_id, principal, key, fingerprint, answer, created_at, last_used_at)
             VALUES ($1, $2, $3, $4, '', $5, $5) ON CONFLICT (tenant_id, principal, key) DO NOTHING",
            &[&tenant, principal, key, &fingerprint.as_slice(), &now.as_micros()],
        )
        .await?;
    Ok(inserted == 1)
}

/// The answer to a request that was executed before.
async fn repeat<T>(
    database: &Transaction,
    tenant: &str,
    key: &RequestKey,
    now: Timestamp,
) -> Outcome<Execution<T>> {
    // Without a row, the key was forgotten since it was found taken.
    let stored = find(database, tenant, key).await?.ok_or(StoreFailure::Overtaken)?;
    if stored.fingerprint != key.fingerprint {
        return Ok(Execution::KeyTaken);
    }
    touch(database, tenant, key, now).await?;
    Ok(Execution::Replayed(stored.answer))
}

/// What is known of an executed request.
struct StoredRequest {
    fingerprint: [u8; 32],
    answer: StoredAnswer,
}

/// The columns in a report are those of the principal: a key is the client's own affair.
async fn find(database: &Transaction, tenant: &str, key: &RequestKey) -> Outcome<Option<StoredRequest>> {
    let row = database
        .row(
            "SELECT principal, fingerprint, answer FROM request_keys
             WHERE tenant_id = $1 AND principal = $2 AND key = $3",
            &[&tenant, &key.principal, &key.key],
        )
        .await?;
    let Some(row) = &row else { return Ok(None) };
    let record = Record::new("request_keys", 1, row);
    Ok(Some(StoredRequest { fingerprint: record.read(1, hash)?, answer: StoredAnswer(record.get(2)?) }))
}

/// A clock that went back does not make the use look older.
async fn touch(database: &Transaction, tenant: &str, key: &RequestKey, now: Timestamp) -> Outcome<()> {
    let touched = database
        .execute(
            "UPDATE request_keys SET last_used_at = GREATEST(last_used_at, $4)
             WHERE tenant_id = $1 AND principal = $2 AND key = $3",
            &[&tenant, &key.principal, &key.key, &now.as_micros()],
        )
        .await?;
    if touched == 1 { Ok(()) } else { Err(StoreFailure::Overtaken) }
}

async fn keep(database: &Transaction, tenant: &str, key: &RequestKey, answer: &StoredAnswer) -> Outcome<()> {
    let kept = database
        .execute(
            "UPDATE request_keys SET answer = $4 WHERE tenant_id = $1 AND principal = $2 AND key = $3",
            &[&tenant, &key.principal, &key.key, &answer.0],
        )
        .await?;
    if kept == 1 { Ok(()) } else { Err(missing("request_keys", &key.principal)) }
}

/// The time is asked for twice: a key that is used while this waits for it is looked at again, but only
/// by the outer condition.
async fn forget(database: &Transaction, tenant: &str, used_before: Timestamp, limit: u32) -> Outcome<u32> {
    let forgotten = database
        .execute(
            "DELETE FROM request_keys WHERE tenant_id = $1 AND last_used_at < $2 AND (principal, key) IN (
                 SELECT principal, key FROM request_keys WHERE tenant_id = $1 AND last_used_at < $2
                 ORDER BY last_used_at LIMIT $3
             )",
            &[&tenant, &used_before.as_micros(), &i64::from(limit)],
        )
        .await?;
    // No more than the limit.
    Ok(u32::try_from(forgotten).unwrap_or(limit))
}
