//! One request without a token, which shows what is behind a base URL.

use std::time::Duration;

use jiff::fmt::rfc2822;
use serde_json::Value;

use crate::address::BaseAddress;
use crate::client::agent;

/// The longest body that is read, in bytes.
const MAX_BODY_BYTES: u64 = 64 << 10;

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knock {
    pub status: u16,
    /// The error code of the body.
    pub code: Option<String>,
    /// The clock of the server by its `Date` header, in seconds since 1970-01-01T00:00:00Z.
    pub date_seconds: Option<i64>,
}

/// Sends `GET {base}/v1/user` without a token. A server of this version refuses it with 401 and the code
/// `unauthenticated`. Blocks the thread until there is a response, at most for `timeout`.
///
/// # Errors
/// Says why there is no response.
pub fn knock(base: &BaseAddress, timeout: Duration) -> Result<Knock, String> {
    let response = agent(base, timeout).get(base.join("/v1/user", &[])).call();
    let response = response.map_err(|error| error.to_string())?;
    let date = response.headers().get("date").and_then(|date| date.to_str().ok());
    let date_seconds =
        date.and_then(|date| rfc2822::parse(date).ok()).map(|date| date.timestamp().as_second());
    let (parts, mut body) = response.into_parts();
    let text = body.with_config().limit(MAX_BODY_BYTES).read_to_vec().map_err(|error| error.to_string())?;
    let body: Option<Value> = serde_json::from_slice(&text).ok();
    let code = body.and_then(|body| Some(body.get("code")?.as_str()?.to_owned()));
    Ok(Knock { status: parts.status.as_u16(), code, date_seconds })
}
