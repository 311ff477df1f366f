//! Sources of time, ids and secrets under the control of a test.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use pointbook_domain::{OperatorId, OrderId, TenantId, Timestamp, TransactionId};
use pointbook_store::{Clock, IdSource, SecretSource};

/// A clock that changes only when a test sets it.
#[derive(Debug)]
pub struct FixedClock(AtomicI64);

impl FixedClock {
    /// A clock with this time.
    pub fn new(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.as_micros()))
    }

    /// Sets the time.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.as_micros(), Ordering::SeqCst);
    }

    /// Advances the time by this many seconds.
    pub fn advance_seconds(&self, seconds: u32) {
        self.set(self.now().plus_seconds(seconds));
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

/// Ids that count from 1, padded so that their order as strings is their order in time.
#[derive(Debug, Default)]
pub struct SequentialIds(AtomicU64);

impl SequentialIds {
    fn next(&self) -> String {
        format!("id-{:08}", self.0.fetch_add(1, Ordering::SeqCst) + 1)
    }
}

impl IdSource for SequentialIds {
    fn transaction_id(&self) -> TransactionId {
        TransactionId::new(self.next()).unwrap()
    }

    fn order_id(&self) -> OrderId {
        OrderId::new(self.next()).unwrap()
    }

    fn order_number(&self) -> String {
        self.next().replace("id", "NO")
    }

    fn tenant_id(&self) -> TenantId {
        TenantId::new(self.next()).unwrap()
    }

    fn operator_id(&self) -> OperatorId {
        OperatorId::new(self.next()).unwrap()
    }
}

/// Secrets that all differ, and are the same in every run.
#[derive(Debug, Default)]
pub struct FixedSecrets(AtomicU64);

impl SecretSource for FixedSecrets {
    fn secret(&self) -> [u8; 32] {
        let mut secret = [0; 32];
        secret[24..].copy_from_slice(&self.0.fetch_add(1, Ordering::SeqCst).to_be_bytes());
        secret
    }
}

/// Always the same secret, so that a test knows the secret of each tenant in any order of use.
#[derive(Debug, Clone, Copy)]
pub struct OneSecret;

impl SecretSource for OneSecret {
    fn secret(&self) -> [u8; 32] {
        [0x5e; 32]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_ascend_and_secrets_differ() {
        let ids = SequentialIds::default();
        assert!(ids.transaction_id() < ids.transaction_id());
        let secrets = FixedSecrets::default();
        assert_ne!(secrets.secret(), secrets.secret());
    }

    #[test]
    fn clock_changes_only_when_set() {
        let clock = FixedClock::new(Timestamp::from_micros(0).unwrap());
        assert_eq!(clock.now(), clock.now());
        clock.advance_seconds(2);
        assert_eq!(clock.now().as_micros(), 2_000_000);
    }
}
