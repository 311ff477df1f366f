use async_trait::async_trait;
use pointbook_domain::{Day, Locale, Timestamp, User, UserId};

use super::{StoreResult, UpsertOutcome};

/// What a back office says of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserProfile {
    /// The operator's own id.
    pub id: UserId,
    /// Date of birth, when known.
    pub birth_date: Option<Day>,
    /// Preferred language, when known.
    pub locale: Option<Locale>,
}

/// The users of one tenant.
#[async_trait]
pub trait UserStore {
    /// Creates each user, created at `now`, or replaces their profile; balance and history stay.
    /// One outcome per profile, in order.
    async fn upsert_users(&self, profiles: &[UserProfile], now: Timestamp)
    -> StoreResult<Vec<UpsertOutcome>>;

    /// At most `limit` users with an id above `after`, by id.
    async fn users_after(&self, after: Option<&UserId>, limit: u32) -> StoreResult<Vec<User>>;
}
