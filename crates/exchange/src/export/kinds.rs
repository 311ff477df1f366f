//! How an export writes each kind of data.

use std::collections::BTreeMap;
use std::io;
use std::io::Write;

use pointbook_catalogue::products::managed::members_of;
use pointbook_domain::{
    Activity, Bonus, Category, Product, Timestamp, Transaction, TransactionId, User, UserId,
};
use pointbook_store::ports::{CatalogueVersion, LedgerEntry, ProductChange, TenantData, read_all};
use pointbook_store::schema::Query;
use pointbook_store::schema::rows::UserNote;
use serde::Serialize;

use super::ExportError;
use super::row_writer::{RowWriter, Value};
use crate::import::{ACTIVITY_COLUMNS, PRODUCT_COLUMNS, USER_COLUMNS};

/// How many users or ledger rows one read loads.
const PAGE: u32 = 5_000;
/// How many products one read loads. It is smaller because a product can be large.
const PRODUCT_PAGE: u32 = 200;

/// Writes the tree as one JSON array. Returns the number of categories.
pub(super) async fn categories(
    data: &dyn TenantData,
    output: &mut (dyn Write + Send),
) -> Result<u64, ExportError> {
    let tree = data.categories().await?;
    let roots: Vec<CategoryView<'_>> = tree.roots().iter().map(CategoryView::of).collect();
    serde_json::to_writer_pretty(&mut *output, &roots).map_err(io::Error::from)?;
    output.write_all(b"\n")?;
    let mut written = 0;
    tree.visit(&mut |_, _, _| written += 1);
    Ok(written)
}

#[derive(Serialize)]
struct CategoryView<'t> {
    id: &'t str,
    label: &'t str,
    children: Vec<CategoryView<'t>>,
}

impl<'t> CategoryView<'t> {
    fn of(category: &'t Category) -> Self {
        let Category { id, label, children } = category;
        Self { id: id.as_str(), label, children: children.iter().map(Self::of).collect() }
    }
}

/// Writes every product that is not retired, ordered by id. The description is the source, not the cleaned HTML.
pub(super) async fn products(
    data: &dyn TenantData,
    mut rows: RowWriter<'_, { PRODUCT_COLUMNS.len() }>,
) -> Result<u64, ExportError> {
    let mut after = None;
    loop {
        let page = data.product_changes(CatalogueVersion::default(), after.as_ref(), PRODUCT_PAGE).await?;
        let Some(last) = page.last() else { return Ok(rows.finish()?) };
        after = Some(last.id().clone());
        for change in page {
            if let ProductChange::Upserted(product) = change {
                rows.write(product_row(&product))?;
            }
        }
    }
}

fn product_row(product: &Product) -> [Value; PRODUCT_COLUMNS.len()] {
    let mut members = members_of(product);
    PRODUCT_COLUMNS.map(|name| Value::of(members.remove(name).unwrap_or_default()))
}

/// Writes every user's profile, ordered by id. Balances are left out: an import computes them from the activities.
pub(super) async fn users(
    data: &dyn TenantData,
    mut rows: RowWriter<'_, { USER_COLUMNS.len() }>,
) -> Result<u64, ExportError> {
    let mut after = None;
    loop {
        let page = data.users_after(after.as_ref(), PAGE).await?;
        let Some(last) = page.last() else { return Ok(rows.finish()?) };
        after = Some(last.id.clone());
        for user in page {
            let User {
                id,
                balance: _,
                birth_date,
                locale,
                disabled_at: _,
                created_at: _,
                birth_date_set_at: _,
                lots: _,
                pending: _,
            } = user;
            rows.write([Value::text(&id), Value::optional(birth_date), Value::optional(locale)])?;
        }
    }
}

/// The columns of notes.
pub(super) const NOTE_COLUMNS: [&str; 4] = ["user_id", "created_at", "created_by", "text"];

/// Writes every note, ordered by user, then by time.
pub(super) async fn notes(
    data: &dyn TenantData,
    mut rows: RowWriter<'_, { NOTE_COLUMNS.len() }>,
) -> Result<u64, ExportError> {
    let mut after: Option<(UserId, Timestamp, TransactionId)> = None;
    loop {
        let query = Query::of::<UserNote>("export_notes", &["user_id", "created_at", "id"]);
        let page: Vec<UserNote> = read_all(data, query.after(after.as_ref()).limit(PAGE)).await?;
        let Some(last) = page.last() else { return Ok(rows.finish()?) };
        after = Some((last.user_id.clone(), last.created_at, last.id.clone()));
        for UserNote { user_id, created_at, id: _, text, created_by } in page {
            rows.write([
                Value::text(&user_id),
                Value::text(&created_at),
                Value::Text(created_by),
                Value::Text(text),
            ])?;
        }
    }
}

/// Writes every ledger row, ordered by user, then by order of recording.
pub(super) async fn activities(
    data: &dyn TenantData,
    mut rows: RowWriter<'_, { ACTIVITY_COLUMNS.len() }>,
) -> Result<u64, ExportError> {
    let mut after = None;
    loop {
        let page = data.entries_after(after.as_ref().map(|(user, seq)| (user, *seq)), PAGE).await?;
        let Some(last) = page.last() else { return Ok(rows.finish()?) };
        after = Some((last.user_id.clone(), last.seq));
        for entry in page {
            rows.write(activity_row(entry)?)?;
        }
    }
}

/// The activity of a ledger row. An import computes sequence number, balance and chain again.
fn activity_row(entry: LedgerEntry) -> io::Result<[Value; ACTIVITY_COLUMNS.len()]> {
    let LedgerEntry { user_id, seq: _, transaction, balance_after: _, recorded_at: _, hash: _, moves: _ } =
        entry;
    let Transaction { id: _, activity, bonus_origin: _ } = transaction;
    let Activity { kind, source_id, points, bonuses, title, subtitle, created_at, attributes } = activity;
    let breakdown: Vec<BonusView<'_>> = bonuses.breakdown().iter().map(BonusView::of).collect();
    let attributes: BTreeMap<&str, &str> = attributes.iter().collect();
    Ok([
        Value::text(&user_id),
        Value::text(&kind),
        Value::text(&source_id),
        Value::json(&points.get())?,
        Value::json(&breakdown)?,
        Value::Text(title),
        Value::Text(subtitle),
        Value::text(&created_at),
        Value::json(&attributes)?,
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
