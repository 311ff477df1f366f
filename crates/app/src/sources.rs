//! Where time, ids and secrets come from: parameters, so that tests can fix them.

use pointbook_domain::{OrderId, TenantId, Timestamp, TransactionId};

pub trait Clock: Send + Sync {
    /// Now, in UTC.
    fn now(&self) -> Timestamp;
}

pub trait IdSource: Send + Sync {
    /// A new id. Ids made one after another ascend, so that ties in time keep their order.
    fn transaction_id(&self) -> TransactionId;

    /// A new id. Ids made one after another ascend, as those of transactions.
    fn order_id(&self) -> OrderId;

    /// A new order number: short, and safe to read out on the telephone.
    fn order_number(&self) -> String;

    fn tenant_id(&self) -> TenantId;
}

pub trait SecretSource: Send + Sync {
    /// 32 bytes that nobody can guess.
    fn secret(&self) -> [u8; 32];
}
