//! Checks the database, its schema and its tenants. Also checks the clock: rows must not be from the future.

use std::sync::Arc;

use pointbook_domain::Timestamp;
use pointbook_store::{ServedTenant, Service};

use super::Finding;
use crate::commands::Context;
use crate::secret_file::Warning;
use crate::wiring::{DatabaseClient, DatabaseUrl};

/// The findings, and the service when the database could be opened.
pub(crate) async fn examine_database(context: &Context) -> (Vec<Finding>, Option<Arc<Service>>) {
    let mut findings: Vec<_> = context.warnings().iter().map(to_finding).collect();
    match context.open_quietly(DatabaseClient::ReadOnly).await {
        Ok((url, service)) => {
            findings
                .push(Finding::fine("database", format!("{url} opens and has the schema of this version")));
            // For a file, the check of file permissions answers this.
            if matches!(url, DatabaseUrl::Postgres(_)) {
                findings.push(accepts_writes(&service).await);
            }
            findings.push(tenants(service.directory().tenants()));
            findings.push(clock(service.clock.now(), service.directory().tenants()));
            (findings, Some(service))
        }
        Err(failure) => {
            let advice = "fix this, then run `pointbook doctor` again to check the tenants";
            findings.push(Finding::problem("database", failure.messages.join("; "), advice));
            (findings, None)
        }
    }
}

fn to_finding(Warning { message, advice }: &Warning) -> Finding {
    Finding::warning("database", message.as_str(), advice.as_str())
}

async fn accepts_writes(service: &Service) -> Finding {
    match service.database.ping().await {
        Ok(ping) if ping.takes_writes => Finding::fine("database", "the server accepts writes"),
        Ok(_) => Finding::problem(
            "database",
            "the server does not accept writes: it is a standby or read-only",
            "set --database to the URL of the primary server",
        ),
        Err(error) => {
            let message = format!("the server does not respond: {error}");
            Finding::problem("database", message, "look at the log of the database server")
        }
    }
}

fn tenants(tenants: &[Arc<ServedTenant>]) -> Finding {
    match tenants.len() {
        0 => {
            Finding::warning("tenants", "the database has no tenants", "add one with `pointbook tenant add`")
        }
        1 => Finding::fine("tenants", "1 tenant"),
        count => Finding::fine("tenants", format!("{count} tenants")),
    }
}

/// With a clock that is behind, new rows would get earlier times than existing ones.
fn clock(now: Timestamp, tenants: &[Arc<ServedTenant>]) -> Finding {
    let newest =
        tenants.iter().map(|served| (served.tenant.created_at, served.name())).max_by_key(|newest| newest.0);
    match newest {
        Some((created_at, name)) if created_at > now => Finding::problem(
            "clock",
            format!("the clock says {now}, but tenant {name} was added at {created_at}"),
            "set the clock of this machine, preferably with NTP",
        ),
        _ => Finding::fine("clock", format!("the clock says {now}")),
    }
}
