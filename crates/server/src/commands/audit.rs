//! `pointbook audit`: every balance and day, recomputed from the transactions.

use std::io::{self, BufWriter, Stdout, Write};

use clap::Args;
use pointbook_app::{AuditReport, ServedTenant, audit_ledger};
use pointbook_domain::audit::{AuditedUser, UserTotals};

use super::{CommandResult, Context, Failure, Verdict, find_tenant};

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Only this tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long, value_name = "TENANT")]
    tenant: Option<String>,

    /// Print what every user's transactions come to, as CSV: `user_id,transactions,days,user_points`
    ///
    /// Then the differences go to the standard error.
    #[arg(long, requires = "tenant")]
    totals: bool,
}

/// Audits one tenant, or all.
pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let service = context.open_once().await?;
    let tenants = match &arguments.tenant {
        Some(text) => vec![find_tenant(&service, text)?],
        None => service.directory().tenants().to_vec(),
    };
    let mut verdict = Verdict::Fine;
    for served in tenants {
        let report = audit_tenant(&served, arguments.totals).await?;
        let (name, AuditReport { users, transactions, differences }) = (served.name(), report);
        eprintln!("{name}: {users} users, {transactions} transactions, {differences} differences");
        if differences > 0 {
            verdict = Verdict::FoundWrong;
        }
    }
    Ok(verdict)
}

async fn audit_tenant(served: &ServedTenant, totals: bool) -> Result<AuditReport, Failure> {
    let name = served.name().to_string();
    let mut results = BufWriter::new(io::stdout());
    let mut written =
        if totals { writeln!(results, "user_id,transactions,days,user_points") } else { Ok(()) };
    let report = audit_ledger(&*served.data, |user| {
        // The first failure stays: nobody reads what would follow.
        if written.is_ok() {
            written = if totals {
                write_totals(&mut results, user)
            } else {
                write_differences(&mut results, &name, user)
            };
        }
    })
    .await?;
    written.and_then(|()| results.flush()).map_err(|error| Failure::output(&error))?;
    Ok(report)
}

fn write_differences(results: &mut BufWriter<Stdout>, name: &str, user: &AuditedUser) -> io::Result<()> {
    user.differences.iter().try_for_each(|difference| writeln!(results, "{name}: {difference}"))
}

fn write_totals(results: &mut BufWriter<Stdout>, user: &AuditedUser) -> io::Result<()> {
    for difference in &user.differences {
        eprintln!("{difference}");
    }
    let UserTotals { user_id, transactions, days, user_points } = &user.totals;
    let user_id = csv_cell(user_id.as_str());
    writeln!(results, "{user_id},{transactions},{days},{user_points}")
}

/// A text as one cell of CSV (RFC 4180).
fn csv_cell(text: &str) -> String {
    if text.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::csv_cell;

    #[test]
    fn a_cell_is_quoted_where_it_must_be() {
        assert_eq!(csv_cell("u-1 ü"), "u-1 ü");
        assert_eq!(csv_cell("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
    }
}
