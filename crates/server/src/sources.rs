//! The real sources of time, ids and secrets. Tests use others.

use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

use pointbook_domain::{OperatorId, OrderId, TenantId, Timestamp, TransactionId};
use pointbook_store::{Clock, IdSource, Origin, SecretSource};
use uuid::Uuid;

/// The origin of what the command line does: the user of the operating system, as the audit log names the user.
#[expect(
    clippy::disallowed_methods,
    reason = "the environment says who runs the command, and configures nothing"
)]
pub fn command_line() -> Origin {
    let user = ["SUDO_USER", "USER", "LOGNAME"].into_iter().find_map(|name| env::var(name).ok());
    Origin { system_user: user.map(Into::into), ..Origin::default() }
}

#[derive(Debug, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "all other code gets the time from this clock")]
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let micros = i64::try_from(since_epoch.as_micros()).unwrap_or(i64::MAX);
        // A system clock outside of 1970 to 9999 is wrong: use the nearest time.
        Timestamp::from_micros(micros).unwrap_or(Timestamp::MAX)
    }
}

/// Unique ids: UUIDs of version 7 as 32 hexadecimal digits. The ids of one process ascend, because the library adds a
/// counter to the millisecond.
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

    /// Short, because every key of every row contains it. There are 2^30 of them. The key of the tenants refuses one that is taken.
    fn tenant_id(&self) -> TenantId {
        let id: String =
            random_bytes::<6>().map(symbol).map(|symbol| symbol.to_ascii_lowercase()).iter().collect();
        TenantId::new(id).unwrap_or_else(|_| unreachable!("6 characters are an id"))
    }

    /// Short, because people read it in the audit log.
    fn operator_id(&self) -> OperatorId {
        let id = format!("{:012x}", u64::from_ne_bytes(random_bytes()) >> 16);
        OperatorId::new(id).unwrap_or_else(|_| unreachable!("12 characters are an id"))
    }
}

/// A symbol of Crockford's alphabet, which lacks the letters I, L, O and U, because they are easy to misread.
fn symbol(byte: u8) -> char {
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    char::from(ALPHABET[usize::from(byte % 32)])
}

/// Three groups of four symbols: 60 random bits, so equal numbers are very unlikely among a million orders of a tenant.
/// A unique constraint of the database rules them out.
fn order_number(bytes: [u8; 12]) -> String {
    bytes.map(symbol).chunks(4).map(String::from_iter).collect::<Vec<_>>().join("-")
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

#[expect(clippy::disallowed_methods, reason = "all other code gets random bytes from here")]
#[expect(clippy::expect_used, reason = "without random bytes, tokens could be guessed")]
fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transaction_ids_ascend() {
        let ids: Vec<TransactionId> = (0..1_000).map(|_| UuidIds.transaction_id()).collect();
        assert!(ids.is_sorted_by(|one, next| one < next));
        assert_eq!(ids[0].as_str().len(), 32);
    }

    #[test]
    fn order_number_has_three_groups_and_is_random() {
        assert_eq!(order_number([0, 1, 9, 10, 17, 18, 20, 31, 32, 63, 255, 224]), "019A-HJMZ-0ZZ0");
        assert_ne!(UuidIds.order_number(), UuidIds.order_number());
    }

    #[test]
    fn tenant_ids_are_short_and_differ() {
        let (one, other) = (UuidIds.tenant_id(), UuidIds.tenant_id());
        assert_ne!(one, other);
        assert_eq!(one.as_str().len(), 6);
    }

    #[test]
    fn secrets_differ() {
        assert_ne!(OsSecrets.secret(), OsSecrets.secret());
    }

    #[test]
    fn clock_is_after_2026_and_before_the_maximum() {
        let released = Timestamp::from_micros(1_767_225_600_000_000).unwrap();
        assert!(SystemClock.now() > released);
        assert!(SystemClock.now() < Timestamp::MAX);
    }
}
