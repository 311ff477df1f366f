use std::time::Duration;

/// What one request came to. It has nothing of the response but its status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// The status of the response. `None` when no response came.
    pub status: Option<u16>,
    /// From the start of the name resolution to the head of the response, or to the failure.
    pub duration: Duration,
    /// `None` when the receiver accepted the request.
    pub error: Option<ErrorClass>,
    pub outcome: Outcome,
}

/// What follows from an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The status was 2xx.
    Delivered,
    /// The status was 410: the receiver wants no more requests.
    SwitchedOff,
    /// The receiver asked for a pause: the status was 429 or 503 with a `Retry-After` that can be read.
    Retry {
        /// From a second to an hour.
        after: Duration,
    },
    /// Any other failure. The caller chooses the pause.
    Failed,
}

/// Why an attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorClass {
    /// The URL breaks a rule of [`crate::webhooks::sender::UrlError`].
    Url,
    /// The host has no address, or one that the policy does not allow. One word for both, as in [`crate::webhooks::sender::RefusedHost`].
    Address,
    /// No address of the host accepted a connection.
    Connect,
    /// The handshake failed, for example because of an invalid certificate.
    Tls,
    /// No response came in time.
    Timeout,
    /// The connection broke, or the response is not HTTP/1.1 or has too large a head.
    Response,
    /// The status was 3xx. The sender follows no redirect.
    Redirect,
    /// The status was 410.
    Gone,
    /// Any other status that is not 2xx.
    Status,
}

impl ErrorClass {
    pub const ALL: [Self; 9] = [
        Self::Url,
        Self::Address,
        Self::Connect,
        Self::Tls,
        Self::Timeout,
        Self::Response,
        Self::Redirect,
        Self::Gone,
        Self::Status,
    ];

    /// A word in lower case for the database, the interface and metrics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Address => "address",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::Response => "response",
            Self::Redirect => "redirect",
            Self::Gone => "gone",
            Self::Status => "status",
        }
    }

    /// Reads what [`ErrorClass::name`] gives.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

impl Attempt {
    pub(crate) fn without_response(error: ErrorClass, duration: Duration) -> Self {
        Self { status: None, duration, error: Some(error), outcome: Outcome::Failed }
    }

    pub(crate) fn with_status(status: u16, retry_after: Option<Duration>, duration: Duration) -> Self {
        let (error, outcome) = match (status, retry_after) {
            (200..=299, _) => (None, Outcome::Delivered),
            (300..=399, _) => (Some(ErrorClass::Redirect), Outcome::Failed),
            (410, _) => (Some(ErrorClass::Gone), Outcome::SwitchedOff),
            (429 | 503, Some(after)) => (Some(ErrorClass::Status), Outcome::Retry { after }),
            _ => (Some(ErrorClass::Status), Outcome::Failed),
        };
        Self { status: Some(status), duration, error, outcome }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_mins(1);

    #[test]
    fn status_decides() {
        let of = |status| {
            let attempt = Attempt::with_status(status, Some(PAUSE), Duration::ZERO);
            (attempt.error, attempt.outcome)
        };
        for status in [200, 201, 202, 204, 299] {
            assert_eq!(of(status), (None, Outcome::Delivered), "{status}");
        }
        for status in [300, 301, 302, 304, 307, 308, 399] {
            assert_eq!(of(status), (Some(ErrorClass::Redirect), Outcome::Failed), "{status}");
        }
        for status in [101, 400, 401, 404, 409, 500, 502, 504, 599, 999] {
            assert_eq!(of(status), (Some(ErrorClass::Status), Outcome::Failed), "{status}");
        }
        assert_eq!(of(410), (Some(ErrorClass::Gone), Outcome::SwitchedOff));
        for status in [429, 503] {
            assert_eq!(of(status), (Some(ErrorClass::Status), Outcome::Retry { after: PAUSE }), "{status}");
            let without = Attempt::with_status(status, None, Duration::ZERO);
            assert_eq!(without.outcome, Outcome::Failed, "{status}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for class in ErrorClass::ALL {
            assert_eq!(ErrorClass::from_name(class.name()), Some(class));
        }
        assert_eq!(ErrorClass::from_name("Url"), None);
    }
}
