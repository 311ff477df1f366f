//! Time, ids and secrets of the real world.

use std::time::{SystemTime, UNIX_EPOCH};

use pointbook_app::{Clock, IdSource, SecretSource};
use pointbook_domain::{OrderId, TenantId, Timestamp, TransactionId};
use uuid::Uuid;

#[derive(Debug, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that is handed to everyone else")]
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let micros = i64::try_from(since_epoch.as_micros()).unwrap_or(i64::MAX);
        // A clock before 1970 or beyond the year 9999 is wrong, and gives the nearest time.
        Timestamp::from_micros(micros).unwrap_or(Timestamp::MAX)
    }
}

/// Unique ids: UUIDs of version 7 as 32 hexadecimal digits. Those of one process ascend, because the library counts
/// within a millisecond.
#[derive(Debug, Clone, Copy)]
pub struct UuidIds;

impl IdSource for UuidIds {
    fn transaction_id(&self) -> TransactionId {
        let id = Uuid::now_v7().simple().to_string();
        TransactionId::new(id).unwrap_or_else(|_| unreachable!("32 characters are an id"))
    }

    fn order_id(&self) -> OrderId {
        let id = Uuid::now_v7().simple().to_string();
        OrderId::new(id).unwrap_or_else(|_| unreachable!("32 characters are an order id"))
    }

    fn order_number(&self) -> String {
        order_number(random_bytes())
    }

    /// Short, because it is in every key: 48 random bits among some thousand tenants.
    fn tenant_id(&self) -> TenantId {
        let id = format!("{:012x}", u64::from_ne_bytes(random_bytes()) >> 16);
        TenantId::new(id).unwrap_or_else(|_| unreachable!("12 characters are an id"))
    }
}

/// Three groups of four symbols: 60 random bits, so that among a million orders of a tenant two alike are as good as
/// impossible; the database makes sure.
fn order_number(bytes: [u8; 12]) -> String {
    /// Without letters that people take for digits, after Crockford.
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let symbols = bytes.map(|byte| char::from(ALPHABET[usize::from(byte % 32)]));
    symbols.chunks(4).map(String::from_iter).collect::<Vec<_>>().join("-")
}

#[derive(Debug, Clone, Copy)]
pub struct OsSecrets;

impl SecretSource for OsSecrets {
    fn secret(&self) -> [u8; 32] {
        random_bytes()
    }
}

/// A random name for this process.
pub(crate) fn process_name() -> String {
    format!("{:08x}", u32::from_ne_bytes(random_bytes()))
}

#[expect(clippy::disallowed_methods, reason = "this is the source that is handed to everyone else")]
#[expect(clippy::expect_used, reason = "without randomness a token could be guessed")]
fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_ascend_in_the_order_they_are_made() {
        let ids: Vec<TransactionId> = (0..1_000).map(|_| UuidIds.transaction_id()).collect();
        assert!(ids.is_sorted_by(|one, next| one < next));
        assert_eq!(ids[0].as_str().len(), 32);
    }

    #[test]
    fn an_order_number_is_easy_to_read() {
        assert_eq!(order_number([0, 1, 9, 10, 17, 18, 20, 31, 32, 63, 255, 224]), "019A-HJMZ-0ZZ0");
        assert_ne!(UuidIds.order_number(), UuidIds.order_number());
    }

    #[test]
    fn tenant_ids_are_short_and_differ() {
        let (one, other) = (UuidIds.tenant_id(), UuidIds.tenant_id());
        assert_ne!(one, other);
        assert_eq!(one.as_str().len(), 12);
    }

    #[test]
    fn secrets_differ() {
        assert_ne!(OsSecrets.secret(), OsSecrets.secret());
    }

    #[test]
    fn the_clock_stands_in_this_age() {
        let released = Timestamp::from_micros(1_767_225_600_000_000).unwrap();
        assert!(SystemClock.now() > released);
        assert!(SystemClock.now() < Timestamp::MAX);
    }
}
