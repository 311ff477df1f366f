//! What a server asks for that has too much to do.

use std::time::Duration;

use crate::answer::Answer;

/// The longest time that a server is waited for, in seconds.
const MAX_RETRY_AFTER_SECONDS: u64 = 120;

/// How long a server that is overloaded, or asked too often, wants to be left alone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Nothing is asked for.
    None,
    /// So long.
    Wait(Duration),
    /// Longer than anybody waits for it, or until some date.
    TooLong,
}

impl Patience {
    /// What an answer asks for.
    pub(crate) fn of(answer: &Answer) -> Self {
        if !matches!(answer.status, 429 | 503) {
            return Self::None;
        }
        let seconds = answer.header("retry-after").map_or(Some(1), |value| value.trim().parse().ok());
        match seconds {
            Some(seconds) if seconds <= MAX_RETRY_AFTER_SECONDS => Self::Wait(Duration::from_secs(seconds)),
            Some(_) | None => Self::TooLong,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Call;

    #[test]
    fn patience_has_an_end() {
        let patience = |status, after: Option<&str>| {
            let headers = after.map(|after| ("retry-after".to_owned(), after.to_owned()));
            let answer = Answer::missing(&Call::get("/"), "");
            Patience::of(&Answer { status, headers: headers.into_iter().collect(), ..answer })
        };
        assert_eq!(patience(200, Some("5")), Patience::None);
        assert_eq!(patience(429, None), Patience::Wait(Duration::from_secs(1)));
        assert_eq!(patience(503, Some("120")), Patience::Wait(Duration::from_mins(2)));
        for after in ["121", "Wed, 21 Oct 2026 07:28:00 GMT", "99999999999999999999"] {
            assert_eq!(patience(429, Some(after)), Patience::TooLong, "{after}");
        }
    }
}
