use std::fmt;

use data_encoding::BASE64;
use zeroize::Zeroizing;

/// How many bytes a secret has.
pub const SECRET_BYTES: usize = 32;

const PREFIX: &str = "whsec_";

/// The key that signs requests to one endpoint. Memory is erased when it is dropped, and `Debug` hides it.
#[derive(Clone)]
pub struct Secret(Zeroizing<[u8; SECRET_BYTES]>);

/// The string is not a [`Secret`]. The message does not repeat the string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a webhook secret must be `whsec_` and the base64 of 32 bytes")]
pub struct SecretFormError;

impl Secret {
    /// The caller takes the bytes from a source of secure randomness.
    #[must_use]
    pub fn from_bytes(bytes: [u8; SECRET_BYTES]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Reads what [`Secret::reveal`] writes.
    pub fn parse(text: &str) -> Result<Self, SecretFormError> {
        let encoded = text.strip_prefix(PREFIX).ok_or(SecretFormError)?;
        let decoded = Zeroizing::new(BASE64.decode(encoded.as_bytes()).map_err(|_| SecretFormError)?);
        let bytes: [u8; SECRET_BYTES] = decoded.as_slice().try_into().map_err(|_| SecretFormError)?;
        Ok(Self::from_bytes(bytes))
    }

    /// The form that receivers configure: `whsec_` and the padded base64 of the bytes.
    #[must_use]
    pub fn reveal(&self) -> Zeroizing<String> {
        let encoded = Zeroizing::new(BASE64.encode(self.bytes()));
        Zeroizing::new([PREFIX, &encoded].concat())
    }

    /// The key of the HMAC.
    #[must_use]
    pub fn bytes(&self) -> &[u8; SECRET_BYTES] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_reads_what_reveal_writes() {
        let secret = Secret::from_bytes([7; SECRET_BYTES]);
        let text = secret.reveal();
        assert_eq!(*text, "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
        assert_eq!(Secret::parse(&text).unwrap().bytes(), secret.bytes());
    }

    #[test]
    fn other_forms_are_refused() {
        let base64 = |bytes: usize| format!("whsec_{}", BASE64.encode(&vec![1; bytes]));
        let forms = [
            String::new(),
            "whsec_".to_owned(),
            base64(31),
            base64(33),
            base64(32).replace("whsec_", "WHSEC_"),
            base64(32).replace("whsec_", ""),
            base64(32).replace('=', ""),
            format!("{}\n", base64(32)),
        ];
        for form in forms {
            assert_eq!(Secret::parse(&form).err(), Some(SecretFormError), "{form:?}");
        }
    }

    #[test]
    fn debug_hides_the_bytes() {
        assert_eq!(format!("{:?}", Secret::from_bytes([7; SECRET_BYTES])), "Secret(hidden)");
    }
}
