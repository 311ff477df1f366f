//! The sessions of operators in the console.

use crate::{OperatorId, Timestamp, TokenHash, TokenId};

/// A browser in which an operator is signed in. The browser has the token; the service has only its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorSession {
    /// The id under which people know the session: the beginning of the hash.
    pub id: TokenId,
    pub operator_id: OperatorId,
    pub hash: TokenHash,
    pub created_at: Timestamp,
    /// From this time on, the server refuses it, however much it is used.
    pub expires_at: Timestamp,
    /// The address that signed in.
    pub address: Option<String>,
    /// When it was last used, as far as the database knows. `None` until a use some minutes after the sign-in.
    pub last_used_at: Option<Timestamp>,
}

impl OperatorSession {
    /// How long a session lasts without a stored use, in seconds: 2 hours, and 7 minutes in which the last use may not be stored yet. So it
    /// never ends sooner than 2 hours after a use.
    pub const IDLE_SECONDS: u32 = 2 * 3_600 + 7 * 60;

    /// The last known use. The sign-in is the first one.
    pub fn used_at(&self) -> Timestamp {
        self.last_used_at.unwrap_or(self.created_at)
    }

    /// From this time on, the server refuses the session, unless it is used before.
    pub fn ends_at(&self) -> Timestamp {
        self.expires_at.min(self.used_at().plus_seconds(Self::IDLE_SECONDS))
    }
}
