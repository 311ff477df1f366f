//! An HTTP client that changes nothing and has a bounded rate and a bounded number of requests.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use ureq::http::{Request, Response as HttpResponse};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body};

use crate::check::cursor::shortened;
use crate::check::exchange::{Call, Credentials, Response};
use crate::check::json::Json;
use crate::check::secrets::Secrets;
use crate::check::server_url::{HTTPS, ServerUrl};

/// The maximum time from connecting to the last byte of a response.
const TIMEOUT: Duration = Duration::from_secs(30);

const MAX_BODY_BYTES: u64 = 32 << 20;

/// How often the client retries a request after 429, 503 or a broken connection.
const MAX_REPETITIONS: u32 = 5;

/// The longest `Retry-After` that the client obeys. For a longer one it stops.
const MAX_PAUSE: Duration = Duration::from_mins(2);

/// The pause before a retry after a broken connection.
const ERROR_PAUSE: Duration = Duration::from_secs(1);

/// After this many requests in a row without a response, the client stops.
const MAX_SILENCES: u32 = 3;

const USER_AGENT: &str = concat!("pointbook-check/", env!("CARGO_PKG_VERSION"));

#[derive(Debug, Clone, Copy)]
pub struct Politeness {
    /// The maximum number of requests in total.
    pub max_requests: u32,
    /// The maximum number of requests per second; 0 counts as 1.
    pub per_second: u32,
}

/// An access token. It is never printed.
#[derive(Clone)]
pub struct Token(String);

/// Why a string cannot be sent as a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a token must have visible ASCII characters only, and at least one")]
pub struct TokenError;

impl Token {
    /// Trims the string and checks it.
    ///
    /// # Errors
    /// [`TokenError`] for a string that a header cannot contain.
    pub fn new(text: &str) -> Result<Self, TokenError> {
        let text = text.trim();
        let visible = !text.is_empty() && text.chars().all(|found| found.is_ascii_graphic());
        if visible { Ok(Self(text.to_owned())) } else { Err(TokenError) }
    }
}

/// Why there is no response. After [`Halt::NoResponse`], the client can go on with other requests.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Halt {
    #[error("no response: {0}")]
    NoResponse(String),
    #[error("the maximum number of requests is used up")]
    Budget,
    #[error("{0}")]
    Unreachable(String),
    #[error("the server keeps refusing requests: {0}")]
    Refused(String),
    #[error("the server no longer responds: {0}")]
    Silent(String),
}

/// A client of one server, with one or two tokens.
pub struct Client {
    agent: Agent,
    /// The base URL that the links of the server have.
    pub(crate) base: ServerUrl,
    reached_at: ServerUrl,
    token: Token,
    pub(crate) other: Option<Token>,
    pub(crate) politeness: Politeness,
    pub(crate) sent: u32,
    /// Whether any response has arrived. Before the first one, the client does not retry.
    has_responded: bool,
    /// How many of the last requests had no response.
    silences: u32,
    next_at: Instant,
}

impl Client {
    /// A client of the server with this base URL. Sends nothing yet.
    pub fn new(base: ServerUrl, token: Token, other: Option<Token>, politeness: Politeness) -> Self {
        Self {
            agent: agent(&base, TIMEOUT),
            reached_at: base.clone(),
            base,
            token,
            other,
            politeness,
            sent: 0,
            has_responded: false,
            silences: 0,
            next_at: Instant::now(),
        }
    }

    /// Connects to another address than the links of the server have, as behind a proxy.
    #[must_use]
    pub fn reached_at(self, address: ServerUrl) -> Self {
        Self { agent: agent(&address, TIMEOUT), reached_at: address, ..self }
    }

    /// Replaces the first token.
    pub fn set_token(&mut self, token: Token) {
        self.token = token;
    }

    pub(crate) fn secrets(&self) -> Secrets {
        Secrets::new(std::iter::once(&self.token).chain(&self.other).map(|token| token.0.as_str()))
    }

    /// Sends a request. Waits and retries after 429, 503 and broken connections.
    pub(crate) fn send(&mut self, call: &Call) -> Result<Response, Halt> {
        let mut repetitions = 0;
        loop {
            let is_last = repetitions == MAX_REPETITIONS;
            let pause = match self.send_once(call)? {
                Ok(response) => {
                    self.silences = 0;
                    let Some(pause) = requested_pause(&response) else { return Ok(response) };
                    // A 503 without Retry-After is a failure of the server, not a limit.
                    if is_last && response.status == 503 && response.header("retry-after").is_none() {
                        return Ok(response);
                    }
                    if is_last || pause > MAX_PAUSE {
                        return Err(refused(&response));
                    }
                    pause
                }
                Err(error) if is_last || !self.has_responded || is_final(&error) => {
                    return Err(self.silence(call, &error));
                }
                Err(_) => ERROR_PAUSE,
            };
            wait(pause);
            repetitions += 1;
        }
    }

    fn silence(&mut self, call: &Call, error: &ureq::Error) -> Halt {
        let why = self.secrets().cleaned(&error.to_string());
        if !self.has_responded {
            return Halt::Unreachable(why);
        }
        self.silences += 1;
        let is_end = self.silences >= MAX_SILENCES;
        if is_end { Halt::Silent(format!("{call}: {why}")) } else { Halt::NoResponse(why) }
    }

    fn send_once(&mut self, call: &Call) -> Result<Result<Response, ureq::Error>, Halt> {
        if self.sent >= self.politeness.max_requests {
            return Err(Halt::Budget);
        }
        self.sent += 1;
        wait(self.next_at.saturating_duration_since(Instant::now()));
        self.next_at = Instant::now() + Duration::from_secs(1) / self.politeness.per_second.max(1);
        let request = self.request(call).map_err(|error| Halt::Unreachable(error.to_string()))?;
        let exchange = self.agent.run(request).and_then(|http_response| read(call, http_response));
        self.has_responded |= exchange.is_ok();
        Ok(exchange)
    }

    fn request(&self, call: &Call) -> Result<Request<()>, ureq::http::Error> {
        let Call { method, path, query, credentials, if_none_match } = call;
        let mut request = Request::builder()
            .method(*method)
            .uri(self.reached_at.join(path, query))
            .header("Host", &self.base.authority)
            .header("Accept", "application/json")
            .header("User-Agent", USER_AGENT);
        if let Some(value) = self.authorization(*credentials) {
            request = request.header("Authorization", value);
        }
        if let Some(etag) = if_none_match {
            request = request.header("If-None-Match", etag.as_bytes());
        }
        request.body(())
    }

    fn authorization(&self, credentials: Credentials) -> Option<String> {
        match credentials {
            Credentials::Own => Some(format!("Bearer {}", self.token.0)),
            Credentials::Other => self.other.as_ref().map(|token| format!("Bearer {}", token.0)),
            Credentials::OwnWithScheme(scheme) => Some(format!("{scheme} {}", self.token.0)),
            Credentials::None => None,
            Credentials::Bad(header) => Some(header.to_owned()),
        }
    }
}

/// Trusts the root certificates of the system. Ignores proxies of the environment: a token must go to this server only.
pub(crate) fn agent(base: &ServerUrl, timeout: Duration) -> Agent {
    let mut config = Agent::config_builder()
        .proxy(None)
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_global(Some(timeout));
    if base.scheme == HTTPS {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let found = rustls_native_certs::load_native_certs().certs;
        let roots: Vec<_> = found.iter().map(|found| Certificate::from_der(found).to_owned()).collect();
        let tls = TlsConfig::builder()
            .unversioned_rustls_crypto_provider(provider)
            .root_certs(RootCerts::new_with_certs(&roots));
        config = config.tls_config(tls.build());
    }
    config.build().new_agent()
}

fn read(call: &Call, http_response: HttpResponse<Body>) -> Result<Response, ureq::Error> {
    let (parts, mut body) = http_response.into_parts();
    let text = |value: &ureq::http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = parts.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value)));
    let bytes = match call.method {
        "HEAD" => Vec::new(),
        _ => body.with_config().limit(MAX_BODY_BYTES).read_to_vec()?,
    };
    Ok(Response {
        request: call.to_string(),
        status: parts.status.as_u16(),
        headers: headers.collect(),
        json: Json::parse(&bytes).map_err(|_| not_json(&bytes)),
        is_empty: bytes.is_empty(),
    })
}

fn not_json(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "an empty body".to_owned();
    }
    format!("a body that is not JSON: {}", shortened(&String::from_utf8_lossy(bytes)))
}

/// How long a server wants the client to wait after 429 or 503. Treats a date in `Retry-After` as too long.
fn requested_pause(response: &Response) -> Option<Duration> {
    if !matches!(response.status, 429 | 503) {
        return None;
    }
    let seconds = response.header("retry-after").map_or(Ok(1), |value| value.trim().parse());
    Some(seconds.map_or(Duration::MAX, Duration::from_secs))
}

fn refused(response: &Response) -> Halt {
    let time = response.header("retry-after").map_or_else(|| "none".to_owned(), shortened);
    Halt::Refused(format!("{} returns {}, Retry-After: {time}", response.request, response.status))
}

/// Whether a retry would fail in the same way.
fn is_final(error: &ureq::Error) -> bool {
    matches!(error, ureq::Error::Timeout(_) | ureq::Error::BodyExceedsLimit(_))
}

#[expect(
    clippy::disallowed_methods,
    reason = "this thread does nothing else, and the rate limit needs pauses"
)]
fn wait(time: Duration) {
    if !time.is_zero() {
        thread::sleep(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_trimmed_and_visible_ascii() {
        assert!(Token::new(" abc\n").is_ok_and(|token| token.0 == "abc"));
        for bad in ["", " ", "a b", "a\nb", "é"] {
            assert!(Token::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn retry_after_gives_the_pause() {
        let pause = |status, after: Option<&str>| {
            let headers = after.map(|after| ("retry-after".to_owned(), after.to_owned()));
            requested_pause(&Response {
                request: String::new(),
                status,
                headers: headers.into_iter().collect(),
                json: Ok(Json::Null),
                is_empty: false,
            })
        };
        assert_eq!(pause(200, Some("5")), None);
        assert_eq!(pause(429, None), Some(Duration::from_secs(1)));
        assert_eq!(pause(503, Some("120")), Some(MAX_PAUSE));
        for after in ["121", "Wed, 21 Oct 2026 07:28:00 GMT", "99999999999999999999"] {
            assert!(pause(429, Some(after)) > Some(MAX_PAUSE), "{after}");
        }
    }
}
