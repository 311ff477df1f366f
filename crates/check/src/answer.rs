//! A request as it is sent, and what came back.

use std::fmt;

use crate::address::{Query, escaped};
use crate::json::Json;

/// What a request asks with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Head,
    Options,
}

impl Method {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Options => "OPTIONS",
        }
    }
}

/// Whose token a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Credentials {
    /// The token that was given.
    Own,
    /// The other token that was given.
    Other,
    /// The token that was given, after a scheme in other letters.
    OwnWithScheme(&'static str),
    /// No header at all.
    None,
    /// This value of the header, which opens nothing.
    Bad(&'static str),
}

/// A request.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) method: Method,
    /// Below the base address, percent-encoded.
    pub(crate) path: String,
    pub(crate) query: Query,
    pub(crate) credentials: Credentials,
    pub(crate) if_none_match: Option<String>,
}

impl Call {
    /// A GET with the token that was given.
    pub(crate) fn get(path: &str) -> Self {
        Self {
            method: Method::Get,
            path: path.to_owned(),
            query: Query::new(),
            credentials: Credentials::Own,
            if_none_match: None,
        }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.query.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn by(mut self, credentials: Credentials) -> Self {
        self.credentials = credentials;
        self
    }
}

impl fmt::Display for Call {
    /// The line of the request, readable, with whose token it was instead of the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> =
            self.query.iter().map(|(name, value)| format!("{}={}", readable(name), escaped(value))).collect();
        let mark = if pairs.is_empty() { "" } else { "?" };
        write!(f, "{} {}{mark}{}", self.method.name(), self.path, pairs.join("&"))?;
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

/// A name of a parameter, encoded but for its brackets.
fn readable(name: &str) -> String {
    escaped(name).replace("%5B", "[").replace("%5D", "]")
}

/// What came back.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// The line of the request.
    pub(crate) request: String,
    /// 0 where nothing came.
    pub(crate) status: u16,
    /// Names in small letters.
    pub(crate) headers: Vec<(String, String)>,
    /// The body as JSON, or why it is none.
    pub(crate) json: Result<Json, String>,
    pub(crate) is_empty: bool,
}

impl Answer {
    /// No answer, for this reason.
    pub(crate) fn missing(call: &Call, why: &str) -> Self {
        let json = Err(format!("no answer: {why}"));
        Self { request: call.to_string(), status: 0, headers: Vec::new(), json, is_empty: true }
    }

    pub(crate) fn is_missing(&self) -> bool {
        self.status == 0
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// Status and beginning of the body, for people.
    pub(crate) fn shown(&self) -> String {
        match &self.json {
            Ok(json) => format!("{} {}", self.status, crate::cursor::shown(json)),
            Err(why) if self.is_missing() => why.clone(),
            Err(why) => format!("{}, {why}", self.status),
        }
    }

    /// The body's `message`.
    pub(crate) fn message(&self) -> Option<&str> {
        self.json.as_ref().ok()?.get("message")?.as_text()
    }
}
