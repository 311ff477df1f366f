use std::fmt;

use zeroize::Zeroizing;

use crate::keyring::cipher::{OVERHEAD_BYTES, SecretKey};
use crate::keyring::{AssociatedData, CipherError, MasterKey};

/// The purpose of a sealed data key. The id of the master key and the tenant follow.
const DATA_KEY: &str = "pointbook-data-key-1\n";

/// The length of a sealed data key.
pub const SEALED_DATA_KEY_BYTES: usize = 32 + OVERHEAD_BYTES;

/// The key of one tenant that seals its values.
#[derive(Clone, PartialEq, Eq)]
pub struct DataKey(SecretKey);

impl DataKey {
    /// A data key of 32 random bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(SecretKey::new(bytes.into()))
    }

    /// Seals a value for its place. The result has 28 bytes more than the value. `random` must be fresh random bytes; a data
    /// key may seal 2^32 values.
    ///
    /// # Errors
    /// [`CipherError::CannotSeal`] for a value above 64 GB.
    pub fn seal(
        &self,
        value: &[u8],
        place: &AssociatedData,
        random: &[u8; 32],
    ) -> Result<Vec<u8>, CipherError> {
        self.0.seal(value, place, random)
    }

    /// Opens a value that [`Self::seal`] made.
    ///
    /// # Errors
    /// [`CipherError::DoesNotOpen`] for another key, another place or changed bytes.
    pub fn open(&self, sealed: &[u8], place: &AssociatedData) -> Result<Zeroizing<Vec<u8>>, CipherError> {
        self.0.open(sealed, place)
    }
}

impl fmt::Debug for DataKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DataKey(..)")
    }
}

impl MasterKey {
    /// Seals the data key of the tenant with this id, in [`SEALED_DATA_KEY_BYTES`]. `random` must be fresh random bytes.
    ///
    /// # Errors
    /// Never for a data key: it is short enough.
    pub fn seal_data_key(
        &self,
        key: &DataKey,
        tenant: &str,
        random: &[u8; 32],
    ) -> Result<Vec<u8>, CipherError> {
        self.key.seal(key.0.bytes(), &self.place(tenant), random)
    }

    /// Opens the data key of the tenant with this id.
    ///
    /// # Errors
    /// [`CipherError::DoesNotOpen`] when it was sealed with another master key or for another tenant, or was changed.
    pub fn open_data_key(&self, sealed: &[u8], tenant: &str) -> Result<DataKey, CipherError> {
        let opened = self.key.open(sealed, &self.place(tenant))?;
        let mut bytes = Zeroizing::new([0; 32]);
        if opened.len() != bytes.len() {
            return Err(CipherError::DoesNotOpen);
        }
        bytes.copy_from_slice(&opened);
        Ok(DataKey(SecretKey::new(bytes)))
    }

    fn place(&self, tenant: &str) -> AssociatedData {
        AssociatedData::new(DATA_KEY).with(self.id().as_str()).with(tenant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keyring::MasterKeyId;

    fn master(id: &str, byte: u8) -> MasterKey {
        MasterKey::new(MasterKeyId::new(id).unwrap(), [byte; 32])
    }

    #[test]
    fn data_key_opens_only_for_its_tenant_with_its_master_key() {
        let key = DataKey::new([9; 32]);
        let sealed = master("a", 1).seal_data_key(&key, "acme", &[3; 32]).unwrap();
        assert_eq!(sealed.len(), SEALED_DATA_KEY_BYTES);
        assert_eq!(master("a", 1).open_data_key(&sealed, "acme"), Ok(key));
        let others = [(master("a", 1), "other"), (master("a", 2), "acme"), (master("b", 1), "acme")];
        for (other, tenant) in others {
            assert_eq!(
                other.open_data_key(&sealed, tenant),
                Err(CipherError::DoesNotOpen),
                "{other:?} {tenant}"
            );
        }
    }

    #[test]
    fn changed_byte_of_a_sealed_data_key_is_detected() {
        let sealed = master("a", 1).seal_data_key(&DataKey::new([9; 32]), "acme", &[3; 32]).unwrap();
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 0x80;
            assert_eq!(
                master("a", 1).open_data_key(&changed, "acme"),
                Err(CipherError::DoesNotOpen),
                "{place}"
            );
        }
    }

    #[test]
    fn value_of_a_master_key_that_is_no_data_key_is_refused() {
        let master = master("a", 1);
        let sealed = master.key.seal(b"short", &master.place("acme"), &[3; 32]).unwrap();
        assert_eq!(master.open_data_key(&sealed, "acme"), Err(CipherError::DoesNotOpen));
    }

    #[test]
    fn keys_are_not_printed() {
        assert_eq!(format!("{:?}", DataKey::new([9; 32])), "DataKey(..)");
        assert_eq!(format!("{:?}", master("a", 9)), "MasterKey(a)");
    }
}
