//! The headers of Standard Webhooks: <https://www.standardwebhooks.com>.

use data_encoding::BASE64;
use http::header::HeaderValue;
use pointbook_domain::WebhookSecret;
use ring::hmac;

use crate::webhooks::sender::send::SenderError;

const MESSAGE_ID_BYTES_MAX: usize = 128;

/// The secrets that sign a request: two for some time after a rotation, so that a receiver may change at any moment.
#[derive(Debug, Clone, Copy)]
pub struct SigningSecrets<'a> {
    pub current: &'a WebhookSecret,
    /// The secret before the last rotation, while it still signs.
    pub previous: Option<&'a WebhookSecret>,
}

/// The values of the three headers that a receiver verifies.
#[derive(Debug, Clone)]
pub struct SignedHeaders {
    /// `webhook-id`: the same at each attempt, so that a receiver recognizes a repetition.
    pub id: HeaderValue,
    /// `webhook-timestamp`: when this attempt was signed, in Unix seconds.
    pub timestamp: HeaderValue,
    /// `webhook-signature`: one `v1,` and base64 per secret, the current secret first, with a space between.
    pub signature: HeaderValue,
}

impl SignedHeaders {
    /// Signs `id.timestamp.body`. An id has 1 to 128 visible ASCII characters and no full stop, which would make the signed bytes
    /// ambiguous; others are a [`SenderError::MessageId`].
    pub fn sign(
        id: &str,
        timestamp_seconds: i64,
        body: &[u8],
        secrets: SigningSecrets<'_>,
    ) -> Result<Self, SenderError> {
        let allowed = |byte: u8| byte.is_ascii_graphic() && byte != b'.';
        if id.is_empty() || id.len() > MESSAGE_ID_BYTES_MAX || !id.bytes().all(allowed) {
            return Err(SenderError::MessageId);
        }
        let head = format!("{id}.{timestamp_seconds}.");
        let of = |secret: &WebhookSecret| signature(secret.key(), &head, body);
        let signatures = match secrets.previous {
            Some(previous) => format!("{} {}", of(secrets.current), of(previous)),
            None => of(secrets.current),
        };
        Ok(Self {
            id: header(id)?,
            timestamp: HeaderValue::from(timestamp_seconds),
            signature: header(&signatures)?,
        })
    }
}

fn signature(key: &[u8], head: &str, body: &[u8]) -> String {
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, key));
    context.update(head.as_bytes());
    context.update(body);
    format!("v1,{}", BASE64.encode(context.sign().as_ref()))
}

fn header(value: &str) -> Result<HeaderValue, SenderError> {
    HeaderValue::from_str(value).map_err(|_| SenderError::MessageId)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CURRENT: [u8; 32] = [1; 32];
    const PREVIOUS: [u8; 32] = [2; 32];

    fn signed(id: &str, previous: Option<&WebhookSecret>) -> Result<SignedHeaders, SenderError> {
        let current = WebhookSecret::from_bytes(CURRENT);
        SignedHeaders::sign(id, 1_700_000_000, b"{}", SigningSecrets { current: &current, previous })
    }

    /// The example of the specification. Its key has 24 bytes, so it is no [`WebhookSecret`].
    #[test]
    fn signature_is_that_of_the_specification() {
        let key = BASE64.decode(b"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let head = "msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.";
        let found = signature(&key, head, br#"{"test": 2432232314}"#);
        assert_eq!(found, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn both_secrets_sign_after_a_rotation() {
        let previous = WebhookSecret::from_bytes(PREVIOUS);
        let both = signed("evt_1_2", Some(&previous)).unwrap();
        let expected = [CURRENT, PREVIOUS].map(|key| signature(&key, "evt_1_2.1700000000.", b"{}")).join(" ");
        assert_eq!(both.signature, expected);
        assert_eq!(both.id, "evt_1_2");
        assert_eq!(both.timestamp, "1700000000");
        let alone = signed("evt_1_2", None).unwrap();
        assert_eq!(Some(alone.signature.to_str().unwrap()), expected.split(' ').next());
    }

    #[test]
    fn id_that_is_ambiguous_or_no_header_is_refused() {
        for id in ["", "evt.1", "evt 1", "evt\r\nx: y", "evt_ä", &"a".repeat(129)] {
            assert!(matches!(signed(id, None), Err(SenderError::MessageId)), "{id:?}");
        }
        assert!(signed(&"a".repeat(128), None).is_ok());
    }
}
