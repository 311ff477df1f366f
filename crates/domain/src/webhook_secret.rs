//! The secret that signs the requests of a webhook.

use std::fmt;

use crate::id::FormError;

const KEY_BYTES: usize = 32;

const PREFIX: &str = "whsec_";

/// The secret that signs requests: `whsec_` and the base64 of 32 bytes, as Standard Webhooks says. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret {
    text: String,
    key: [u8; KEY_BYTES],
}

impl WebhookSecret {
    /// The caller takes the bytes from a source of secure randomness.
    pub fn from_bytes(key: [u8; KEY_BYTES]) -> Self {
        Self { text: [PREFIX, &encode(&key)].concat(), key }
    }

    /// Reads what [`Self::reveal`] writes.
    ///
    /// # Errors
    /// [`FormError`] for another form. The message does not repeat the string.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        text.strip_prefix(PREFIX).and_then(decode).map(Self::from_bytes).ok_or(NO_SECRET)
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

/// The digits of base64. This crate has no dependency that knows base64.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Regroups numbers of `from` bits into numbers of `to` bits. Gives the bits that are left over, with zeros after them.
fn regroup(numbers: impl Iterator<Item = u8>, from: u32, to: u32) -> (Vec<u8>, Option<u8>) {
    let (mut held, mut bits, mut groups) = (0_u32, 0, Vec::new());
    let low = |number: u32| number.to_le_bytes()[0];
    for number in numbers {
        held = (held << from) | u32::from(number);
        bits += from;
        while bits >= to {
            bits -= to;
            groups.push(low(held >> bits));
            held &= (1 << bits) - 1;
        }
    }
    (groups, (bits > 0).then(|| low(held << (to - bits))))
}

fn encode(key: &[u8; KEY_BYTES]) -> String {
    let (whole, rest) = regroup(key.iter().copied(), 8, 6);
    let digit = |number: u8| DIGITS.get(usize::from(number)).map_or('=', |digit| char::from(*digit));
    // The digits of 32 bytes lack one to be a multiple of four.
    whole.into_iter().chain(rest).map(digit).chain(['=']).collect()
}

fn decode(encoded: &str) -> Option<[u8; KEY_BYTES]> {
    let number =
        |digit: u8| DIGITS.iter().position(|known| *known == digit).and_then(|at| u8::try_from(at).ok());
    let numbers: Option<Vec<u8>> = encoded.strip_suffix('=')?.bytes().map(number).collect();
    let (bytes, rest) = regroup(numbers?.into_iter(), 6, 8);
    bytes.try_into().ok().filter(|_| rest == Some(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_reads_what_reveal_writes() {
        let secret = WebhookSecret::from_bytes([7; KEY_BYTES]);
        assert_eq!(secret.reveal(), "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
        let counting: [u8; KEY_BYTES] = std::array::from_fn(|index| 251 - 8 * u8::try_from(index).unwrap());
        let counting = WebhookSecret::from_bytes(counting);
        // As `base64` of coreutils writes it.
        assert_eq!(counting.reveal(), "whsec_+/Pr49vTy8O7s6ujm5OLg3tza2NbU0tDOzMrIxsTCwM=");
        for secret in [secret, counting] {
            assert_eq!(WebhookSecret::parse(secret.reveal()), Ok(secret));
        }
    }

    #[test]
    fn other_forms_are_refused() {
        let good = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
        assert!(WebhookSecret::parse(good).is_ok());
        for form in [
            String::new(),
            "whsec_".to_owned(),
            "whsec_=".to_owned(),
            good.replace("whsec_", "WHSEC_"),
            good.replace("whsec_", ""),
            good.replace('=', ""),
            good.replace("c=", "d="),
            good.replace("Bwc=", "B-c="),
            good.replace("Bwc=", "Bw=="),
            good.replace("BwcHBwc=", "Bwc="),
            good.replace("Bwc=", "BwcHBwc="),
            good.replace("Bwc=", "BwcH"),
            format!("{good}\n"),
            format!("{good}="),
        ] {
            assert_eq!(WebhookSecret::parse(&form), Err(NO_SECRET), "{form:?}");
        }
    }

    #[test]
    fn a_secret_is_not_printed() {
        assert_eq!(format!("{:?}", WebhookSecret::from_bytes([7; KEY_BYTES])), "WebhookSecret(..)");
    }
}
