//! The rows of operators and of their sessions.

use pointbook_domain::{
    Email, Operator, OperatorId, OperatorName, OperatorSession, Role, Timestamp, TokenHash, TokenId,
};

columns! {
    Operator of OPERATORS / 1, both {
        email: Email, id: OperatorId, name: OperatorName, role: Role, created_at: Timestamp,
        created_by: String,
    }

    OperatorSession of OPERATOR_SESSIONS / 1, both {
        id: TokenId, operator_id: OperatorId, hash: TokenHash, created_at: Timestamp,
        expires_at: Timestamp, address: Option<String>, last_used_at: Option<Timestamp>,
    }
}
