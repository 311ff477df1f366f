//! The sources of time, ids and secrets. They are parameters, so that tests can fix them.

use pointbook_domain::{OperatorId, OrderId, TenantId, Timestamp, TransactionId};

use crate::keyring::MasterKeys;

pub trait Clock: Send + Sync {
    /// Now, in UTC.
    fn now(&self) -> Timestamp;
}

pub trait IdSource: Send + Sync {
    /// A new id. Later ids are greater, so that transactions of the same time keep their order.
    fn transaction_id(&self) -> TransactionId;

    /// A new id. Later ids are greater, as those of transactions.
    fn order_id(&self) -> OrderId;

    /// A new order number: short, and safe to read out on the telephone.
    fn order_number(&self) -> String;

    fn tenant_id(&self) -> TenantId;

    fn operator_id(&self) -> OperatorId;
}

pub trait SecretSource: Send + Sync {
    /// 32 unpredictable bytes.
    fn secret(&self) -> [u8; 32];

    /// The master keys as the key file has them now. `None` when no key file is configured. A caller does not keep them, so
    /// that a rotated file counts at once.
    ///
    /// # Errors
    /// When the key file cannot be read or is invalid.
    fn master_keys(&self) -> Result<Option<MasterKeys>, KeyFileError> {
        Ok(None)
    }
}

/// Why the key file cannot be used. It names the file and the line, and no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct KeyFileError(pub String);
