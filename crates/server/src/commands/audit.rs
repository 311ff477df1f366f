//! `pointbook audit`: every balance, day, order and stock, recomputed from the ledger.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use clap::Args;
use pointbook_app::ports::TenantData;
use pointbook_app::{AuditReport, StockReport, audit_ledger, audit_stock};
use pointbook_domain::audit::{AuditedUser, UserTotals};

use super::{CommandResult, Context, Failure, Verdict, find_tenant, say, visible, written};
use crate::export::{Cells, io_error};

/// The columns of `--totals`; the tenant comes before them unless one is named.
const COLUMNS: [&str; 4] = ["user_id", "transactions", "days", "user_points"];

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Only this tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long, value_name = "TENANT")]
    tenant: Option<String>,

    /// Print what every user's transactions come to, as CSV: `user_id,transactions,days,user_points`
    ///
    /// Without --tenant, a column `tenant` comes first. Differences and numbers go to the standard error then.
    #[arg(long)]
    totals: bool,

    /// For a spreadsheet: texts that begin like a formula get an apostrophe
    #[arg(long, requires = "totals")]
    excel_safe: bool,
}

/// Audits one tenant, or all.
pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let service = context.open_read_only().await?;
    let tenants = match &arguments.tenant {
        Some(text) => vec![find_tenant(&service, text)?],
        None => service.directory().tenants().to_vec(),
    };
    if tenants.is_empty() {
        return Err(Failure::input(format!(
            "there is no tenant in {}: nothing to audit",
            context.database()?
        )));
    }
    let mut output = if arguments.totals { Output::totals(&arguments) } else { Output::differences() };
    let mut verdict = Verdict::Fine;
    for served in tenants {
        let name = served.name().to_string();
        let found = audit_into(&mut output, &name, &*served.data).await?;
        output.found(&name, &found);
        if found.differences() > 0 {
            verdict = Verdict::FoundWrong;
        }
    }
    written(output.finish())?;
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
pub(super) async fn audit_tenant(name: &str, data: &dyn TenantData) -> Result<Found, Failure> {
    let mut output = Output::differences();
    let found = audit_into(&mut output, name, data).await?;
    written(output.finish())?;
    Ok(found)
}

async fn audit_into(output: &mut Output, name: &str, data: &dyn TenantData) -> Result<Found, Failure> {
    let ledger = audit_ledger(data, |user| output.user(name, user)).await?;
    let stock = audit_stock(data, |difference| output.difference(name, difference)).await?;
    Ok(Found { ledger, stock })
}

/// The result: differences and numbers, a line each, or the totals of all users as CSV.
enum Output {
    Differences { lines: BufWriter<Stdout>, state: io::Result<()> },
    Totals { rows: Box<csv::Writer<Stdout>>, names_tenants: bool, cells: Cells, state: io::Result<()> },
}

impl Output {
    fn differences() -> Self {
        Self::Differences { lines: BufWriter::new(io::stdout()), state: Ok(()) }
    }

    fn totals(arguments: &Arguments) -> Self {
        let names_tenants = arguments.tenant.is_none();
        let mut rows = Box::new(csv::Writer::from_writer(io::stdout()));
        let columns = names_tenants.then_some("tenant").into_iter().chain(COLUMNS);
        let state = rows.write_record(columns).map_err(io_error);
        let cells = if arguments.excel_safe { Cells::ExcelSafe } else { Cells::Exact };
        Self::Totals { rows, names_tenants, cells, state }
    }

    /// Writes one user. The first failure stays: nobody reads what would follow.
    fn user(&mut self, name: &str, user: &AuditedUser) {
        user.differences.iter().for_each(|difference| self.difference(name, difference));
        match self {
            Self::Totals { rows, names_tenants, cells, state } if state.is_ok() => {
                let tenant = names_tenants.then_some(name);
                *state = write_totals(rows, tenant, *cells, &user.totals);
            }
            Self::Totals { .. } | Self::Differences { .. } => {}
        }
    }

    /// Writes what is wrong with a user or a product.
    fn difference(&mut self, name: &str, difference: &dyn fmt::Display) {
        match self {
            Self::Totals { names_tenants: false, .. } => say(difference),
            _ => self.line(format_args!("{name}: {difference}")),
        }
    }

    /// Writes what both audits of a tenant came to.
    fn found(&mut self, name: &str, found: &Found) {
        self.line(format_args!("{name}: {found}"));
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        match self {
            Self::Differences { lines, state } if state.is_ok() => *state = writeln!(lines, "{line}"),
            Self::Totals { .. } => say(line),
            Self::Differences { .. } => {}
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Differences { mut lines, state } => state.and_then(|()| lines.flush()),
            Self::Totals { mut rows, state, .. } => state.and_then(|()| rows.flush()),
        }
    }
}

fn write_totals(
    rows: &mut csv::Writer<Stdout>,
    tenant: Option<&str>,
    cells: Cells,
    totals: &UserTotals,
) -> io::Result<()> {
    let UserTotals { user_id, transactions, days, orders: _, user_points } = totals;
    let user_id = cells.text(user_id.as_str().to_owned());
    // Ids are printed as they are where a program reads them, and without orders to a terminal where a person does.
    let user_id = if io::stdout().is_terminal() { visible(&user_id) } else { user_id };
    let numbers = [transactions.to_string(), days.to_string(), user_points.to_string()];
    let record = tenant.map(str::to_owned).into_iter().chain([user_id]).chain(numbers);
    rows.write_record(record).map_err(io_error)
}
