//! What the back office took back.

use pointbook_store::StoreResult;
use pointbook_store::schema::rows::DailyTotal;

use super::points::{DAY, totals};
use super::report::{Reading, Rows, Source};
use super::table::sums;
use super::{Column, ColumnKind, Report, Span, Value};

pub(super) static REVERSALS: Report = Report {
    name: "reversals",
    title: "Reversals by day and type",
    about: "One row for each day and each type of activity with reversals. A reversal counts on its own day, whenever the transaction was that it \
            takes back.",
    span: Span::Days,
    names_members: false,
    columns: &[
        DAY,
        Column {
            name: "type",
            kind: ColumnKind::Text("code"),
            about: "The type of the reversed activities.",
        },
        Column { name: "reversals", kind: ColumnKind::Count, about: "How many reversals there were." },
        Column {
            name: "reversed_points",
            kind: ColumnKind::Points,
            about: "What they took back. Below 0 when they gave points back.",
        },
    ],
    read: |source| -> Reading<'_> { Box::pin(reversals(source)) },
    total: Some(|rows| sums(rows, REVERSALS.columns.len(), 2..4)),
};

async fn reversals(source: &Source<'_>) -> StoreResult<Rows> {
    let mut totals = totals(source, source.range.from, source.range.until).await?;
    totals.retain(|total| total.reversals > 0);
    let row = |total: DailyTotal| {
        let numbers = [total.reversals, total.reversed_points].map(Value::Number);
        [Value::Day(total.day), Value::Text(total.kind)].into_iter().chain(numbers).collect()
    };
    Ok(totals.into_iter().map(row).collect())
}
