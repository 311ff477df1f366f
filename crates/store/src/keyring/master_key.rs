use std::fmt;

use crate::keyring::cipher::SecretKey;

/// The longest id, in characters.
const MAX_ID_CHARS: usize = 64;

/// The name of a master key. It is stored beside each data key that the master key seals.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MasterKeyId(Box<str>);

impl MasterKeyId {
    /// 1 to 64 ASCII letters, digits, `-`, `_` or `.`. `None` for anything else.
    pub fn new(text: &str) -> Option<Self> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let is_id = (1..=MAX_ID_CHARS).contains(&text.len()) && text.bytes().all(is_allowed);
        is_id.then(|| Self(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MasterKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A key of the operator that seals the data keys of tenants.
#[derive(Clone)]
pub struct MasterKey {
    id: MasterKeyId,
    pub(crate) key: SecretKey,
}

impl MasterKey {
    /// A master key of 32 random bytes.
    pub fn new(id: MasterKeyId, bytes: [u8; 32]) -> Self {
        Self::with_key(id, SecretKey::new(bytes.into()))
    }

    pub(crate) fn with_key(id: MasterKeyId, key: SecretKey) -> Self {
        Self { id, key }
    }

    pub fn id(&self) -> &MasterKeyId {
        &self.id
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MasterKey({})", self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_is_short_and_of_one_word() {
        for good in ["a", "2026-11-24-0a1b2c", "K_1.old", &"a".repeat(64)] {
            assert_eq!(MasterKeyId::new(good).unwrap().as_str(), good);
        }
        for bad in ["", "a b", "a#", "ä", "a\n", "a/b", &"a".repeat(65)] {
            assert_eq!(MasterKeyId::new(bad), None, "{bad:?}");
        }
    }
}
