//! A request and the response to it.

use std::fmt;

use crate::check::cursor::{Findings, shown};
use crate::check::json::Json;
use crate::check::server_url::{Query, escaped, path_and_query};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Credentials {
    /// The first token.
    Own,
    /// The other token.
    Other,
    /// The first token with this spelling of the scheme.
    OwnWithScheme(&'static str),
    None,
    /// This value of the header, which no server accepts.
    Bad(&'static str),
}

#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// `GET`, `HEAD` or `OPTIONS`.
    pub(crate) method: &'static str,
    /// The path below the base URL, percent-encoded.
    pub(crate) path: String,
    pub(crate) query: Query,
    pub(crate) credentials: Credentials,
    pub(crate) if_none_match: Option<String>,
}

impl Call {
    /// A GET with the first token.
    pub(crate) fn get(path: &str) -> Self {
        let (path, query) = (path.to_owned(), Query::new());
        Self { method: "GET", path, query, credentials: Credentials::Own, if_none_match: None }
    }

    pub(crate) fn with(mut self, name: &str, value: impl fmt::Display) -> Self {
        self.query.push((name.to_owned(), value.to_string()));
        self
    }

    pub(crate) fn by(self, credentials: Credentials) -> Self {
        Self { credentials, ..self }
    }
}

/// The request line for people, without the token.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, path_and_query(&self.path, &self.query, readable))?;
        match self.credentials {
            Credentials::Own => {}
            Credentials::Other => f.write_str(" (other token)")?,
            Credentials::OwnWithScheme(scheme) => write!(f, " (Authorization: {scheme} ...)")?,
            Credentials::None => f.write_str(" (no token)")?,
            Credentials::Bad(header) => write!(f, " (Authorization: {header})")?,
        }
        match &self.if_none_match {
            Some(etag) => write!(f, " (If-None-Match: {etag})"),
            None => Ok(()),
        }
    }
}

/// A percent-encoded parameter name with plain brackets.
fn readable(name: &str) -> String {
    escaped(name).replace("%5B", "[").replace("%5D", "]")
}

#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub(crate) request: String,
    pub(crate) status: u16,
    /// The names are in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// The body as JSON, or a description of a body that is not JSON.
    pub(crate) json: Result<Json, String>,
    pub(crate) is_empty: bool,
}

/// The status and the beginning of the body, for people.
impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.json {
            Ok(json) => write!(f, "{} {}", self.status, shown(json)),
            Err(why) => write!(f, "{}, {why}", self.status),
        }
    }
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// A member of the body.
    pub(crate) fn member(&self, name: &str) -> Option<&Json> {
        self.json.as_ref().ok()?.get(name)
    }

    /// The body's `message`.
    pub(crate) fn message(&self) -> Option<&str> {
        self.member("message")?.as_text()
    }

    /// Reads a JSON body with `reader`. Returns the result and the flaws of the body; `None` when the body is not JSON.
    pub(crate) fn read<T>(&self, reader: fn(&Json, &Findings) -> T) -> Option<(T, Findings)> {
        let findings = Findings::default();
        let read = reader(self.json.as_ref().ok()?, &findings);
        Some((read, findings))
    }
}
