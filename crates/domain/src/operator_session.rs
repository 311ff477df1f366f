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
    /// From this time on, the server refuses it.
    pub expires_at: Timestamp,
    /// The address that signed in.
    pub address: Option<String>,
}
