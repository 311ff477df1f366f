//! Requests that are executed once: the key, the effect and the answer are one commit.

use std::collections::HashSet;
use std::future::ready;

use async_trait::async_trait;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join};
use pointbook_app::StoreResult;
use pointbook_app::ports::{Execution, NewAnswer, Once, RequestKey, RequestKeyStore, StoredAnswer};
use pointbook_domain::Timestamp;
use tokio_postgres::Row;

use crate::connection::{Connection, Transaction};
use crate::error::{Outcome, StoreFailure};
use crate::pipeline::{both, both_of};
use crate::row::{Record, count, hash, timestamp};
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;

/// What a write comes to, decided and not yet written.
pub(crate) struct Plan<'d, T> {
    outcome: T,
    writes: BoxFuture<'d, Outcome<()>>,
}

impl<'d, T> Plan<'d, T> {
    /// An outcome, and what writes it.
    pub(crate) fn new(outcome: T, writes: impl Future<Output = Outcome<()>> + Send + 'd) -> Self {
        Self { outcome, writes: writes.boxed() }
    }

    /// An outcome that leaves nothing behind but, with a key, the answer.
    pub(crate) fn without_writes(outcome: T) -> Self {
        Self::new(outcome, ready(Ok(())))
    }
}

/// Carries out a plan unless its request was executed before, and keeps the answer. The key is looked for
/// while the plan is made, and its row is written together with the plan's, as the last of them: whoever has
/// the row waits for nobody but the disk. Of two requests with one key, the second finds the row taken at
/// the end, is undone, and begins again with the answer of the first. Making a plan may lock rows, but it
/// writes nothing.
pub(crate) async fn carry_out<T>(
    database: &Transaction,
    tenant: &str,
    once: Option<&Once<T>>,
    plan: impl Future<Output = Outcome<Plan<'_, T>>>,
) -> Outcome<Execution<T>> {
    let Some(once) = once else {
        let Plan { outcome, writes } = plan.await?;
        writes.await?;
        return Ok(Execution::Executed(outcome));
    };
    let (outcome, writes) = match join(find(database, tenant, &once.key), Box::pin(plan)).await {
        // Whoever has the answer already need not be able to do it again.
        (Ok(Found::Before(stored)), Ok(_) | Err(StoreFailure::Corrupt(_) | StoreFailure::Overtaken)) => {
            return repeat(database, tenant, once, stored).await;
        }
        (Ok(Found::Full), Ok(_)) => return Ok(Execution::TooManyKeys),
        (stored, plan) => {
            let (_, Plan { outcome, writes }) = both_of(stored, plan)?;
            (outcome, writes)
        }
    };
    let answered = Answered::new(once, &outcome)?;
    both(writes, keep(database, tenant, &[answered])).await?;
    Ok(Execution::Executed(outcome))
}

/// As [`carry_out`], with work that writes as it goes. Work that is not polled does nothing.
pub(crate) async fn execute<T>(
    database: &Transaction,
    tenant: &str,
    once: Option<&Once<T>>,
    work: impl Future<Output = Outcome<T>>,
) -> Outcome<Execution<T>> {
    let Some(once) = once else { return Ok(Execution::Executed(work.await?)) };
    match find(database, tenant, &once.key).await? {
        Found::Before(stored) => return repeat(database, tenant, once, stored).await,
        Found::Full => return Ok(Execution::TooManyKeys),
        Found::Nothing => {}
    }
    let outcome = work.await?;
    keep(database, tenant, &[Answered::new(once, &outcome)?]).await?;
    Ok(Execution::Executed(outcome))
}

/// An executed request and its answer.
pub(crate) struct Answered<'o> {
    key: &'o RequestKey,
    now: Timestamp,
    new: NewAnswer,
}

impl<'o> Answered<'o> {
    /// Makes the answer of what a request came to.
    pub(crate) fn new<T>(once: &'o Once<T>, outcome: &T) -> Outcome<Self> {
        let Once { key, now, answer } = once;
        Ok(Self { key, now: *now, new: answer(outcome).ok_or(StoreFailure::NoAnswer)? })
    }
}

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

/// Keeps the answers of requests that were not executed before. A key that somebody else took meanwhile
/// undoes everything.
pub(crate) async fn keep(database: &Transaction, tenant: &str, answered: &[Answered<'_>]) -> Outcome<()> {
    if answered.is_empty() {
        return Ok(());
    }
    // All who keep several take them in this order, so that they never wait for each other.
    let mut sorted: Vec<_> = answered.iter().collect();
    sorted.sort_unstable_by_key(|answered| KeyName::of(answered.key));
    let principals: Vec<&str> = sorted.iter().map(|answered| answered.key.principal.as_str()).collect();
    let keys: Vec<&str> = sorted.iter().map(|answered| answered.key.key.as_str()).collect();
    let fingerprints: Vec<&[u8]> =
        sorted.iter().map(|answered| answered.key.fingerprint.as_slice()).collect();
    let answers: Vec<&[u8]> = sorted.iter().map(|answered| answered.new.answer.0.as_slice()).collect();
    let times: Vec<i64> = sorted.iter().map(|answered| answered.now.as_micros()).collect();
    let uses: Vec<i64> =
        sorted.iter().map(|answered| answered.new.used_at(answered.now).as_micros()).collect();
    let kept = database
        .execute(
            "INSERT INTO request_keys (tenant_id, principal, key, fingerprint, answer, created_at, last_used_at)
             SELECT $1, principal, key, fingerprint, answer, created_at, used_at
             FROM unnest($2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::bigint[], $7::bigint[])
                 AS given (principal, key, fingerprint, answer, created_at, used_at)
             ON CONFLICT (tenant_id, principal, key) DO NOTHING",
            &[&tenant, &principals, &keys, &fingerprints, &answers, &times, &uses],
        )
        .await?;
    if kept == answered.len() as u64 { Ok(()) } else { Err(StoreFailure::Overtaken) }
}

/// What a key is found by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct KeyName<'k> {
    principal: &'k str,
    key: &'k str,
}

impl<'k> KeyName<'k> {
    pub(crate) fn of(key: &'k RequestKey) -> Self {
        Self { principal: &key.principal, key: &key.key }
    }
}

/// Which of these keys belong to requests that were executed before.
pub(crate) async fn taken<'k>(
    database: &Transaction,
    tenant: &str,
    keys: &[&'k RequestKey],
) -> Outcome<HashSet<KeyName<'k>>> {
    if keys.is_empty() {
        return Ok(HashSet::new());
    }
    let principals: Vec<&str> = keys.iter().map(|key| key.principal.as_str()).collect();
    let texts: Vec<&str> = keys.iter().map(|key| key.key.as_str()).collect();
    let select = "SELECT given.place FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS given (principal, key, place)
         CROSS JOIN LATERAL (
             SELECT last_used_at FROM request_keys
             WHERE tenant_id = $1 AND principal = given.principal AND request_keys.key = given.key LIMIT 1
         ) AS found";
    let rows = database.rows(select, &[&tenant, &principals, &texts]).await?;
    let mut taken = HashSet::new();
    for row in &rows {
        let place: usize = Record::new("request_keys", 0, row).read(0, count)?;
        taken.extend(keys.get(place.wrapping_sub(1)).map(|key| KeyName::of(key)));
    }
    Ok(taken)
}

/// The answer to a request that was executed before.
async fn repeat<T>(
    database: &Transaction,
    tenant: &str,
    once: &Once<T>,
    stored: StoredRequest,
) -> Outcome<Execution<T>> {
    if stored.fingerprint != once.key.fingerprint {
        return Ok(Execution::KeyTaken);
    }
    touch(database, tenant, &once.key, once.now).await?;
    Ok(Execution::Replayed(stored.answer))
}

/// What is known of a key.
enum Found {
    /// The request was executed before.
    Before(StoredRequest),
    /// The key is new, and its principal has all the keys that it may have.
    Full,
    /// The key is new.
    Nothing,
}

/// What is known of an executed request.
struct StoredRequest {
    fingerprint: [u8; 32],
    answer: StoredAnswer,
}

/// The columns in a report are those of the principal: a key is the client's own affair.
async fn find(database: &Transaction, tenant: &str, key: &RequestKey) -> Outcome<Found> {
    let (row, is_full) = both(select(database, tenant, key), is_full(database, tenant, key)).await?;
    let Some(row) = &row else { return Ok(if is_full { Found::Full } else { Found::Nothing }) };
    let record = Record::new("request_keys", 1, row);
    Ok(Found::Before(StoredRequest {
        fingerprint: record.read(1, hash)?,
        answer: StoredAnswer(record.get(2)?),
    }))
}

async fn select(database: &Transaction, tenant: &str, key: &RequestKey) -> Outcome<Option<Row>> {
    let select = "SELECT principal, fingerprint, answer FROM request_keys
         WHERE tenant_id = $1 AND principal = $2 AND key = $3";
    database.row(select, &[&tenant, &key.principal, &key.key]).await
}

/// Whether the principal has all the keys that it may have. Reads as many at most.
async fn is_full(database: &Transaction, tenant: &str, key: &RequestKey) -> Outcome<bool> {
    let Some(last) = key.max_kept.map(|max| i64::from(max.saturating_sub(1))) else { return Ok(false) };
    let select =
        "SELECT key FROM request_keys WHERE tenant_id = $1 AND principal = $2 ORDER BY key LIMIT 1 OFFSET $3";
    Ok(database.row(select, &[&tenant, &key.principal, &last]).await?.is_some())
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
