//! The text of a token or key that a request adds, the first time and when the request is repeated.
//!
//! The database keeps no text. With an `Idempotency-Key`, the text follows from the tenant's secret, the caller's own token,
//! the request and the time of the first one. The kept response holds that time in place of the text.

use std::sync::Arc;

use http::header::CACHE_CONTROL;
use http::{HeaderValue, StatusCode};
use pointbook_domain::Timestamp;
use pointbook_http::answer::respond;
use pointbook_http::kernel::Response;
use pointbook_http::{Answer, ApiError, ApiRequest};
use pointbook_store::StoreError;
use pointbook_store::ports::RequestKey;
use pointbook_store::tenant_secret::TenantSecret;
use serde::{Deserialize, Serialize};

use crate::tokens::issue::{derived_secret, derived_secret_of_caller, token_text};

/// The longest life of a token or key, in seconds: ten years of 365 days.
pub const MAX_EXPIRES_IN_SECONDS: u32 = 10 * 365 * 86_400;

/// The response holds a secret: no cache on its way may keep it.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// The time of issue, which a kept response has in place of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Issued {
    /// In microseconds.
    Now { issued_at: i64 },
    /// Before tenants had secrets: [`derived_secret_of_caller`]. Such a request is replayed for 7 days after its last use.
    WithoutSecret(i64),
}

impl Issued {
    fn at(now: Timestamp) -> Self {
        Self::Now { issued_at: now.as_micros() }
    }
}

/// The source of the text.
pub enum SecretText<'r> {
    /// A request without a key.
    Random([u8; 32]),
    /// A request that may be repeated.
    Derived { secret: Arc<TenantSecret>, caller: &'r [u8], key: RequestKey },
}

impl<'r> SecretText<'r> {
    /// Random without a key, and derived with one.
    ///
    /// # Errors
    /// Those of the store that keeps the secret of the tenant.
    pub async fn of(request: &ApiRequest<'r>, key: Option<RequestKey>) -> Result<Self, ApiError> {
        let Some(key) = key else { return Ok(Self::Random(request.state.secrets.secret())) };
        let secret = request.tenant.secrets.get(request.now).await?;
        Ok(Self::Derived { secret, caller: request.sender.token(), key })
    }

    /// The text for a first request.
    pub fn new_text(&self, now: Timestamp) -> String {
        self.text(Issued::at(now), now)
    }

    fn text(&self, issued: Issued, at: Timestamp) -> String {
        token_text(&match (self, issued) {
            (Self::Random(secret), _) => *secret,
            (Self::Derived { secret, caller, key }, Issued::Now { .. }) => {
                derived_secret(secret, caller, key, at)
            }
            (Self::Derived { caller, key, .. }, Issued::WithoutSecret(_)) => {
                derived_secret_of_caller(caller, key, at)
            }
        })
    }

    /// The response for the client. `render` makes it from the text and the time of issue.
    ///
    /// # Errors
    /// 500 when the kept response has no time of issue.
    pub fn respond(
        &self,
        kept: Answer,
        is_repeated: bool,
        render: impl FnOnce(&str, Timestamp) -> Answer,
    ) -> Result<Response, ApiError> {
        let shown = show(kept, |issued, at| self.text(issued, at), render)?;
        let mut response = respond(shown, is_repeated);
        response.headers.insert(CACHE_CONTROL, NO_STORE);
        Ok(response)
    }
}

/// The kept response: the time of issue in place of the text.
pub fn kept_issue(issued_at: Timestamp) -> Answer {
    Answer::json(StatusCode::CREATED, &Issued::at(issued_at))
}

fn show(
    kept: Answer,
    text_at: impl Fn(Issued, Timestamp) -> String,
    render: impl FnOnce(&str, Timestamp) -> Answer,
) -> Result<Answer, StoreError> {
    if kept.status() != StatusCode::CREATED {
        return Ok(kept);
    }
    let issued = serde_json::from_slice::<Issued>(kept.body()).ok();
    let issued_at = issued.and_then(|(Issued::Now { issued_at: micros } | Issued::WithoutSecret(micros))| {
        Timestamp::from_micros(micros)
    });
    let Some((issued, issued_at)) = issued.zip(issued_at) else {
        return Err(StoreError::Corrupt("a kept token has no time of issue".to_owned()));
    };
    Ok(render(&text_at(issued, issued_at), issued_at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(text: &str, at: Timestamp) -> Answer {
        Answer::json(StatusCode::CREATED, &[text, &at.to_string()])
    }

    #[test]
    fn a_kept_response_is_shown_as_it_was_without_holding_the_text() {
        let kept = kept_issue(Timestamp::from_micros(5_000_000).unwrap());
        assert_eq!(kept.body(), r#"{"issued_at":5000000}"#);
        let again = Answer::decode(&kept.encode()).unwrap();
        let shown = show(again, |_, at| format!("secret of {at}"), render).unwrap();
        let expected = r#"["secret of 1970-01-01T00:00:05.000000Z","1970-01-01T00:00:05.000000Z"]"#;
        assert_eq!(shown.body(), expected);
    }

    #[test]
    fn a_response_that_keeps_no_time_is_corrupt() {
        for bad in ["null", "\"5\"", "9223372036854775807", r#"{"issued_at":null}"#] {
            let json: serde_json::Value = serde_json::from_str(bad).unwrap();
            let kept = Answer::json(StatusCode::CREATED, &json);
            assert!(matches!(show(kept, |_, _| String::new(), render), Err(StoreError::Corrupt(_))));
        }
    }
}
