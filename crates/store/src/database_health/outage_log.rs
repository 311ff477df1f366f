//! Logs an outage of the database: the cause at once, the number of failed calls once a minute, and the return.

use pointbook_domain::Timestamp;

/// The pause between two log lines of the same outage, in microseconds.
const MINUTE_MICROS: i64 = 60_000_000;

/// One outage after the other.
#[derive(Debug, Default)]
pub(super) struct OutageLog {
    /// Since when the database has been away; `None` while it responds.
    away_since: Option<Timestamp>,
    /// The time of the last line that reported failed calls.
    logged_at: Option<Timestamp>,
    /// The calls that failed since then.
    failures: u64,
    /// The cause of the first failure.
    cause: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum OutageLine {
    /// The database stopped responding.
    Away { cause: String },
    /// It has not responded for this long.
    StillAway { cause: String, lasted_ms: u64, failures: u64 },
    /// It responds again.
    Back { lasted_ms: u64, failures: u64 },
    /// It responds again. Calls failed because it was overloaded.
    Busy { cause: String, failures: u64 },
}

impl OutageLog {
    /// A call failed. It gets no separate log line.
    pub(super) fn call_failed(&mut self, cause: impl FnOnce() -> String) {
        self.failures += 1;
        self.cause.get_or_insert_with(cause);
    }

    /// The database did not respond to a question.
    pub(super) fn failed(
        &mut self,
        cause: String,
        asked_at: Timestamp,
        now: Timestamp,
    ) -> Option<OutageLine> {
        let Some(since) = self.away_since else {
            self.away_since = Some(asked_at);
            self.logged_at = Some(now);
            self.cause = None;
            return Some(OutageLine::Away { cause });
        };
        if !self.is_due(now) {
            return None;
        }
        let failures = self.take_failures(now).1;
        Some(OutageLine::StillAway { cause, lasted_ms: milliseconds(since, now), failures })
    }

    /// The database responded.
    pub(super) fn responded(&mut self, now: Timestamp) -> Option<OutageLine> {
        if let Some(since) = self.away_since.take() {
            let failures = self.take_failures(now).1;
            return Some(OutageLine::Back { lasted_ms: milliseconds(since, now), failures });
        }
        if self.failures == 0 || !self.is_due(now) {
            return None;
        }
        let (cause, failures) = self.take_failures(now);
        Some(OutageLine::Busy { cause, failures })
    }

    /// Whether a minute has passed. A clock that was set back makes no pause longer.
    fn is_due(&self, now: Timestamp) -> bool {
        let passed = self.logged_at.map(|logged_at| now.as_micros() - logged_at.as_micros());
        passed.is_none_or(|micros| !(0..MINUTE_MICROS).contains(&micros))
    }

    fn take_failures(&mut self, now: Timestamp) -> (String, u64) {
        self.logged_at = Some(now);
        (self.cause.take().unwrap_or_default(), std::mem::take(&mut self.failures))
    }
}

impl OutageLine {
    /// Writes it to the log.
    pub(super) fn log(&self) {
        match self {
            Self::Away { cause } => tracing::warn!(error = cause, "the database does not respond"),
            Self::StillAway { cause, lasted_ms, failures } => {
                let lasted = seconds(*lasted_ms);
                tracing::warn!(error = cause, failures, "the database has not responded for {lasted}");
            }
            Self::Back { lasted_ms, failures } => {
                let lasted = seconds(*lasted_ms);
                tracing::info!(failures, "the database responds again after {lasted}");
            }
            Self::Busy { cause, failures } => {
                tracing::warn!(error = cause, failures, "the database responds, but calls to it failed");
            }
        }
    }
}

fn milliseconds(since: Timestamp, now: Timestamp) -> u64 {
    u64::try_from((now.as_micros() - since.as_micros()) / 1_000).unwrap_or_default()
}

/// `3.2 s`.
fn seconds(milliseconds: u64) -> String {
    format!("{}.{} s", milliseconds / 1_000, milliseconds % 1_000 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_micros(milliseconds * 1_000).unwrap()
    }

    fn fail(log: &mut OutageLog, milliseconds: i64) -> Option<OutageLine> {
        log.failed("refused".to_owned(), at(milliseconds), at(milliseconds))
    }

    #[test]
    fn an_outage_is_told_at_once_then_every_minute_and_at_its_end() {
        let (mut log, cause) = (OutageLog::default(), "refused".to_owned());
        assert_eq!(log.responded(at(0)), None);
        assert_eq!(fail(&mut log, 1_000), Some(OutageLine::Away { cause: cause.clone() }));
        for call in 0..5_000 {
            log.call_failed(|| "refused".to_owned());
            assert_eq!(fail(&mut log, 1_001 + call), None);
        }
        assert_eq!(fail(&mut log, 60_999), None);
        let still = OutageLine::StillAway { cause, lasted_ms: 60_000, failures: 5_000 };
        assert_eq!(fail(&mut log, 61_000), Some(still));
        log.call_failed(String::new);
        assert_eq!(log.responded(at(64_200)), Some(OutageLine::Back { lasted_ms: 63_200, failures: 1 }));
        assert_eq!(log.responded(at(64_300)), None);
    }

    #[test]
    fn an_outage_lasts_from_the_question_that_got_no_response() {
        let mut log = OutageLog::default();
        assert!(log.failed(String::new(), at(1_000), at(6_000)).is_some());
        let back = log.responded(at(7_000));
        assert_eq!(back, Some(OutageLine::Back { lasted_ms: 6_000, failures: 0 }));
    }

    #[test]
    fn the_second_outage_is_told_at_once_too() {
        let mut log = OutageLog::default();
        assert!(fail(&mut log, 1_000).is_some() && log.responded(at(1_500)).is_some());
        assert!(matches!(fail(&mut log, 2_000), Some(OutageLine::Away { .. })));
    }

    #[test]
    fn calls_that_fail_while_the_database_responds_are_told_once_a_minute() {
        let mut log = OutageLog::default();
        let busy = |failures| Some(OutageLine::Busy { cause: "a lock".to_owned(), failures });
        log.call_failed(|| "a lock".to_owned());
        log.call_failed(|| "another one".to_owned());
        assert_eq!(log.responded(at(0)), busy(2));
        log.call_failed(|| "a lock".to_owned());
        assert_eq!(log.responded(at(59_999)), None);
        assert_eq!(log.responded(at(60_000)), busy(1));
        assert_eq!(log.responded(at(600_000)), None);
    }

    #[test]
    fn durations_have_one_decimal() {
        assert_eq!([3_249, 999, 60_000].map(seconds), ["3.2 s", "0.9 s", "60.0 s"]);
    }
}
