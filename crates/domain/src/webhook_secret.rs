//! The secret that signs the requests of a webhook.

use std::fmt;

use data_encoding::BASE64;
use zeroize::Zeroizing;

use crate::id::FormError;

const KEY_BYTES: usize = 32;

const PREFIX: &str = "whsec_";

/// The secret that signs requests: `whsec_` and the base64 of 32 bytes, as Standard Webhooks says. Memory is erased when it is
/// dropped, and `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret {
    text: Zeroizing<String>,
    key: Zeroizing<[u8; KEY_BYTES]>,
}

impl WebhookSecret {
    /// The caller takes the bytes from a source of secure randomness.
    pub fn from_bytes(key: [u8; KEY_BYTES]) -> Self {
        let key = Zeroizing::new(key);
        let encoded = Zeroizing::new(BASE64.encode(&*key));
        Self { text: Zeroizing::new([PREFIX, &encoded].concat()), key }
    }

    /// Reads what [`Self::reveal`] writes.
    ///
    /// # Errors
    /// [`FormError`] for another form. The message does not repeat the string.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        let decoded = text.strip_prefix(PREFIX).and_then(|encoded| BASE64.decode(encoded.as_bytes()).ok());
        let decoded = Zeroizing::new(decoded.ok_or(NO_SECRET)?);
        decoded.as_slice().try_into().map(Self::from_bytes).map_err(|_| NO_SECRET)
    }

    /// The form that receivers configure, with padding.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// The key of the HMAC.
    pub fn key(&self) -> &[u8; KEY_BYTES] {
        &self.key
    }
}

const NO_SECRET: FormError = FormError("a webhook secret is whsec_ and the base64 of 32 bytes");

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_reads_what_reveal_writes() {
        let secret = WebhookSecret::from_bytes([7; KEY_BYTES]);
        assert_eq!(secret.reveal(), "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
        assert_eq!(WebhookSecret::parse(secret.reveal()), Ok(secret));
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
            assert_eq!(WebhookSecret::parse(&form), Err(NO_SECRET), "{form:?}");
        }
    }

    #[test]
    fn a_secret_is_not_printed() {
        assert_eq!(format!("{:?}", WebhookSecret::from_bytes([7; KEY_BYTES])), "WebhookSecret(..)");
    }
}
