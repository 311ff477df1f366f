//! `pointbook audit`: recomputes every balance, day, order and stock from the ledger, and the chain of the audit log.

use std::fmt::Display;
use std::io::{IsTerminal, Stdout};
use std::sync::Arc;
use std::{fmt, io};

use clap::Args;
use pointbook_access::audit_log::{AuditLogReport, verify_audit_log};
use pointbook_catalogue::pictures::{PictureReport, audit_pictures};
use pointbook_domain::audit::{AuditedUser, UserTotals};
use pointbook_points::audit::audit_sums;
use pointbook_points::audit::ledger::{AuditReport, audit_ledger};
use pointbook_points::audit::stock::{StockReport, audit_stock};
use pointbook_reports::audit_figures;
use pointbook_store::ServedTenant;
use pointbook_store::ports::TenantData;
use serde_json::{Value, json};

use super::{CommandResult, Context, DatabaseClient, Failure, find_tenants, print, say, visible, written};
use crate::export::{Cells, io_error};

/// The columns of `--totals`. A column `tenant` precedes them unless `--tenant` is given.
const COLUMNS: [&str; 4] = ["user_id", "transactions", "days", "user_points"];

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only this tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long, value_name = "TENANT")]
    tenant: Option<String>,

    /// Print the totals of every user as CSV: `user_id,transactions,days,user_points`
    ///
    /// Without --tenant, a column `tenant` comes first. Differences and counts then go to the standard error.
    #[arg(long)]
    totals: bool,

    /// Print JSON: `ok`, and the counts and differences of each tenant
    #[arg(long, conflicts_with = "totals")]
    json: bool,

    /// For spreadsheets: put an apostrophe before strings that a spreadsheet would run as a formula
    #[arg(long, requires = "totals")]
    excel_safe: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let service = context.open_as(DatabaseClient::ReadOnly).await?;
    let tenants = find_tenants(&service, arguments.tenant.as_deref())?;
    if tenants.is_empty() {
        let database = context.database()?;
        return Err(Failure::input(format!("{database} has no tenants: nothing to audit")));
    }
    if arguments.json {
        return print_json(&tenants).await;
    }
    let mut output = if arguments.totals { Output::totals(&arguments) } else { Output::lines() };
    let mut is_right = true;
    for served in tenants {
        let name = served.name().to_string();
        let found = audit_into(&mut output, &name, &*served.data).await?;
        output.line(format_args!("{name}: {found}"));
        is_right &= found.differences() == 0;
    }
    output.finish()?;
    if is_right { Ok(()) } else { Err(Failure::found_wrong()) }
}

async fn print_json(tenants: &[Arc<ServedTenant>]) -> CommandResult {
    let (mut reports, mut is_right) = (Vec::new(), true);
    for served in tenants {
        let mut differences = Vec::new();
        let ledger = audit_ledger(&*served.data, |user| {
            differences.extend(user.differences.iter().map(ToString::to_string));
        });
        let ledger = ledger.await?;
        let stock = audit_stock(&*served.data, |difference| differences.push(difference.to_string())).await?;
        let sums = audit_sums(&*served.data).await?;
        differences.extend(sums.iter().cloned());
        let figures = audit_figures(&*served.data).await?;
        differences.extend(figures.iter().cloned());
        let pictures = audit_pictures(&*served.data).await?;
        differences.extend(pictures.differences.iter().cloned());
        let audit_log = verify_audit_log(&*served.data).await?;
        differences.extend(audit_log.differences.iter().cloned());
        let found = Found { ledger, stock, sums, figures, pictures, audit_log };
        is_right &= found.differences() == 0;
        reports.push(found.to_json(&served.name().to_string(), &differences));
    }
    print(format_args!("{:#}\n", json!({ "ok": is_right, "tenants": reports })))?;
    if is_right { Ok(()) } else { Err(Failure::found_wrong()) }
}

/// The results of the audits of a tenant: ledger, stock, budgets of campaigns, held activities, figures, pictures and audit log.
pub(super) struct Found {
    ledger: AuditReport,
    stock: StockReport,
    /// The differences.
    sums: Vec<String>,
    /// The differences.
    figures: Vec<String>,
    pictures: PictureReport,
    audit_log: AuditLogReport,
}

impl Found {
    pub(super) fn differences(&self) -> u64 {
        let of_lists = self.sums.len()
            + self.figures.len()
            + self.pictures.differences.len()
            + self.audit_log.differences.len();
        self.ledger.differences + self.stock.differences + of_lists as u64
    }

    fn to_json(&self, tenant: &str, differences: &[String]) -> Value {
        json!({
            "tenant": tenant,
            "users": self.ledger.users,
            "transactions": self.ledger.transactions,
            "orders": self.ledger.orders,
            "products": self.stock.products,
            "pictures": self.pictures.pictures,
            "audit_log_entries": self.audit_log.entries,
            "differences": differences,
        })
    }
}

impl Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AuditReport { users, transactions, orders, differences: _ } = self.ledger;
        let StockReport { products, differences: _ } = self.stock;
        let entries = self.audit_log.entries;
        let differences = self.differences();
        write!(
            f,
            "{users} users, {transactions} transactions, {orders} orders, {products} products, \
             {entries} audit log entries, {differences} differences"
        )
    }
}

/// Audits one tenant and prints its differences under this name.
pub(super) async fn audit_tenant(name: &str, data: &dyn TenantData) -> Result<Found, Failure> {
    let mut output = Output::lines();
    let found = audit_into(&mut output, name, data).await?;
    output.finish()?;
    Ok(found)
}

async fn audit_into(output: &mut Output, name: &str, data: &dyn TenantData) -> Result<Found, Failure> {
    let ledger = audit_ledger(data, |user| output.user(name, user)).await?;
    let stock = audit_stock(data, |difference| output.difference(name, difference)).await?;
    let sums = audit_sums(data).await?;
    let figures = audit_figures(data).await?;
    let pictures = audit_pictures(data).await?;
    for difference in sums.iter().chain(&figures).chain(&pictures.differences) {
        output.difference(name, difference);
    }
    let audit_log = verify_audit_log(data).await?;
    audit_log.differences.iter().for_each(|difference| output.difference(name, difference));
    Ok(Found { ledger, stock, sums, figures, pictures, audit_log })
}

/// Prints lines to the standard output. With totals, the totals go there and the lines to the standard error.
struct Output {
    totals: Option<csv::Writer<Stdout>>,
    names_tenants: bool,
    cells: Cells,
    /// The first write error.
    state: CommandResult,
}

impl Output {
    fn lines() -> Self {
        Self { totals: None, names_tenants: true, cells: Cells::Exact, state: Ok(()) }
    }

    fn totals(arguments: &Arguments) -> Self {
        let names_tenants = arguments.tenant.is_none();
        let cells = if arguments.excel_safe { Cells::ExcelSafe } else { Cells::Exact };
        let mut rows = csv::Writer::from_writer(io::stdout());
        let columns = names_tenants.then_some("tenant").into_iter().chain(COLUMNS);
        let state = written(rows.write_record(columns).map_err(io_error));
        Self { totals: Some(rows), names_tenants, cells, state }
    }

    fn user(&mut self, name: &str, user: &AuditedUser) {
        user.differences.iter().for_each(|difference| self.difference(name, difference));
        if let Some(rows) = &mut self.totals
            && self.state.is_ok()
        {
            let UserTotals { user_id, transactions, days, orders: _, user_points } = &user.totals;
            let user_id = self.cells.text(user_id.as_str().to_owned());
            // An id must not send control sequences to a terminal. A program gets it unchanged.
            let user_id = if io::stdout().is_terminal() { visible(&user_id) } else { user_id };
            let numbers = [transactions.to_string(), days.to_string(), user_points.to_string()];
            let tenant = self.names_tenants.then(|| name.to_owned());
            let record = tenant.into_iter().chain([user_id]).chain(numbers);
            self.state = written(rows.write_record(record).map_err(io_error));
        }
    }

    /// Prints a difference of a user or a product.
    fn difference(&mut self, name: &str, difference: &dyn Display) {
        if self.names_tenants {
            self.line(format_args!("{name}: {difference}"));
        } else {
            say(difference);
        }
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        if self.totals.is_some() {
            say(line);
        } else if self.state.is_ok() {
            self.state = print(format_args!("{line}\n"));
        }
    }

    fn finish(self) -> CommandResult {
        self.state?;
        self.totals.map_or(Ok(()), |mut rows| written(rows.flush()))
    }
}
