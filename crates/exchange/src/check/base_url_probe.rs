//! One request without a token, which shows which program is behind a base URL.

use std::time::Duration;

use jiff::fmt::rfc2822;

use crate::check::client::agent;
use crate::check::server_url::ServerUrl;

/// The response to a probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrlProbe {
    pub status: u16,
    /// The header `Error-Code`.
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
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let date = header("date").and_then(|date| rfc2822::parse(date).ok());
    let date_seconds = date.map(|date| date.timestamp().as_second());
    let code = header("error-code").map(str::to_owned);
    Ok(BaseUrlProbe { status: response.status().as_u16(), code, date_seconds })
}
