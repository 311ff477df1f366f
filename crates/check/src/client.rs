//! The way to a server: read-only, at a bounded rate, with a bounded number of requests.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use ureq::http::{Request, Response};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body};

use crate::address::{BaseAddress, HTTPS};
use crate::answer::{Answer, Call, Credentials};
use crate::cursor::shortened;
use crate::json::Json;
use crate::secrets::Secrets;

/// How long a response may take, from connecting to its last byte.
const TIMEOUT: Duration = Duration::from_secs(30);

const MAX_BODY_BYTES: u64 = 32 << 20;

/// How often a request is sent again to a server that asks for patience, or whose connection broke.
const MAX_REPETITIONS: u32 = 5;

/// The longest `Retry-After` that the client waits for.
const MAX_PAUSE: Duration = Duration::from_mins(2);

/// The time before a request whose connection broke is sent again.
const ERROR_PAUSE: Duration = Duration::from_secs(1);

/// So many requests in a row without a response are the end.
const MAX_SILENCES: u32 = 3;

const USER_AGENT: &str = concat!("pointbook-check/", env!("CARGO_PKG_VERSION"));

#[derive(Debug, Clone, Copy)]
pub struct Politeness {
    /// How many requests may be sent altogether.
    pub max_requests: u32,
    /// How many may be sent in a second; at least one is.
    pub per_second: u32,
}

/// An access token, which is never shown.
#[derive(Clone)]
pub struct Token(String);

/// Why a string cannot be sent as a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a token has visible ASCII characters only, and at least one")]
pub struct TokenError;

impl Token {
    /// Takes a token; blanks and line ends around it are left out.
    ///
    /// # Errors
    /// [`TokenError`] for what fits no header.
    pub fn new(text: &str) -> Result<Self, TokenError> {
        let text = text.trim();
        let visible = !text.is_empty() && text.chars().all(|found| found.is_ascii_graphic());
        if visible { Ok(Self(text.to_owned())) } else { Err(TokenError) }
    }
}

/// Why there is no response. After [`Halt::NoAnswer`], other requests may have one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Halt {
    #[error("no answer: {0}")]
    NoAnswer(String),
    #[error("the granted requests are used up")]
    Budget,
    #[error("{0}")]
    Unreachable(String),
    #[error("the server asks to be left alone: {0}")]
    LeftAlone(String),
    #[error("the server no longer answers: {0}")]
    Silent(String),
}

/// One server, asked with one token, or with two.
pub struct Client {
    agent: Agent,
    /// The address that the server has in its links.
    pub(crate) base: BaseAddress,
    reached_at: BaseAddress,
    token: Token,
    pub(crate) other: Option<Token>,
    pub(crate) politeness: Politeness,
    pub(crate) sent: u32,
    /// Whether there was a response: until then, what fails will fail again.
    is_there: bool,
    /// How many of the last requests had no response.
    silences: u32,
    next_at: Instant,
}

impl Client {
    /// A client of the server at this address. Nothing is sent yet.
    pub fn new(base: BaseAddress, token: Token, other: Option<Token>, politeness: Politeness) -> Self {
        Self {
            agent: agent(&base, TIMEOUT),
            reached_at: base.clone(),
            base,
            token,
            other,
            politeness,
            sent: 0,
            is_there: false,
            silences: 0,
            next_at: Instant::now(),
        }
    }

    /// The same server, reached at another address than it has in its links, as behind a proxy.
    #[must_use]
    pub fn reached_at(self, address: BaseAddress) -> Self {
        Self { agent: agent(&address, TIMEOUT), reached_at: address, ..self }
    }

    /// Asks with this token from now on.
    pub fn set_token(&mut self, token: Token) {
        self.token = token;
    }

    pub(crate) fn secrets(&self) -> Secrets {
        Secrets::new(std::iter::once(&self.token).chain(&self.other).map(|token| token.0.as_str()))
    }

    /// Sends a request, and waits where the server asks for patience.
    pub(crate) fn send(&mut self, call: &Call) -> Result<Answer, Halt> {
        let mut repetitions = 0;
        loop {
            let is_last = repetitions == MAX_REPETITIONS;
            let pause = match self.send_once(call)? {
                Ok(answer) => {
                    self.silences = 0;
                    let Some(pause) = requested_pause(&answer) else { return Ok(answer) };
                    // A server that fails and names no time has a fault of its own.
                    if is_last && answer.status == 503 && answer.header("retry-after").is_none() {
                        return Ok(answer);
                    }
                    if is_last || pause > MAX_PAUSE {
                        return Err(left_alone(&answer));
                    }
                    pause
                }
                Err(error) if is_last || !self.is_there || is_final(&error) => {
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
        if !self.is_there {
            return Halt::Unreachable(why);
        }
        self.silences += 1;
        let is_end = self.silences >= MAX_SILENCES;
        if is_end { Halt::Silent(format!("{call}: {why}")) } else { Halt::NoAnswer(why) }
    }

    fn send_once(&mut self, call: &Call) -> Result<Result<Answer, ureq::Error>, Halt> {
        if self.sent >= self.politeness.max_requests {
            return Err(Halt::Budget);
        }
        self.sent += 1;
        wait(self.next_at.saturating_duration_since(Instant::now()));
        self.next_at = Instant::now() + Duration::from_secs(1) / self.politeness.per_second.max(1);
        let request = self.request(call).map_err(|error| Halt::Unreachable(error.to_string()))?;
        let exchange = self.agent.run(request).and_then(|response| read(call, response));
        self.is_there |= exchange.is_ok();
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

/// Trusts what the system trusts. Ignores proxies of the environment: a token goes to the named server alone.
pub(crate) fn agent(base: &BaseAddress, timeout: Duration) -> Agent {
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

fn read(call: &Call, response: Response<Body>) -> Result<Answer, ureq::Error> {
    let (parts, mut body) = response.into_parts();
    let text = |value: &ureq::http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = parts.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value)));
    let bytes = match call.method {
        "HEAD" => Vec::new(),
        _ => body.with_config().limit(MAX_BODY_BYTES).read_to_vec()?,
    };
    Ok(Answer {
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
    format!("a body that is no JSON: {}", shortened(&String::from_utf8_lossy(bytes)))
}

/// How long a server that is overloaded, or asked too often, wants to be left alone; a date is too long.
fn requested_pause(answer: &Answer) -> Option<Duration> {
    if !matches!(answer.status, 429 | 503) {
        return None;
    }
    let seconds = answer.header("retry-after").map_or(Ok(1), |value| value.trim().parse());
    Some(seconds.map_or(Duration::MAX, Duration::from_secs))
}

fn left_alone(answer: &Answer) -> Halt {
    let time = answer.header("retry-after").map_or_else(|| "none".to_owned(), shortened);
    Halt::LeftAlone(format!("{} is answered with {}, Retry-After: {time}", answer.request, answer.status))
}

/// Whether the same request would fail in the same way a moment later.
fn is_final(error: &ureq::Error) -> bool {
    matches!(error, ureq::Error::Timeout(_) | ureq::Error::BodyExceedsLimit(_))
}

#[expect(clippy::disallowed_methods, reason = "nothing else happens on this thread, and politeness is time")]
fn wait(time: Duration) {
    if !time.is_zero() {
        thread::sleep(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_fits_a_header() {
        assert!(Token::new(" abc\n").is_ok_and(|token| token.0 == "abc"));
        for bad in ["", " ", "a b", "a\nb", "é"] {
            assert!(Token::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn patience_has_an_end() {
        let pause = |status, after: Option<&str>| {
            let headers = after.map(|after| ("retry-after".to_owned(), after.to_owned()));
            requested_pause(&Answer {
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
