//! The way to the server: read-only, at a bounded rate, so many requests and no more.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::Body;
use ureq::http::{Request, Response};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use crate::address::BaseAddress;
use crate::answer::{Answer, Call, Credentials, Method};
use crate::cursor::shortened;
use crate::json::Json;
use crate::patience::Patience;
use crate::secrets::Secrets;

/// How long an answer may take, from connecting to its last byte.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The longest body that is read, in bytes.
const MAX_BODY_BYTES: u64 = 32 << 20;

/// How often a request is sent again to a server that asks for patience, or whose connection broke.
const MAX_REPETITIONS: u32 = 5;

/// The time before a request whose connection broke is sent again.
const ERROR_PAUSE: Duration = Duration::from_secs(1);

/// So many requests in a row without an answer are the end.
const MAX_SILENCES: u32 = 3;

/// Who asks.
const USER_AGENT: &str = concat!("pointbook-check/", env!("CARGO_PKG_VERSION"));

/// How a server is asked.
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

/// Why a text cannot be sent as a token.
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

/// Why no further request is sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Halt {
    /// All that were granted are used up.
    #[error("the granted requests are used up")]
    Budget,
    /// The server cannot be reached.
    #[error("{0}")]
    Unreachable(String),
    /// The server asks for more patience than there is.
    #[error("the server asks to be left alone: {0}")]
    LeftAlone(String),
    /// The server was there, and several requests in a row had no answer.
    #[error("the server no longer answers: {0}")]
    Silent(String),
}

/// One server, asked with one token, or with two.
pub struct Client {
    agent: Agent,
    /// What the server says that its address is.
    base: BaseAddress,
    /// Where requests go.
    reached_at: BaseAddress,
    token: Token,
    other: Option<Token>,
    politeness: Politeness,
    sent: u32,
    /// Whether there was an answer: until then, what fails will fail again.
    is_there: bool,
    /// How many of the last requests had no answer.
    silences: u32,
    next_at: Instant,
}

impl Client {
    /// A client of the server at this address. Nothing is sent yet.
    pub fn new(base: BaseAddress, token: Token, other: Option<Token>, politeness: Politeness) -> Self {
        let reached_at = base.clone();
        Self {
            agent: agent(&base),
            base,
            reached_at,
            token,
            other,
            politeness,
            sent: 0,
            is_there: false,
            silences: 0,
            next_at: Instant::now(),
        }
    }

    /// The same server, reached at another address than it says itself, as behind a proxy.
    #[must_use]
    pub fn reached_at(self, address: BaseAddress) -> Self {
        Self { agent: agent(&address), reached_at: address, ..self }
    }

    /// The same server, asked with this token from now on.
    pub fn set_token(&mut self, token: Token) {
        self.token = token;
    }

    pub(crate) fn base(&self) -> &BaseAddress {
        &self.base
    }

    pub(crate) fn has_other(&self) -> bool {
        self.other.is_some()
    }

    /// How many requests were sent.
    pub(crate) fn sent(&self) -> u32 {
        self.sent
    }

    /// How many requests may be sent altogether.
    pub(crate) fn max_requests(&self) -> u32 {
        self.politeness.max_requests
    }

    /// What must be shown nowhere.
    pub(crate) fn secrets(&self) -> Secrets {
        Secrets::new(std::iter::once(&self.token).chain(&self.other).map(|token| token.0.as_str()))
    }

    /// Sends a request. Where the server asks for patience, it gets it. A request that has no answer is not the
    /// end of a server that answered others.
    pub(crate) fn send(&mut self, call: &Call) -> Result<Answer, Halt> {
        for repetition in 0.. {
            let may_repeat = repetition < MAX_REPETITIONS;
            match self.send_once(call)? {
                Ok(answer) => {
                    self.silences = 0;
                    match Patience::of(&answer) {
                        Patience::None => return Ok(answer),
                        Patience::Wait(time) if may_repeat => wait(time),
                        // Nothing but its own fault is known of a server that fails and names no time.
                        Patience::Wait(_)
                            if answer.header("retry-after").is_none() && answer.status >= 500 =>
                        {
                            return Ok(answer);
                        }
                        Patience::Wait(_) | Patience::TooLong => return Err(left_alone(&answer)),
                    }
                }
                Err(error) if self.is_there && may_repeat && passes(&error) => wait(ERROR_PAUSE),
                Err(error) => return self.silence(call, &error),
            }
        }
        Err(Halt::Budget)
    }

    /// What a request without an answer comes to.
    fn silence(&mut self, call: &Call, error: &ureq::Error) -> Result<Answer, Halt> {
        let why = self.secrets().cleaned(&error.to_string());
        if !self.is_there {
            return Err(Halt::Unreachable(why));
        }
        self.silences += 1;
        if self.silences >= MAX_SILENCES {
            return Err(Halt::Silent(format!("{call}: {why}")));
        }
        Ok(Answer::missing(call, &why))
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
            .method(method.name())
            .uri(self.reached_at.join(path, query))
            .header("Host", self.base.authority())
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

/// Certificates of authorities are those that the system trusts. What the environment says of proxies is not
/// heard: a token goes to the server that was named, and to nobody between.
fn agent(base: &BaseAddress) -> Agent {
    let mut config = Agent::config_builder()
        .proxy(None)
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_global(Some(TIMEOUT));
    if base.is_https() {
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
        Method::Head => Vec::new(),
        Method::Get | Method::Options => body.with_config().limit(MAX_BODY_BYTES).read_to_vec()?,
    };
    let json = Json::parse(&bytes).map_err(|_| not_json(&bytes));
    Ok(Answer {
        request: call.to_string(),
        status: parts.status.as_u16(),
        headers: headers.collect(),
        json,
        is_empty: bytes.is_empty(),
    })
}

fn not_json(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "an empty body".to_owned();
    }
    format!("a body that is no JSON: {}", shortened(&String::from_utf8_lossy(bytes)))
}

fn left_alone(answer: &Answer) -> Halt {
    let time = answer.header("retry-after").map_or_else(|| "none".to_owned(), shortened);
    Halt::LeftAlone(format!("{} is answered with {}, Retry-After: {time}", answer.request, answer.status))
}

/// Whether the same request may have an answer a moment later. What took too long, or was too long, was enough.
fn passes(error: &ureq::Error) -> bool {
    !matches!(error, ureq::Error::Timeout(_) | ureq::Error::BodyExceedsLimit(_))
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
}
