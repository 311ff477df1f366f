//! A report: its days, its chart and its table.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::components::{empty, empty_with};
use pointbook_access::console_kit::icons::{Icon, icon};
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::{Visit, assets};
use pointbook_domain::{Day, Role, Scope};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, date, pager};

use super::cells::{PATH, rows_table};
use super::days::{Days, UNTIL, parameters};
use super::{plots, tiles};
use crate::for_role::run;
use crate::reports::{
    Column, DayRange, Report, ReportError, ReportTable, Span, Value, counted_days, find_report,
};

/// The rows of a table on one page.
const ROWS: u32 = 50;

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    show_named(visit, &visit.param("name")?).await
}

pub(super) async fn earners(visit: &Visit<'_>) -> Result<Response, PageError> {
    show_named(visit, "earners").await
}

async fn show_named(visit: &Visit<'_>, name: &str) -> Result<Response, PageError> {
    let report = find_report(name).ok_or(PageError::NotFound)?;
    let has_days = report.span == Span::Days;
    let mut days = Days::read(visit);
    if has_days && days.is_wrong() {
        return Ok(refused(visit, report, &days));
    }
    let (from, until) = if has_days { (days.from, days.until) } else { (None, None) };
    let table = match run(visit, report, from, until).await? {
        Ok(table) => table,
        Err(ReportError::Store(error)) => return Err(error.into()),
        Err(ReportError::Range(error)) => {
            days.refuse(visit, error);
            return Ok(refused(visit, report, &days));
        }
    };
    let path = path(visit, report);
    let silence =
        if has_days && table.is_complete { silence(visit, table.range, &path).await? } else { None };
    let before = if has_days && silence.is_none() { before(visit, &table).await? } else { None };
    let content = html! {
        @if let Some(silence) = &silence { (silence) }
        @if silence.is_none() || !is_blank(&table) { (contents(visit, &table, before.as_ref())) }
    };
    let actions = html! {
        @if has_days { (days.form(visit, &path, Some(table.range))) }
        @if !table.rows.is_empty() {
            a .button href=(file_path(&table, &path)) download title=(visit.words.say("report-csv")) { (icon(Icon::Download)) "CSV" }
        }
    };
    Ok(sheet(visit, report).actions(actions).respond(&content))
}

/// The same report of as many days before, when a tile or a line compares them.
async fn before(visit: &Visit<'_>, table: &ReportTable) -> Result<Option<ReportTable>, PageError> {
    let DayRange { from, until } = table.range;
    let days = until.as_days() - from.as_days() + 1;
    let [first, last] = [from.as_days() - days, from.as_days() - 1].map(Day::from_days);
    let is_compared = table.report.name == "members" || !tiles::of(table.report).is_empty();
    if !is_compared || first.is_none() {
        return Ok(None);
    }
    Ok(run(visit, table.report, first, last).await?.ok())
}

/// What to say of days without transactions: which days have some. `None` for days with transactions.
async fn silence(visit: &Visit<'_>, range: DayRange, path: &str) -> Result<Option<Markup>, PageError> {
    let (context, words) = (visit.context::<()>()?, visit.words);
    if counted_days(&context, range).await?.is_some() {
        return Ok(None);
    }
    let Some((first, last)) = counted_days(&context, DayRange::ever()).await? else {
        let may_import = visit.signed_in()?.operator.role.has(Scope::ProductsWrite);
        let imports = may_import.then_some(("/imports", "imports"));
        return Ok(Some(empty_with(visit, "report-no-transactions", imports)));
    };
    let none = [("from", date(range.from, words)), ("until", date(range.until, words))];
    let some = [("first", date(first, words)), ("last", date(last, words))];
    Ok(Some(html! {
        p .empty { (words.with_all("report-silent-days", none)) " " (words.with_all("report-days-with-transactions", some)) }
        p { a .button href={ (path) "?" (UNTIL) "=" (last) } { (words.say("report-show-last-days")) } }
    }))
}

/// Whether no row says that something happened in its days. Open points are those of earlier days, too.
fn is_blank(table: &ReportTable) -> bool {
    let is_silent = |(column, value): (&Column, &Value)| {
        column.name == "open_points" || matches!(value, Value::Day(_) | Value::Number(0))
    };
    table.rows.iter().all(|row| table.report.columns.iter().zip(row).all(is_silent))
}

/// The page with what is wrong with the days.
fn refused(visit: &Visit<'_>, report: &Report, days: &Days) -> Response {
    let form = days.form(visit, &path(visit, report), None);
    sheet(visit, report).actions(form).respond_with(StatusCode::UNPROCESSABLE_ENTITY, &html! {})
}

fn path(visit: &Visit<'_>, report: &Report) -> String {
    visit.path(&format!("{PATH}/{}", report.name))
}

fn sheet<'v>(visit: &'v Visit<'v>, report: &Report) -> Sheet<'v> {
    let [title, about] = ["", "-about"].map(|end| visit.words.say(&format!("report-{}{end}", report.name)));
    Sheet::new(visit, PATH, title).styled(&[assets::CHARTS]).line(html! { (about) })
}

fn contents(visit: &Visit<'_>, table: &ReportTable, before: Option<&ReportTable>) -> Markup {
    let words = visit.words;
    let is_analyst = visit.signed_in.as_ref().is_some_and(|own| own.operator.role == Role::Analyst);
    let hides = table.rows.iter().flatten().any(|value| matches!(value, Value::Few | Value::Hidden));
    let zone = words.with("days-of-zone", "name", table.time_zone.as_str());
    html! {
        @if !table.is_complete { p .notice role="status" { (words.say("report-counting")) } }
        @if table.rows.is_empty() {
            (empty(visit, if table.report.name == "uplift" { "report-empty-uplift" } else { "report-empty" }))
        } @else {
            @if hides && is_analyst { p .notice { (words.say("report-hidden")) } }
            (tiles::tiles(visit, table, before))
            div .cards { (plots::plots(visit, table, before)) }
            (page_of_rows(visit, table))
            p .quiet { (zone) }
        }
    }
}

fn file_path(table: &ReportTable, path: &str) -> String {
    match table.report.span {
        Span::Whole => format!("{path}/csv"),
        Span::Days => {
            let [(from, first), (until, last)] = parameters(table.range);
            format!("{path}/csv?{from}={first}&{until}={last}")
        }
    }
}

/// One page of rows. Those of the newest days and months come first. The table of cohorts is long, and its chart says the same: it is closed.
fn page_of_rows(visit: &Visit<'_>, table: &ReportTable) -> Markup {
    let mut rows: Vec<&Vec<Value>> = table.rows.iter().collect();
    if matches!(table.rows.first().and_then(|row| row.first()), Some(Value::Day(_) | Value::Month(_))) {
        rows.reverse();
    }
    let (window, shown) = visit.page_of(&rows, ROWS);
    let days = parameters(table.range);
    let days: Vec<(&str, &str)> = match table.report.span {
        Span::Days => days.iter().map(|(name, day)| (*name, day.as_str())).collect(),
        Span::Whole => Vec::new(),
    };
    let address = visit.address_of_pages(&format!("{PATH}/{}", table.report.name), &days);
    let rows = html! { @if !shown.is_empty() { (rows_table(visit, table, shown.iter().copied())) } (pager(visit.words, &window, &address)) };
    if table.report.name != "cohorts" {
        return rows;
    }
    html! { details .panel.wide open[!visit.query("page").is_empty()] { summary { (visit.words.say("chart-as-table")) } (rows) } }
}
