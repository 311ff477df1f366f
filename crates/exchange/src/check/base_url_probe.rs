//! One request without a token, which shows which program is behind a base URL.

use std::time::Duration;

use jiff::fmt::rfc2822;
use serde_json::Value;

use crate::check::client::agent;
use crate::check::server_url::ServerUrl;

/// The maximum size of the body, in bytes.
const MAX_BODY_BYTES: u64 = 64 << 10;

/// The response to a probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrlProbe {
    pub status: u16,
    /// The member `code` of the body.
    pub code: Option<String>,
    /// The time of the `Date` header, in seconds since 1970-01-01T00:00:00Z.
    pub date_seconds: Option<i64>,
}

/// Sends `GET {base}/v1/user` without a token. A pointbook server of this version returns 401 with the code
/// `unauthenticated`. Blocks the thread until the response arrives, at most for `timeout`.
///
/// # Errors
/// A message that says why there is no response.
pub fn probe_base_url(base: &ServerUrl, timeout: Duration) -> Result<BaseUrlProbe, String> {
    let response = agent(base, timeout).get(base.join("/v1/user", &[])).call();
    let response = response.map_err(|error| error.to_string())?;
    let date = response.headers().get("date").and_then(|date| date.to_str().ok());
    let date_seconds =
        date.and_then(|date| rfc2822::parse(date).ok()).map(|date| date.timestamp().as_second());
    let (parts, mut body) = response.into_parts();
    let text = body.with_config().limit(MAX_BODY_BYTES).read_to_vec().map_err(|error| error.to_string())?;
    let body: Option<Value> = serde_json::from_slice(&text).ok();
    let code = body.and_then(|body| Some(body.get("code")?.as_str()?.to_owned()));
    Ok(BaseUrlProbe { status: parts.status.as_u16(), code, date_seconds })
}
