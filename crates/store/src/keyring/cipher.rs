//! AES-256-GCM. A sealed value is a nonce of 12 bytes, the encrypted value, and a tag of 16 bytes.

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use zeroize::Zeroizing;

use crate::keyring::AssociatedData;

/// How many bytes a sealed value has more than the value.
pub(crate) const OVERHEAD_BYTES: usize = NONCE_LEN + 16;

/// Why a value cannot be sealed or opened. It does not say more, because details would help an attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CipherError {
    /// The value is longer than 64 GB.
    #[error("the value cannot be sealed")]
    CannotSeal,
    /// The value was sealed with another key or for another place, or its bytes were changed.
    #[error("the value does not open with this key in this place")]
    DoesNotOpen,
}

/// 32 secret bytes.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SecretKey(Zeroizing<[u8; 32]>);

impl SecretKey {
    pub(crate) fn new(bytes: Zeroizing<[u8; 32]>) -> Self {
        Self(bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The nonce is the first 12 bytes of `random`, which must be fresh random bytes. With random nonces, a key may seal 2^32
    /// values.
    pub(crate) fn seal(
        &self,
        value: &[u8],
        place: &AssociatedData,
        random: &[u8; 32],
    ) -> Result<Vec<u8>, CipherError> {
        let (nonce, _) = random.split_first_chunk::<NONCE_LEN>().ok_or(CipherError::CannotSeal)?;
        let mut encrypted = Zeroizing::new(value.to_vec());
        // The copy needs no more memory for the tag, so no part of the value stays behind.
        let tag = self
            .cipher()
            .and_then(|cipher| {
                let nonce = Nonce::assume_unique_for_key(*nonce);
                cipher.seal_in_place_separate_tag(nonce, Aad::from(place.as_bytes()), &mut encrypted)
            })
            .map_err(|_| CipherError::CannotSeal)?;
        Ok([nonce, encrypted.as_slice(), tag.as_ref()].concat())
    }

    pub(crate) fn open(
        &self,
        sealed: &[u8],
        place: &AssociatedData,
    ) -> Result<Zeroizing<Vec<u8>>, CipherError> {
        let (nonce, encrypted) = sealed.split_first_chunk::<NONCE_LEN>().ok_or(CipherError::DoesNotOpen)?;
        let mut value = Zeroizing::new(encrypted.to_vec());
        let length = self
            .cipher()
            .and_then(|cipher| {
                let nonce = Nonce::assume_unique_for_key(*nonce);
                cipher.open_in_place(nonce, Aad::from(place.as_bytes()), &mut value).map(|value| value.len())
            })
            .map_err(|_| CipherError::DoesNotOpen)?;
        value.truncate(length);
        Ok(value)
    }

    /// The expanded key, made for each use: ring does not erase it.
    fn cipher(&self) -> Result<LessSafeKey, ring::error::Unspecified> {
        UnboundKey::new(&AES_256_GCM, &*self.0).map(LessSafeKey::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> SecretKey {
        SecretKey::new([byte; 32].into())
    }

    #[test]
    fn value_opens_with_its_key_in_its_place() {
        let place = AssociatedData::new("test-1\n");
        for value in [&b""[..], b"a", &[7; 1000]] {
            let sealed = key(1).seal(value, &place, &[2; 32]).unwrap();
            assert_eq!(sealed.len(), value.len() + OVERHEAD_BYTES);
            assert_eq!(key(1).open(&sealed, &place).unwrap().as_slice(), value);
            assert_eq!(key(2).open(&sealed, &place), Err(CipherError::DoesNotOpen));
            let elsewhere = place.clone().with("b");
            assert_eq!(key(1).open(&sealed, &elsewhere), Err(CipherError::DoesNotOpen));
        }
    }

    /// The bytes that the library `cryptography` of Python makes of the same input: the format must never change.
    #[test]
    fn sealed_bytes_are_those_of_aes_256_gcm() {
        let sealed = key(1).seal(b"value", &AssociatedData::new("test-1\n"), &[2; 32]).unwrap();
        assert_eq!(
            data_encoding::HEXLOWER.encode(&sealed),
            "02020202020202020202020271b7a53c2f6c09df33d3d52a900acf98ba36820e6f"
        );
    }

    #[test]
    fn flipped_bit_of_nonce_value_or_tag_is_detected() {
        let place = AssociatedData::new("test-1\n");
        let sealed = key(1).seal(b"value", &place, &[2; 32]).unwrap();
        for bit in 0..sealed.len() * 8 {
            let mut changed = sealed.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(key(1).open(&changed, &place), Err(CipherError::DoesNotOpen), "bit {bit}");
        }
        for length in 0..sealed.len() {
            assert_eq!(key(1).open(&sealed[..length], &place), Err(CipherError::DoesNotOpen), "{length}");
        }
    }
}
