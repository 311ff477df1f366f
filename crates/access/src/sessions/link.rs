//! The text of a one-time link: who signs in, until when, and a code that only the service can compute.

use data_encoding::BASE64URL_NOPAD;
use pointbook_domain::{OperatorId, Timestamp, UserId};
use pointbook_store::tenant_secret::TenantSecret;
use subtle::ConstantTimeEq;

/// How long a link can be used, in seconds.
pub const LINK_SECONDS: u32 = 600;

/// How far the clocks of two machines may differ, in seconds: one makes a link, and another one reads it.
const SKEW_SECONDS: u32 = 60;

/// Who signs in with a link.
pub trait Subject: Sized {
    /// Separates this use of the tenant's secret from all others.
    const PURPOSE: &'static [u8];

    fn as_str(&self) -> &str;

    /// `None` when the text is no id.
    fn parse(text: &str) -> Option<Self>;
}

impl Subject for UserId {
    const PURPOSE: &'static [u8] = b"pointbook-sign-in-link-1\n";

    fn as_str(&self) -> &str {
        self.as_str()
    }

    fn parse(text: &str) -> Option<Self> {
        Self::new(text).ok()
    }
}

impl Subject for OperatorId {
    const PURPOSE: &'static [u8] = b"pointbook-operator-link-1\n";

    fn as_str(&self) -> &str {
        self.as_str()
    }

    fn parse(text: &str) -> Option<Self> {
        Self::new(text).ok()
    }
}

const NONCE_BYTES: usize = 32;
const TIME_BYTES: usize = 8;
const CODE_BYTES: usize = 32;

/// A link with which one user or operator signs in once. No store has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInLink<S> {
    pub subject: S,
    /// From this time on, it is refused.
    pub expires_at: Timestamp,
    /// Random. The service remembers it when the link was used.
    pub(crate) nonce: [u8; NONCE_BYTES],
}

/// Why a text is no link that can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkRefusal {
    /// The service did not make it for this tenant.
    Unknown,
    Expired,
}

impl<S: Subject> SignInLink<S> {
    /// A link for [`LINK_SECONDS`]. The nonce is random.
    pub fn new(subject: S, now: Timestamp, nonce: [u8; NONCE_BYTES]) -> Self {
        Self { subject, expires_at: now.plus_seconds(LINK_SECONDS), nonce }
    }

    /// The last segment of its URL.
    pub fn to_text(&self, secret: &TenantSecret) -> String {
        let mut bytes = self.signed_bytes();
        bytes.extend(code::<S>(secret, &bytes));
        BASE64URL_NOPAD.encode(&bytes)
    }

    /// Reads a text of [`Self::to_text`].
    ///
    /// # Errors
    /// [`LinkRefusal`] when it is not one, too old, or from the future.
    pub fn read(text: &str, secret: &TenantSecret, now: Timestamp) -> Result<Self, LinkRefusal> {
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).map_err(|_| LinkRefusal::Unknown)?;
        let link = Self::verified(&bytes, secret).ok_or(LinkRefusal::Unknown)?;
        // The clock of a tenant may return to the real time, so a link can be from the future.
        let latest = now.plus_seconds(LINK_SECONDS + SKEW_SECONDS);
        let is_usable = now < link.expires_at && link.expires_at <= latest;
        if is_usable { Ok(link) } else { Err(LinkRefusal::Expired) }
    }

    fn verified(bytes: &[u8], secret: &TenantSecret) -> Option<Self> {
        let (signed, sent) = bytes.split_at_checked(bytes.len().checked_sub(CODE_BYTES)?)?;
        let is_genuine: bool = code::<S>(secret, signed).as_slice().ct_eq(sent).into();
        if !is_genuine {
            return None;
        }
        let (nonce, rest) = signed.split_first_chunk::<NONCE_BYTES>()?;
        let (time, subject) = rest.split_first_chunk::<TIME_BYTES>()?;
        let expires_at = Timestamp::from_micros(i64::from_be_bytes(*time))?;
        let subject = S::parse(str::from_utf8(subject).ok()?)?;
        Some(Self { subject, expires_at, nonce: *nonce })
    }

    fn signed_bytes(&self) -> Vec<u8> {
        let time = self.expires_at.as_micros().to_be_bytes();
        [&self.nonce[..], &time[..], self.subject.as_str().as_bytes()].concat()
    }
}

fn code<S: Subject>(secret: &TenantSecret, signed: &[u8]) -> [u8; CODE_BYTES] {
    secret.derive(&[S::PURPOSE, signed].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        Timestamp::from_micros(1_000_000_000).unwrap()
    }

    fn link() -> SignInLink<UserId> {
        SignInLink::new(UserId::new("ü 1").unwrap(), now(), [7; 32])
    }

    fn secret(byte: u8) -> TenantSecret {
        TenantSecret::new([byte; 32])
    }

    #[test]
    fn a_link_is_read_as_it_was_written_until_it_expires() {
        let text = link().to_text(&secret(1));
        assert_eq!(SignInLink::<UserId>::read(&text, &secret(1), now()), Ok(link()));
        let last = Timestamp::from_micros(link().expires_at.as_micros() - 1).unwrap();
        assert!(SignInLink::<UserId>::read(&text, &secret(1), last).is_ok());
        assert_eq!(
            SignInLink::<UserId>::read(&text, &secret(1), link().expires_at),
            Err(LinkRefusal::Expired)
        );
    }

    /// It was made while the clock of the tenant was ahead.
    #[test]
    fn a_link_from_the_future_is_refused() {
        let text = link().to_text(&secret(1));
        let read = |seconds: i64| {
            let now = Timestamp::from_micros(now().as_micros() - seconds * 1_000_000).unwrap();
            SignInLink::<UserId>::read(&text, &secret(1), now)
        };
        assert!(read(60).is_ok(), "of a machine whose clock is ahead");
        assert_eq!(read(61), Err(LinkRefusal::Expired));
    }

    #[test]
    fn no_other_text_is_a_link() {
        let text = link().to_text(&secret(1));
        let read = |text: &str| SignInLink::<UserId>::read(text, &secret(1), now());
        for place in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            assert_eq!(read(&String::from_utf8(changed).unwrap()), Err(LinkRefusal::Unknown), "{place}");
            assert_eq!(read(&text[..place]), Err(LinkRefusal::Unknown), "{place}");
        }
        assert_eq!(read(&format!("{text}AAAA")), Err(LinkRefusal::Unknown));
        assert_eq!(
            SignInLink::<UserId>::read(&text, &secret(2), now()),
            Err(LinkRefusal::Unknown),
            "another tenant"
        );
        let of_operator = SignInLink::<OperatorId>::read(&text, &secret(1), now());
        assert_eq!(of_operator, Err(LinkRefusal::Unknown), "the link of a member signs no operator in");
    }
}
