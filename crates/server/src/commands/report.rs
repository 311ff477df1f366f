//! `pointbook report`: the figures of a tenant.

use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use pointbook_domain::Day;
use pointbook_domain::zones::timestamp_text::parse_day;
use pointbook_reports::rebuild;
use pointbook_reports::reports::{
    DayRange, REPORTS, ReportError, ReportTable, Span, Value, counted_days, find_report, run_report,
};
use pointbook_reports::view::ReportView;

use super::{
    CommandResult, Context, DatabaseClient, Failure, acting, align, find_tenant, print, say, visible,
};
use crate::export::Cells;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Arguments {
    /// The report
    #[arg(value_parser = PossibleValuesParser::new(REPORTS.iter().map(|report| report.name)))]
    name: String,

    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    /// The first day, as YYYY-MM-DD, in the time zone of the tenant [default: 27 days before the last day]
    #[arg(long, value_name = "DAY", value_parser = day)]
    from: Option<Day>,

    /// The last day, at most 399 days after the first one [default: today]
    #[arg(long, value_name = "DAY", value_parser = day)]
    until: Option<Day>,

    /// Print JSON, as `GET /v1/manage/reports` does
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print CSV
    #[arg(long)]
    csv: bool,

    /// For spreadsheets: put an apostrophe before strings that a spreadsheet would run as a formula
    #[arg(long, requires = "csv", conflicts_with = "json")]
    excel_safe: bool,

    /// First throw away all figures of the tenant and count its ledger again
    #[arg(long)]
    rebuild: bool,
}

fn day(text: &str) -> Result<Day, String> {
    parse_day(text).ok_or_else(|| format!("{text:?} is no day such as 2026-05-04"))
}

pub(crate) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let service = context.open_as(DatabaseClient::Command).await?;
    let acting = acting(&service, &find_tenant(&service, &arguments.tenant)?);
    let name = &arguments.name;
    let report = find_report(name).ok_or_else(|| Failure::input(format!("there is no report {name:?}")))?;
    if report.span == Span::Whole && (arguments.from.is_some() || arguments.until.is_some()) {
        return Err(Failure::input(format!(
            "the report {name} is of all time: leave out --from and --until"
        )));
    }
    if arguments.rebuild {
        rebuild(&acting).await?;
    }
    let (from, until) = (arguments.from, arguments.until);
    let table = run_report(&acting, report, from, until, Duration::MAX).await.map_err(refused)?;
    if report.span == Span::Days {
        explain_empty_days(&acting, table.range).await?;
    }
    print_table(&arguments, &table)
}

/// Says which days have transactions when those of the report have none. Days to come without transactions are refused.
async fn explain_empty_days(acting: &pointbook_store::context::Context, days: DayRange) -> CommandResult {
    if counted_days(acting, days).await?.is_some() {
        return Ok(());
    }
    let DayRange { from, until } = days;
    let zone = acting.tenant.zone();
    let today = zone.local_time(acting.now).day;
    if from > today {
        return Err(Failure::input(format!(
            "{from} is in the future: today is {today} in the time zone {} of the tenant",
            zone.name().as_str()
        )));
    }
    match counted_days(acting, DayRange::ever()).await? {
        Some((first, last)) => say(format_args!(
            "no transactions from {from} until {until}: the first day with transactions is {first}, the last is {last}"
        )),
        None => say("the tenant has no transactions"),
    }
    Ok(())
}

fn refused(error: ReportError) -> Failure {
    match error {
        ReportError::Range(error) => Failure::input(format!("--until {error}")),
        ReportError::Store(error) => error.into(),
    }
}

fn print_table(arguments: &Arguments, table: &ReportTable) -> CommandResult {
    if arguments.json {
        let json = serde_json::to_string_pretty(&ReportView::from(table));
        return print(format_args!("{}\n", json.unwrap_or_default()));
    }
    if arguments.csv {
        let cells = if arguments.excel_safe { Cells::ExcelSafe } else { Cells::Exact };
        return print(String::from_utf8_lossy(&table.to_csv(|text| cells.text(text))));
    }
    let titles = table.report.columns.iter().map(|column| column.name.to_uppercase().replace('_', " "));
    let row = |values: &Vec<Value>| values.iter().map(|value| visible(&value.to_string())).collect();
    let total = table.total().map(total_line);
    let rows: Vec<Vec<String>> =
        std::iter::once(titles.collect()).chain(table.rows.iter().map(row)).chain(total).collect();
    print(align(&rows))
}

/// The last line of the table: `-` where a column cannot be added.
fn total_line(total: Vec<Option<Value>>) -> Vec<String> {
    let cell = |value: Option<Value>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
    std::iter::once("TOTAL".to_owned()).chain(total.into_iter().skip(1).map(cell)).collect()
}
