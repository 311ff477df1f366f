//! The id of a request in logs: the client's own, or a new one.

use std::sync::atomic::{AtomicU64, Ordering};

use http::{HeaderMap, HeaderName, HeaderValue};
use pointbook_domain::digits::push_number;

pub(super) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const MAX_CHARACTERS: usize = 64;

/// Makes request ids: a prefix that is unique to the process, and a counter.
pub(super) struct RequestIds {
    prefix: String,
    made: AtomicU64,
}

impl RequestIds {
    pub(super) fn new(prefix: &str) -> Self {
        let prefix = prefix.chars().filter(|&c| u8::try_from(c).is_ok_and(is_allowed)).collect();
        Self { prefix, made: AtomicU64::new(0) }
    }

    /// The client's id if it has 1 to 64 of `A-Z a-z 0-9 . _ -`, which need no escapes in a log. Otherwise a new one.
    pub(super) fn of(&self, headers: &HeaderMap) -> HeaderValue {
        match headers.get(X_REQUEST_ID) {
            Some(id) if is_good(id.as_bytes()) => id.clone(),
            _ => self.make(),
        }
    }

    fn make(&self) -> HeaderValue {
        let mut id = Vec::with_capacity(MAX_CHARACTERS);
        id.extend_from_slice(self.prefix.as_bytes());
        id.push(b'-');
        push_number(self.made.fetch_add(1, Ordering::Relaxed), &mut id);
        HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("unknown"))
    }
}

fn is_good(id: &[u8]) -> bool {
    (1..=MAX_CHARACTERS).contains(&id.len()) && id.iter().copied().all(is_allowed)
}

fn is_allowed(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._-".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_id_of_the_client_is_kept() {
        let ids = RequestIds::new("p");
        for (given, kept) in [
            ("a", true),
            ("A-z_0.9", true),
            (&*"x".repeat(64), true),
            (&*"x".repeat(65), false),
            ("", false),
            ("a b", false),
            ("a\"b", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(X_REQUEST_ID, HeaderValue::from_str(given).unwrap());
            assert_eq!(ids.of(&headers) == given, kept, "{given}");
        }
    }

    #[test]
    fn new_ids_are_all_different() {
        let ids = RequestIds::new("a b/1");
        let none = HeaderMap::new();
        assert_eq!(ids.of(&none), "ab1-0");
        assert_eq!(ids.of(&none), "ab1-1");
    }
}
