use std::sync::Arc;

use async_trait::async_trait;
use pointbook_domain::Timestamp;

use super::{StoreError, StoreResult};

/// Which request a write belongs to, so that it is executed once however often it is sent.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RequestKey {
    /// Who sent it: keys of one principal say nothing about another's.
    pub principal: String,
    /// The key that the principal chose.
    pub key: String,
    /// The SHA-256 of the request.
    pub fingerprint: [u8; 32],
    /// How many keys of the principal are kept at a time, about; none for no bound.
    pub max_kept: Option<u32>,
}

/// For how long a key is known after its last use, in days.
pub const REQUEST_KEY_DAYS: u32 = 7;

/// For how long the key of a refused request is known after it was refused, in days.
pub const REFUSED_KEY_DAYS: u32 = 1;

impl std::fmt::Debug for RequestKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RequestKey(..)")
    }
}

/// An answer as it is kept: bytes that only the one who made them understands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer(pub Vec<u8>);

/// An answer that is to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAnswer {
    pub answer: StoredAnswer,
    /// Whether the request was refused, so that the answer is kept for [`REFUSED_KEY_DAYS`] only.
    pub is_refusal: bool,
}

impl NewAnswer {
    /// The time of use under which the answer to a request of this time is kept. A refusal looks as if it had been
    /// used days before, so that it is forgotten sooner; that it is older than its creation tells it apart, and a
    /// replay leaves it as it is.
    pub fn used_at(&self, now: Timestamp) -> Timestamp {
        if self.is_refusal { now.minus_days(REQUEST_KEY_DAYS - REFUSED_KEY_DAYS) } else { now }
    }
}

/// Makes a write happen once: its effect and the answer to it are kept in one commit, under the
/// request's key.
#[derive(Clone)]
pub struct Once<T> {
    pub key: RequestKey,
    /// The time of the request.
    pub now: Timestamp,
    /// Makes the answer of what the write came to; none when it cannot be made, and then the write is undone
    /// and fails. Called inside the transaction, perhaps more than once, so it has no effect and takes no
    /// time.
    pub answer: MakeAnswer<T>,
}

/// See [`Once::answer`].
pub type MakeAnswer<T> = Arc<dyn Fn(&T) -> Option<NewAnswer> + Send + Sync>;

/// What became of a write that may have happened before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Execution<T> {
    /// It was executed now.
    Executed(T),
    /// The same request was executed before; this was its answer. The answer's time of use is
    /// written, so that a replay is as durable as the first answer, unless it is a refusal.
    Replayed(StoredAnswer),
    /// The key belongs to another request; nothing was done.
    KeyTaken,
    /// The principal has as many keys as may be kept, and this one is new; nothing was done.
    TooManyKeys,
}

impl<T> Execution<T> {
    /// The same, of what the write means to the caller.
    pub fn map<U>(self, meaning: impl FnOnce(T) -> U) -> Execution<U> {
        match self {
            Self::Executed(outcome) => Execution::Executed(meaning(outcome)),
            Self::Replayed(answer) => Execution::Replayed(answer),
            Self::KeyTaken => Execution::KeyTaken,
            Self::TooManyKeys => Execution::TooManyKeys,
        }
    }

    /// What a write without a key came to.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the store speaks of a key that it was not given.
    pub fn without_key(self) -> StoreResult<T> {
        match self {
            Self::Executed(outcome) => Ok(outcome),
            Self::Replayed(_) | Self::KeyTaken | Self::TooManyKeys => {
                Err(StoreError::Corrupt("a write without a key was taken for a repeated one".to_owned()))
            }
        }
    }
}

/// The keys of requests that were executed, in one tenant.
#[async_trait]
pub trait RequestKeyStore {
    /// Removes at most `limit` keys that were last used before this time; gives how many there were.
    async fn forget_request_keys(&self, used_before: Timestamp, limit: u32) -> StoreResult<u32>;

    /// The last use of the key that was not used for the longest time; `None` without keys.
    async fn oldest_request_key(&self) -> StoreResult<Option<Timestamp>>;
}
