//! The database: whether it can be reached, which schema it has, which tenants; and the clock, which its rows may contradict.

use std::sync::Arc;

use pointbook_app::{ServedTenant, Service};
use pointbook_domain::Timestamp;

use super::Finding;
use crate::commands::Context;
use crate::wiring::{DatabaseClient, DatabaseUrl};

/// The findings, and the service when the database could be opened.
pub(crate) async fn examine_database(context: &Context) -> (Vec<Finding>, Option<Arc<Service>>) {
    let mut findings: Vec<_> = context.warnings().iter().map(|warning| risky(warning)).collect();
    match context.open_quietly(DatabaseClient::ReadOnly).await {
        Ok((url, service)) => {
            findings
                .push(Finding::fine("database", format!("{url} opens and has the schema of this version")));
            // A file takes writes by its rights, which are another finding.
            if matches!(url, DatabaseUrl::Postgres(_)) {
                findings.push(takes_writes(&service).await);
            }
            findings.push(tenants(service.directory().tenants()));
            findings.push(clock(service.clock.now(), service.directory().tenants()));
            (findings, Some(service))
        }
        Err(failure) => {
            let advice = "correct it, then run `pointbook doctor` again: it could not look at the tenants";
            findings.push(Finding::problem("database", failure.messages.join("; "), advice));
            (findings, None)
        }
    }
}

/// A warning of the command line says itself what to do.
fn risky(warning: &str) -> Finding {
    let warning = warning.strip_prefix("warning: ").unwrap_or(warning);
    let (message, advice) = warning.rsplit_once(": ").unwrap_or((warning, ""));
    Finding::warning("database", message, advice)
}

async fn takes_writes(service: &Service) -> Finding {
    match service.database.ping().await {
        Ok(ping) if ping.takes_writes => Finding::fine("database", "it takes writes"),
        Ok(_) => Finding::problem(
            "database",
            "it takes no writes: it is a standby or read-only",
            "name the primary server in --database",
        ),
        Err(error) => {
            Finding::problem("database", format!("it does not respond: {error}"), "look at its log")
        }
    }
}

fn tenants(tenants: &[Arc<ServedTenant>]) -> Finding {
    match tenants.len() {
        0 => Finding::warning("tenants", "there are no tenants", "add one with `pointbook tenant add`"),
        1 => Finding::fine("tenants", "1 tenant"),
        count => Finding::fine("tenants", format!("{count} tenants")),
    }
}

/// A clock that runs behind the rows would date new rows before old ones.
fn clock(now: Timestamp, tenants: &[Arc<ServedTenant>]) -> Finding {
    let newest =
        tenants.iter().map(|served| (served.tenant.created_at, served.name())).max_by_key(|newest| newest.0);
    match newest {
        Some((created_at, name)) if created_at > now => Finding::problem(
            "clock",
            format!("it says {now}, but tenant {name} was added at {created_at}"),
            "set the clock of this machine, best by NTP",
        ),
        _ => Finding::fine("clock", format!("it says {now}")),
    }
}
