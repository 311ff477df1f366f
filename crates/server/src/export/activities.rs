use std::io;

use pointbook_app::ports::{LedgerEntry, TenantData};
use pointbook_domain::{Activity, Bonus, Transaction};
use serde::Serialize;

use super::error::ExportError;
use super::row_writer::{RowWriter, Value};
use crate::import::ACTIVITY_COLUMNS;

/// Rows of the ledger read at a time.
const PAGE: u32 = 5_000;

/// Writes every row of the ledger, by user, then in order of recording.
pub(super) async fn export(data: &dyn TenantData, mut rows: RowWriter<'_>) -> Result<u64, ExportError> {
    rows.start(&ACTIVITY_COLUMNS)?;
    let mut after = None;
    loop {
        let page = data.entries_after(after.as_ref().map(|(user, seq)| (user, *seq)), PAGE).await?;
        let Some(last) = page.last() else { return Ok(rows.finish()?) };
        after = Some((last.user_id.clone(), last.seq));
        for entry in page {
            rows.write(&ACTIVITY_COLUMNS, values(entry)?)?;
        }
    }
}

/// Seq, balance and chain are made anew by an import; the rest is the activity as it was given.
fn values(entry: LedgerEntry) -> io::Result<[Value; ACTIVITY_COLUMNS.len()]> {
    let LedgerEntry { user_id, seq: _, transaction, balance_after: _, recorded_at: _, hash: _ } = entry;
    let Transaction { id: _, activity } = transaction;
    let Activity { kind, source_id, points, bonuses, title, subtitle, created_at } = activity;
    let breakdown: Vec<BonusView<'_>> = bonuses.breakdown().iter().map(BonusView::of).collect();
    Ok([
        Value::Text(user_id.to_string()),
        Value::Text(kind.to_string()),
        Value::Text(source_id.to_string()),
        Value::Number(points.get()),
        Value::list(&breakdown)?,
        Value::Text(title),
        Value::Text(subtitle),
        Value::Text(created_at.to_string()),
    ])
}

#[derive(Serialize)]
struct BonusView<'b> {
    r#type: &'b str,
    points: i64,
    title: &'b str,
}

impl<'b> BonusView<'b> {
    fn of(bonus: &'b Bonus) -> Self {
        let Bonus { kind, points, title } = bonus;
        Self { r#type: kind, points: points.get(), title }
    }
}
