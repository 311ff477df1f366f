//! The sums of a report, each beside that of as many days before.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_http::pages::percent;

use super::cells::column_name;
use crate::compared::{Sum, change};
use crate::for_role::{column, known};
use crate::reports::{ColumnKind, Report, ReportTable};

/// The columns with a tile, and whether more of it is better, where it is one of both. Only sums that no member or point is in twice.
pub(super) fn of(report: &Report) -> &'static [(&'static str, Option<bool>)] {
    match report.name {
        "points" => &[
            ("earned_points", Some(true)),
            ("bonus_points", None),
            ("spent_points", Some(true)),
            ("refunded_points", Some(false)),
            ("redemption_percent", None),
            ("open_points", None),
        ],
        "activity-types" => &[
            ("transactions", Some(true)),
            ("earned_points", Some(true)),
            ("bonus_points", None),
            ("spent_points", Some(true)),
            ("refunded_points", Some(false)),
            ("reversed_points", Some(false)),
        ],
        _ => &[],
    }
}

/// Nothing while the ledger is still counted: these sums are not known.
pub(super) fn tiles(visit: &Visit<'_>, table: &ReportTable, before: Option<&ReportTable>) -> Markup {
    let words = visit.words;
    let columns = if table.is_complete { of(table.report) } else { &[] };
    html! {
        @if !columns.is_empty() { div .tiles { @for (name, is_better_up) in columns {
            @let now = sum(table, name);
            section .tile {
                h2 { (column_name(visit, table, name)) }
                @if is_percent(table, name) {
                    p { strong { (now.value.map_or_else(|| "–".to_owned(), |now| percent(now.saturating_mul(10), words))) } }
                    @if let Some(from) = before.and_then(|before| sum(before, name).value) {
                        p .quiet { (words.with("figure-from", "count", percent(from.saturating_mul(10), words))) }
                    }
                } @else {
                    p { strong { (now.shown(words)) } }
                    @if let Some(before) = before { (change(words, *is_better_up, sum(before, name), now)) }
                }
            }
        } } }
    }
}

fn is_percent(table: &ReportTable, name: &str) -> bool {
    table.report.columns.iter().any(|column| column.name == name && column.kind == ColumnKind::Percent)
}

/// The total of a column; where it cannot be added, its last value.
fn sum(table: &ReportTable, name: &str) -> Sum {
    let place = column(table, name);
    let total = place.and_then(|place| table.total()?.get(place)?.clone());
    let last = || table.rows.last()?.get(place?).cloned();
    Sum::one(total.or_else(last).as_ref().and_then(known))
}
