use std::sync::Arc;

use pointbook_domain::Timestamp;

use super::rows::read_one;
use super::{StoreError, StoreResult, TenantData};
use crate::schema::rows_of_service::LastUse;
use crate::schema::{Comparison, Query};

/// The key of a write, so that all repetitions of its request execute once.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RequestKey {
    /// The sender. Keys of different principals are independent.
    pub principal: String,
    /// The key that the principal chose.
    pub key: String,
    /// The SHA-256 of the request.
    pub fingerprint: [u8; 32],
    /// About how many keys the principal may have at a time. `None` for no bound.
    pub max_kept: Option<u32>,
}

/// How long a key is known after its last use, in days.
pub const REQUEST_KEY_DAYS: u32 = 7;

/// How long the key of a refused request is known after the refusal, in days.
pub const REFUSED_KEY_DAYS: u32 = 1;

impl std::fmt::Debug for RequestKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RequestKey(..)")
    }
}

/// A kept response: bytes that only their writer understands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer(pub Vec<u8>);

/// A response to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAnswer {
    pub answer: StoredAnswer,
    /// Whether the request was refused. Then the response is kept for [`REFUSED_KEY_DAYS`] only.
    pub is_refusal: bool,
}

impl NewAnswer {
    /// The time of use under which a response is kept. A refusal gets an earlier time of use, so that it is removed sooner. That
    /// time is before the creation, which marks a refusal, and a replay does not change it.
    pub fn used_at(&self, now: Timestamp) -> Timestamp {
        if self.is_refusal { now.minus_days(REQUEST_KEY_DAYS - REFUSED_KEY_DAYS) } else { now }
    }
}

/// Executes a write once: one commit keeps its effect and its response under the key of the request.
#[derive(Clone)]
pub struct Once<T> {
    pub key: RequestKey,
    /// The real time of the request, by which the key grows old.
    pub now: Timestamp,
    /// Renders the response of the outcome. `None` undoes the write with an error. It is called inside the transaction, perhaps
    /// more than once, so it must have no effect and be fast.
    pub answer: MakeAnswer<T>,
}

/// See [`Once::answer`].
pub type MakeAnswer<T> = Arc<dyn Fn(&T) -> Option<NewAnswer> + Send + Sync>;

/// The result of a write that may have been executed before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Execution<T> {
    /// It was executed now.
    Executed(T),
    /// The same request was executed before with this response. The store writes the time of use, so that a replay is as durable
    /// as the first response, unless it is a refusal.
    Replayed(StoredAnswer),
    /// The key belongs to another request. Nothing was done.
    KeyTaken,
    /// The key is new, and the principal has as many keys as allowed. Nothing was done.
    TooManyKeys,
}

impl<T> Execution<T> {
    /// The same result with another outcome type.
    pub fn map<U>(self, meaning: impl FnOnce(T) -> U) -> Execution<U> {
        match self {
            Self::Executed(outcome) => Execution::Executed(meaning(outcome)),
            Self::Replayed(answer) => Execution::Replayed(answer),
            Self::KeyTaken => Execution::KeyTaken,
            Self::TooManyKeys => Execution::TooManyKeys,
        }
    }

    /// The outcome of a write without a key.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the store used a key that it was not given.
    pub fn without_key(self) -> StoreResult<T> {
        match self {
            Self::Executed(outcome) => Ok(outcome),
            Self::Replayed(_) | Self::KeyTaken | Self::TooManyKeys => {
                Err(StoreError::Corrupt("a write without a key was taken for a repeated one".to_owned()))
            }
        }
    }
}

/// The keys of executed requests of one tenant.
impl dyn TenantData + '_ {
    /// Removes at most `limit` keys that were last used before this time. Returns how many it removed.
    pub async fn forget_request_keys(&self, used_before: Timestamp, limit: u32) -> StoreResult<u32> {
        self.remove_some(&old_request_keys(used_before).limit(limit)).await
    }

    /// The oldest last use of all keys. `None` without keys.
    pub async fn oldest_request_key(&self) -> StoreResult<Option<Timestamp>> {
        let oldest = Query::of::<LastUse>("oldest_request_key", &["last_used_at"]);
        let oldest: Option<LastUse> = read_one(self, oldest).await?;
        Ok(oldest.map(|oldest| oldest.last_used_at))
    }
}

/// The keys that were last used before this time.
pub fn old_request_keys(used_before: Timestamp) -> Query {
    Query::of::<LastUse>("forget_request_keys", &["last_used_at"]).compared(
        "last_used_at",
        Comparison::Below,
        &used_before,
    )
}
