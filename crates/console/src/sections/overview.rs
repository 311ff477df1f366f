//! The overview: what the programme did yesterday and in 28 days, and what waits.

use std::time::Duration;

use maud::{Markup, PreEscaped, html};
use pointbook_app::ports::OrderFilter;
use pointbook_charts::{Caption, Chart, Number, Series, SeriesTexts, Size, TimeSeries};
use pointbook_domain::{OrderStatus, PageNumber, PageRequest, PageSize, Scope};
use pointbook_figures::reports::{ReportError, ReportTable, Value, find_report, run_report};
use pointbook_http_kernel::Response;
use pointbook_page_kit::{PageError, number, see_other};

use crate::components::respond;
use crate::days::axis_days;
use crate::navigation::SECTIONS;
use crate::page_spec::{Access, PageSpec, page};
use crate::sections::health;
use crate::visit::Visit;

pub(super) static PAGES: [PageSpec; 1] = [page!("console.overview", GET "", Access::Operator, [], show)];

/// How long a page counts what is new in the ledger.
const PATIENCE: Duration = Duration::from_millis(500);

/// A figure: the id of its name, its report and column, and whether the 28 days are summed, or the last day stands for them.
struct Figure {
    name: &'static str,
    report: &'static str,
    column: &'static str,
    is_summed: bool,
}

const FIGURES: [Figure; 5] = [
    Figure { name: "figure-issued", report: "points", column: "earned_points", is_summed: true },
    Figure { name: "figure-spent", report: "points", column: "spent_points", is_summed: true },
    Figure { name: "figure-open", report: "points", column: "open_points", is_summed: false },
    Figure { name: "figure-active", report: "members", column: "active_members", is_summed: false },
    Figure { name: "figure-new", report: "members", column: "new_members", is_summed: true },
];

/// Operators whose role has no figures begin with their first section.
async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let role = visit.signed_in()?.operator.role;
    if !role.has(Scope::ReportsRead) {
        let first = SECTIONS.iter().find(|section| section.access.admits(role));
        return Ok(see_other(&visit.path(first.map_or("/sessions", |first| first.path))));
    }
    let (points, members) = (report(visit, "points").await?, report(visit, "members").await?);
    let words = visit.words;
    let content = html! {
        (waiting(visit).await?)
        (health::warnings(visit).await?)
        @if !points.is_complete { p .notice role="status" { (words.say("still-counting")) } }
        div .tiles {
            @for figure in &FIGURES {
                (tile(visit, figure, if figure.report == "points" { &points } else { &members }))
            }
        }
        p .quiet { (words.with("days-of-zone", "name", points.time_zone.as_str())) }
    };
    Ok(respond(visit, "", &words.say("overview"), &content))
}

pub(super) async fn report(visit: &Visit<'_>, name: &str) -> Result<ReportTable, PageError> {
    let report = find_report(name).ok_or(PageError::NotFound)?;
    run_report(&visit.context()?, report, None, None, PATIENCE).await.map_err(|error| match error {
        ReportError::Store(error) => error.into(),
        ReportError::Range(_) => PageError::BadRequest,
    })
}

/// The orders that wait to be sent, for operators who may see orders.
async fn waiting(visit: &Visit<'_>) -> Result<Markup, PageError> {
    if !visit.signed_in()?.operator.role.has(Scope::OrdersRead) {
        return Ok(html! {});
    }
    let filter = OrderFilter { status: Some(OrderStatus::Placed), ..OrderFilter::default() };
    let placed = visit
        .served
        .data
        .orders(&filter, PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT })
        .await?
        .total;
    let count = number(i64::try_from(placed).unwrap_or(i64::MAX), visit.words);
    Ok(html! { p .waiting { (visit.words.with("orders-waiting", "count", count)) } })
}

fn tile(visit: &Visit<'_>, figure: &Figure, table: &ReportTable) -> Markup {
    let words = visit.words;
    let values = values(table, figure.column);
    // Today is not over. The day before it is the last whole one.
    let yesterday = values.len().checked_sub(2).and_then(|at| values.get(at)).copied().unwrap_or_default();
    let total =
        if figure.is_summed { values.iter().sum() } else { values.last().copied().unwrap_or_default() };
    let days = axis_days(table.range.days(), words);
    let name = words.say(figure.name);
    let series =
        [Series { name: &name, values: values.iter().map(|value| Some(Number::from(*value))).collect() }];
    let format = |value: Number| match value {
        Number::Whole(whole) => number(i64::try_from(whole).unwrap_or(i64::MAX), words),
        Number::Real(real) => real.to_string(),
    };
    let (day, none) = (words.say("day"), words.say("no-figures"));
    let chart = TimeSeries {
        caption: Caption { id: figure.name, title: &name, description: &words.say("chart-description") },
        days: &days,
        series: &series,
        number: &format,
        texts: SeriesTexts { day: &day, gap: "–", empty: &none },
    };
    html! {
        section .tile {
            h2 { (name) }
            p { strong { (number(total, words)) } " " span .quiet { (words.say(if figure.is_summed { "in-28-days" } else { "now" })) } }
            p .quiet { (words.with("yesterday", "count", number(yesterday, words))) }
            (PreEscaped(chart.svg(Size::Narrow)))
        }
    }
}

/// The numbers of a column, by day.
fn values(table: &ReportTable, column: &str) -> Vec<i64> {
    let Some(place) = table.report.columns.iter().position(|known| known.name == column) else {
        return Vec::new();
    };
    let number = |row: &Vec<Value>| match row.get(place) {
        Some(Value::Number(number)) => *number,
        _ => 0,
    };
    table.rows.iter().map(number).collect()
}
