//! The cells of reports as people read them, and the names of their texts.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{activity_type, quiet_number};
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::plots::short_day;
use pointbook_domain::Scope;
use pointbook_http::pages::{Words, percent, visible};

use crate::Month;
use crate::reports::{Column, ColumnKind, ReportTable, Value};

/// The path of this section.
pub(super) const PATH: &str = "/reports";

/// The end of the id of a text, which has no `_`.
pub(super) fn hyphens(name: &str) -> String {
    name.replace('_', "-")
}

/// The columns that a phone shows, too.
const MAIN: [&str; 25] = [
    "day",
    "ends_in",
    "month",
    "joined",
    "type",
    "campaign",
    "title",
    "label",
    "segment",
    "user_id",
    "recency",
    "frequency",
    "measure",
    "earned_points",
    "spent_points",
    "issued_points",
    "open_points",
    "points",
    "orders",
    "members",
    "active_members",
    "active_percent",
    "new_members",
    "difference_per_1000",
    "result",
];

/// The places of the columns of the page. An id stands below the title beside it. Members spend points of earlier days, so the spent share of
/// a day may be 1,000 %, or below 0 when orders were cancelled: only the tile has it.
fn shown(table: &ReportTable) -> Vec<usize> {
    let columns = table.report.columns;
    let is_id = |at: usize| named_by(table, at + 1).is_some();
    let is_share = |column: &Column| table.report.name == "points" && column.kind == ColumnKind::Percent;
    let is_zero = |at: usize| table.rows.iter().all(|row| matches!(row.get(at), Some(Value::Number(0))));
    // Where points never end, these columns say nothing.
    let is_idle = |at: usize, column: &Column| column.name.starts_with("expired_") && is_zero(at);
    columns
        .iter()
        .enumerate()
        .filter(|(at, column)| !is_id(*at) && !is_share(column) && !is_idle(*at, column))
        .map(|(at, _)| at)
        .collect()
}

/// A table of some rows of a report.
pub(crate) fn rows_table<'t>(
    visit: &Visit<'_>,
    table: &ReportTable,
    rows: impl Iterator<Item = &'t Vec<Value>>,
) -> Markup {
    let (words, total) = (visit.words, table.total());
    let title = words.say(&format!("report-{}", table.report.name));
    let places = shown(table);
    let columns = || places.iter().filter_map(|at| Some((*at, table.report.columns.get(*at)?)));
    let class = |column: &Column| (!MAIN.contains(&column.name)).then_some("rank-2");
    let texts = columns().take_while(|(_, column)| !is_number(column)).count();
    html! {
        div .scroll tabindex="0" role="region" aria-label=(title) {
            table .figures .(format!("texts-{texts}")) {
                thead { tr { @for (at, column) in columns() { th scope="col" class=[class(column)] { (heading(named_by(table, at).unwrap_or(column), words)) } } } }
                tbody { @for row in rows { tr {
                    @for (at, column) in columns() { td class=[class(column)] { (cell(visit, table, row, at)) } }
                } } }
                @if let Some(total) = total {
                    @let row: Vec<Value> = total.iter().map(|value| value.clone().unwrap_or(Value::Hidden)).collect();
                    tfoot { tr { @for (at, column) in columns() { td class=[class(column)] {
                        @if total.get(at).is_some_and(Option::is_some) { (cell(visit, table, &row, at)) } @else if at == 0 { (words.say("report-total")) }
                    } } } }
                }
            }
        }
    }
}

/// The column with the ids of the things whose titles are in this place.
fn named_by(table: &ReportTable, at: usize) -> Option<&Column> {
    let columns = table.report.columns;
    columns.first().filter(|_| columns.get(at).is_some_and(|column| matches!(column.name, "title" | "label")))
}

fn heading(column: &Column, words: &Words) -> String {
    words.say(&format!("column-{}", hyphens(column.name))).into_owned()
}

/// The heading of the column with this name.
pub(super) fn column_name(visit: &Visit<'_>, table: &ReportTable, name: &str) -> String {
    let column = table.report.columns.iter().find(|column| column.name == name);
    column.map(|column| heading(column, visit.words)).unwrap_or_default()
}

fn is_number(column: &Column) -> bool {
    !matches!(column.kind, ColumnKind::Day | ColumnKind::Month | ColumnKind::Text(_))
}

fn cell(visit: &Visit<'_>, table: &ReportTable, row: &[Value], at: usize) -> Markup {
    let words = visit.words;
    let Some(column) = table.report.columns.get(at) else { return html! {} };
    let text = match (row.get(at), column.kind) {
        (Some(Value::Day(day)), _) => short_day(*day, visit),
        (Some(Value::Month(month)), _) => month_name(*month, words),
        (Some(Value::Number(share)), ColumnKind::Percent) => percent(share.saturating_mul(10), words),
        (Some(Value::Number(value)), _) => return quiet_number(*value, words),
        (Some(Value::Few), _) => Value::Few.to_string(),
        (Some(Value::Text(text)), _) => {
            return linked(visit, column, text, named_by(table, at).zip(row.first()));
        }
        (Some(Value::Hidden) | None, _) => "–".to_owned(),
    };
    html! { (text) }
}

/// A text, with a link to what it names. A title has the id of its thing below it.
fn linked(visit: &Visit<'_>, column: &Column, text: &str, id: Option<(&Column, &Value)>) -> Markup {
    let word = match column.name {
        "measure" | "result" => visit.words.say(&format!("{}-{}", column.name, hyphens(text))),
        "segment" => visit.words.say(&format!("segment-{}", hyphens(text))),
        "type" => activity_type(text, visit.words),
        "ends_in" => end(text, visit.words).into(),
        _ => visible(text),
    };
    let role = visit.signed_in.as_ref().map(|signed_in| signed_in.operator.role);
    let section = match id.map_or(column, |(column, _)| column).name {
        "campaign" => Some(("/campaigns/", Scope::CampaignsRead)),
        "product_id" => Some(("/products/", Scope::ProductsRead)),
        "user_id" => Some(("/members/", Scope::UsersRead)),
        _ => None,
    };
    let section = section.filter(|(_, scope)| role.is_some_and(|role| role.has(*scope)));
    let id = id.map(|(_, id)| id.to_string());
    html! {
        @if let Some((below, _)) = section {
            a href=(visit.path(&format!("{below}{}", segment(id.as_deref().unwrap_or(text))))) { (word) }
        } @else { (word) }
        @if let Some(id) = id { span .sub { (visible(&id)) } }
    }
}

/// The month in which points end.
pub(super) fn end(text: &str, words: &Words) -> String {
    let month = text
        .split_once('-')
        .and_then(|(year, month)| Some((year.parse::<i64>().ok()?, month.parse::<i64>().ok()?)));
    match month {
        Some((year, month)) => month_name(Month(year * 12 + month - 1), words),
        None => words.say(&format!("ends-{text}")).into_owned(),
    }
}

/// A month with its year.
pub(super) fn month_name(month: Month, words: &Words) -> String {
    let (year, of_year) = (month.0.div_euclid(12), month.0.rem_euclid(12) + 1);
    let name = words.say(&format!("month-{of_year}")).into_owned();
    words.with_all("report-month", [("month", name), ("year", year.to_string())])
}
