//! The cells of reports as people read them, and the names of their texts.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::activity_type;
use pointbook_access::console_kit::path_part::segment;
use pointbook_domain::Scope;
use pointbook_http::pages::{Words, date, number, visible};

use crate::Month;
use crate::reports::{Column, ColumnKind, ReportTable, Value};

/// The path of this section.
pub(super) const PATH: &str = "/reports";

/// The end of the id of a text, which has no `_`.
pub(super) fn hyphens(name: &str) -> String {
    name.replace('_', "-")
}

/// A table of some rows of a report.
pub(crate) fn rows_table<'t>(
    visit: &Visit<'_>,
    table: &ReportTable,
    rows: impl Iterator<Item = &'t Vec<Value>>,
) -> Markup {
    let columns = table.report.columns;
    let words = visit.words;
    let title = words.say(&format!("report-{}", table.report.name));
    // A class for each cell would be a tenth of the page.
    let texts = columns.iter().take_while(|column| !is_number(column)).count();
    html! {
        div .scroll tabindex="0" role="region" aria-label=(title) {
            table .figures .(format!("texts-{texts}")) {
                thead { tr {
                    @for column in columns { th scope="col" { (heading(column, words)) } }
                } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (column, value) in columns.iter().zip(row) {
                                td { @if !is_of_sum(table, column) { (cell(visit, column, value)) } }
                            }
                        }
                    }
                }
                @if let Some(total) = table.total() {
                    tfoot { tr {
                        @for (at, (column, value)) in columns.iter().zip(&total).enumerate() {
                            td {
                                @if let Some(value) = value { (cell(visit, column, value)) } @else if at == 0 { (words.say("report-total")) }
                            }
                        }
                    } }
                }
            }
        }
    }
}

/// Whether the page shows the column only in the total. Members spend points of earlier days, so the spent share of one day may be 1,000 %,
/// or below 0 when orders were cancelled.
fn is_of_sum(table: &ReportTable, column: &Column) -> bool {
    table.report.name == "points" && column.kind == ColumnKind::Percent
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

fn cell(visit: &Visit<'_>, column: &Column, value: &Value) -> Markup {
    let words = visit.words;
    let text = match (value, column.kind) {
        (Value::Day(day), _) => date(*day, words),
        (Value::Month(month), _) => month_name(*month, words),
        (Value::Number(share), ColumnKind::Percent) => percent(*share, words),
        (Value::Number(value), _) => number(*value, words),
        (Value::Few, _) => value.to_string(),
        (Value::Hidden, _) => "–".to_owned(),
        (Value::Text(text), _) => return linked(visit, column, text),
    };
    html! { (text) }
}

/// A text, with a link to what it names.
fn linked(visit: &Visit<'_>, column: &Column, text: &str) -> Markup {
    let word = match column.name {
        "measure" | "result" => visit.words.say(&format!("{}-{}", column.name, hyphens(text))).into_owned(),
        "segment" => visit.words.say(&format!("segment-{}", hyphens(text))).into_owned(),
        "type" => activity_type(text, visit.words).into_owned(),
        _ => String::new(),
    };
    let role = visit.signed_in.as_ref().map(|signed_in| signed_in.operator.role);
    let section = match column.name {
        "campaign" => Some(("/campaigns/", Scope::CampaignsRead)),
        "product_id" => Some(("/products/", Scope::ProductsRead)),
        "user_id" => Some(("/members/", Scope::UsersRead)),
        _ => None,
    };
    let section = section.filter(|(_, scope)| role.is_some_and(|role| role.has(*scope)));
    html! {
        @if let Some((below, _)) = section { a href=(visit.path(&format!("{below}{}", segment(text)))) { (visible(text)) } }
        @else if word.is_empty() { (visible(text)) }
        @else { (word) }
    }
}

/// A month with its year.
pub(super) fn month_name(month: Month, words: &Words) -> String {
    let (year, of_year) = (month.0.div_euclid(12), month.0.rem_euclid(12) + 1);
    let name = words.say(&format!("month-{of_year}")).into_owned();
    words.with_all("report-month", [("month", name), ("year", year.to_string())])
}

pub(super) fn percent(share: i64, words: &Words) -> String {
    words.with("report-percent", "number", number(share, words)).into_owned()
}
