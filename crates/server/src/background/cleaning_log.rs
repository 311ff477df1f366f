//! What the log says of one round of cleaning.

use pointbook_app::{DatabaseHealth, StoreError, StoreResult, with_causes};
use pointbook_domain::TenantName;

/// The target of the lines, which operators may filter by: the jobs, wherever their code is.
const TARGET: &str = "pointbook_server::background";

/// Logs what a round removed. An overload is the database's and no tenant's, so that one line tells it for all.
#[derive(Debug, Default)]
pub(super) struct CleaningLog {
    /// How many jobs the database refused because too much was waiting.
    overloaded_jobs: usize,
}

impl CleaningLog {
    /// Notes what became of one job for one tenant.
    pub(super) fn note(
        &mut self,
        tenant: &TenantName,
        health: &DatabaseHealth,
        what: &'static str,
        removed: StoreResult<u64>,
    ) {
        match removed {
            Ok(0) => {}
            Ok(removed) => tracing::info!(target: TARGET, %tenant, removed, "old {what} removed"),
            Err(error @ StoreError::Unavailable(_)) => health.note_failure(&error),
            Err(StoreError::Overloaded) => self.overloaded_jobs += 1,
            Err(error) => {
                tracing::warn!(target: TARGET, %tenant, error = with_causes(&error), "old {what} not removed");
            }
        }
    }

    /// Ends the round.
    pub(super) fn finish(self) {
        if self.overloaded_jobs > 0 {
            tracing::warn!(
                target: TARGET,
                jobs = self.overloaded_jobs,
                "old request keys and tokens not all removed: too much is waiting for the database"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Captured(Arc<Mutex<Vec<u8>>>);

    impl Write for Captured {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The messages that one round logs.
    fn logged(round: impl FnOnce(&mut CleaningLog)) -> Vec<String> {
        let captured = Captured::default();
        let writer = captured.clone();
        let lines = tracing_subscriber::fmt().without_time().with_target(false).with_ansi(false);
        let lines = lines.with_writer(move || writer.clone()).finish();
        tracing::subscriber::with_default(lines, || {
            let mut log = CleaningLog::default();
            round(&mut log);
            log.finish();
        });
        let text = captured.0.lock().unwrap().clone();
        String::from_utf8(text).unwrap().lines().map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn an_overload_is_one_line_for_all_tenants() {
        let health = DatabaseHealth::default();
        let lines = logged(|log| {
            for slug in ["acme", "bolt", "cafe"] {
                let tenant = TenantName::parse(slug).unwrap();
                log.note(&tenant, &health, "request keys", Err(StoreError::Overloaded));
                log.note(&tenant, &health, "tokens", Err(StoreError::Overloaded));
            }
        });
        let expected =
            "WARN old request keys and tokens not all removed: too much is waiting for the database jobs=6";
        assert_eq!(lines, [expected]);
    }

    #[test]
    fn other_outcomes_name_their_tenant() {
        let (health, tenant) = (DatabaseHealth::default(), TenantName::parse("acme").unwrap());
        let lines = logged(|log| {
            log.note(&tenant, &health, "tokens", Ok(0));
            log.note(&tenant, &health, "tokens", Ok(3));
            log.note(&tenant, &health, "tokens", Err(StoreError::Failed("full".into())));
        });
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with("INFO old tokens removed tenant=acme"), "{lines:?}");
        assert!(lines[1].starts_with("WARN old tokens not removed tenant=acme"), "{lines:?}");
    }
}
