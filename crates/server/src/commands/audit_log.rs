//! `pointbook audit-log`: who changed what.

use clap::Subcommand;
use pointbook_access::audit_log::view::AuditEntryView;
use pointbook_access::audit_log::{AuditLogFilter, audit_entries};

use super::{CommandResult, Context, DatabaseClient, Failure, find_tenant, print};

/// How many entries are in memory at a time.
const ENTRIES_PER_READ: u32 = 1_000;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the entries as JSON, one per line, the oldest first
    Export {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// Only entries after this `seq`
        #[arg(long, value_name = "SEQ", default_value_t = 0)]
        after: u64,

        /// Only entries of this actor, such as key:a0a1a2a3a4a5a6a7a8a9, command-line or job:clean-audit-log
        #[arg(long)]
        actor: Option<String>,

        /// Only entries about this object, such as product:cafe-mug or user:ben
        #[arg(long)]
        object: Option<String>,
    },
}

pub(crate) async fn run(command: Command, context: &Context) -> CommandResult {
    let Command::Export { tenant, mut after, actor, object } = command;
    let service = context.open_as(DatabaseClient::ReadOnly).await?;
    let served = find_tenant(&service, &tenant)?;
    let filter = AuditLogFilter { actor, object };
    loop {
        let page = audit_entries(&*served.data, &filter, after, ENTRIES_PER_READ).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.seq;
        for entry in &page {
            let line = serde_json::to_string(&AuditEntryView::from(entry));
            let line = line.map_err(|error| Failure::failed(error.to_string()))?;
            print(format_args!("{line}\n"))?;
        }
    }
}
