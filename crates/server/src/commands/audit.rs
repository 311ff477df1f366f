//! `pointbook audit`: every balance, day, order and stock, recomputed from the ledger.

use std::fmt;
use std::io::{self, BufWriter, Stdout, Write};

use clap::Args;
use pointbook_app::ports::TenantData;
use pointbook_app::{AuditReport, StockReport, audit_ledger, audit_stock};
use pointbook_domain::audit::{AuditedUser, UserTotals};

use super::{CommandResult, Context, Failure, Verdict, find_tenant, say, written};
use crate::export::io_error;

/// The columns of `--totals`.
const COLUMNS: [&str; 4] = ["user_id", "transactions", "days", "user_points"];

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
        let name = served.name().to_string();
        let found = audit_tenant(&name, &*served.data, arguments.totals).await?;
        say(format_args!("{name}: {found}"));
        if found.differences() > 0 {
            verdict = Verdict::FoundWrong;
        }
    }
    Ok(verdict)
}

/// What both audits of a tenant came to.
pub(super) struct Found {
    ledger: AuditReport,
    stock: StockReport,
}

impl Found {
    pub(super) fn differences(&self) -> u64 {
        self.ledger.differences + self.stock.differences
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AuditReport { users, transactions, orders, differences: _ } = self.ledger;
        let StockReport { products, differences: _ } = self.stock;
        let differences = self.differences();
        write!(
            f,
            "{users} users, {transactions} transactions, {orders} orders, {products} products, \
             {differences} differences"
        )
    }
}

/// Audits one tenant; differences are printed under this name.
pub(super) async fn audit_tenant(name: &str, data: &dyn TenantData, totals: bool) -> Result<Found, Failure> {
    let mut output = Output::begin(name, totals);
    let ledger = audit_ledger(data, |user| output.user(user)).await?;
    let stock = audit_stock(data, |difference| output.difference(difference)).await?;
    written(output.finish())?;
    Ok(Found { ledger, stock })
}

/// The result: differences, a line each, or the totals of all users as CSV.
enum Output {
    Differences { name: String, lines: BufWriter<Stdout>, state: io::Result<()> },
    Totals { rows: Box<csv::Writer<Stdout>>, state: io::Result<()> },
}

impl Output {
    fn begin(name: &str, totals: bool) -> Self {
        let stdout = io::stdout();
        if totals {
            let mut rows = Box::new(csv::Writer::from_writer(stdout));
            let state = rows.write_record(COLUMNS).map_err(io_error);
            Self::Totals { rows, state }
        } else {
            Self::Differences { name: name.to_owned(), lines: BufWriter::new(stdout), state: Ok(()) }
        }
    }

    /// Writes one user. The first failure stays: nobody reads what would follow.
    fn user(&mut self, user: &AuditedUser) {
        user.differences.iter().for_each(|difference| self.difference(difference));
        match self {
            Self::Totals { rows, state } if state.is_ok() => *state = write_totals(rows, &user.totals),
            Self::Totals { .. } | Self::Differences { .. } => {}
        }
    }

    /// Writes what is wrong with a user or a product.
    fn difference(&mut self, difference: &dyn fmt::Display) {
        match self {
            Self::Differences { name, lines, state } if state.is_ok() => {
                *state = writeln!(lines, "{name}: {difference}");
            }
            Self::Totals { .. } => say(difference),
            Self::Differences { .. } => {}
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Differences { mut lines, state, .. } => state.and_then(|()| lines.flush()),
            Self::Totals { mut rows, state } => state.and_then(|()| rows.flush()),
        }
    }
}

fn write_totals(rows: &mut csv::Writer<Stdout>, totals: &UserTotals) -> io::Result<()> {
    let UserTotals { user_id, transactions, days, orders: _, user_points } = totals;
    let numbers = (transactions.to_string(), days.to_string(), user_points.to_string());
    rows.write_record([user_id.as_str(), &numbers.0, &numbers.1, &numbers.2]).map_err(io_error)
}
