//! The overview: what the programme did yesterday and in 28 days, and what waits.

use maud::{Markup, PreEscaped, html};
use pointbook_access::console_kit::components::respond;
use pointbook_access::console_kit::navigation::sections;
use pointbook_access::console_kit::plots::{axis_days, chart_number};
use pointbook_access::console_kit::{Access, PageSpec, Visit, page};
use pointbook_domain::{OrderStatus, PageNumber, PageRequest, PageSize, Scope};
use pointbook_http::charts::{Caption, Chart, Number, Series, SeriesTexts, Size, TimeSeries};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, Words, number, see_other};
use pointbook_reports::for_role::{numbers, run_named};
use pointbook_reports::reports::ReportTable;
use pointbook_store::ports::OrderFilter;

use crate::sections::health;

pub(super) static PAGES: [PageSpec; 1] = [page!("console.overview", GET "", Access::Operator, [], show)];

/// A figure: the id of its name, the report and the columns whose sum each day has, and what stands for all days.
struct Figure {
    name: &'static str,
    report: &'static str,
    columns: &'static [&'static str],
    total: Total,
}

enum Total {
    /// The sum of the days.
    Sum,
    /// The last value of a column, and the id of what it is.
    Last(&'static str, &'static str),
}

impl Total {
    /// The id of what the number is of.
    fn period(&self) -> &'static str {
        match self {
            Self::Sum => IN_28_DAYS,
            Self::Last(_, period) => period,
        }
    }
}

const FIGURES: [Figure; 5] = [
    Figure {
        name: "figure-issued",
        report: "points",
        columns: &["earned_points", "bonus_points"],
        total: Total::Sum,
    },
    Figure { name: "figure-spent", report: "points", columns: &["spent_points"], total: Total::Sum },
    Figure {
        name: "figure-open",
        report: "points",
        columns: &["open_points"],
        total: Total::Last("open_points", "now"),
    },
    Figure {
        name: "figure-active",
        report: "members",
        columns: &["active_members"],
        total: Total::Last("active_28_days", IN_28_DAYS),
    },
    Figure { name: "figure-new", report: "members", columns: &["new_members"], total: Total::Sum },
];

const IN_28_DAYS: &str = "in-28-days";

/// Operators whose role has no figures begin with their first section.
async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let role = visit.signed_in()?.operator.role;
    if !role.has(Scope::ReportsRead) {
        let first = sections(role).next();
        return Ok(see_other(&visit.path(first.map_or("/sessions", |first| first.path))));
    }
    let points = run_named(visit, "points", None, None).await?;
    let members = run_named(visit, "members", None, None).await?;
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
    Ok(html! {
        @if placed > 0 {
            p .waiting { a href=(visit.path("/orders")) { (visit.words.with("orders-waiting", "count", count)) } }
        }
    })
}

/// Numbers that are not all counted yet are wrong, so "–" stands for them.
fn tile(visit: &Visit<'_>, figure: &Figure, table: &ReportTable) -> Markup {
    let words = visit.words;
    let mut values = sums(table, figure.columns);
    if !table.is_complete {
        values.fill(None);
    }
    // Today is not over. The day before it is the last whole one.
    let yesterday = values.len().checked_sub(2).and_then(|at| values.get(at)).copied().flatten();
    let total = match figure.total {
        _ if !table.is_complete => shown(None, words),
        Total::Sum => sum(&values, words),
        Total::Last(column, _) => shown(numbers(table, column).last().copied().flatten(), words),
    };
    let days = axis_days(table.range.days(), words);
    let name = words.say(figure.name);
    let series =
        [Series { name: &name, values: values.iter().map(|value| value.map(Number::from)).collect() }];
    let format = |value: Number| chart_number(value, words);
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
            h2 { a href=(visit.path(&format!("/reports/{}", figure.report))) { (name) } }
            p { strong { (total) } " " span .quiet { (words.say(figure.total.period())) } }
            p .quiet { (words.with("yesterday", "count", shown(yesterday, words))) }
            @if values.iter().flatten().any(|value| *value != 0) { (PreEscaped(chart.svg(Size::Narrow))) }
        }
    }
}

/// The sum of these columns, by row. `None` stands for a row with a hidden number.
fn sums(table: &ReportTable, columns: &[&str]) -> Vec<Option<i64>> {
    let add = |sums: Vec<Option<i64>>, more: Vec<Option<i64>>| -> Vec<Option<i64>> {
        sums.into_iter().zip(more).map(|(one, other)| Some(one?.saturating_add(other?))).collect()
    };
    columns.iter().map(|column| numbers(table, column)).reduce(add).unwrap_or_default()
}

/// A number that may be hidden from the operator.
fn shown(value: Option<i64>, words: &Words) -> String {
    value.map_or_else(|| "–".to_owned(), |value| number(value, words))
}

/// The sum of the numbers that the operator may see. It is the least that the sum is when others are hidden.
fn sum(values: &[Option<i64>], words: &Words) -> String {
    let at_least = if values.contains(&None) { "≥ " } else { "" };
    format!("{at_least}{}", number(values.iter().flatten().sum(), words))
}
