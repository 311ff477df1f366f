//! Products while a back office writes them.

use pointbook_domain::{Product, ProductId, Timestamp};
use pointbook_store::audit_log::{ChangeNote, shortened_fields};
use pointbook_store::commands::{CommandError, Facts, Needs};
use pointbook_store::ports::{CatalogueVersion, ProductUpsert, StoredProduct, UpsertOutcome};
use pointbook_store::schema::rows::{CatalogueState, ProductRow};

use crate::products::managed::members_of;
use crate::products::stock::tell;
use crate::version;

/// A product in full.
pub(crate) fn need(needs: &mut Needs, id: &ProductId) {
    needs.row::<CatalogueState>(&());
    needs.row::<ProductRow>(id);
}

/// The product as the operator sees it, unless it is retired.
///
/// # Errors
/// When it was not loaded.
pub(crate) fn product(facts: &Facts, id: &ProductId) -> Result<Option<StoredProduct>, CommandError> {
    let row = facts.get::<ProductRow>(id)?.filter(|row| row.retired_at.is_none());
    Ok(row.map(|row| StoredProduct {
        product: row.product.clone(),
        reserved: row.reserved,
        version: CatalogueVersion(row.version),
    }))
}

/// Creates a product, or replaces the stored one.
///
/// # Errors
/// When the product was not loaded.
pub(crate) fn upsert(facts: &mut Facts, upsert: &ProductUpsert) -> Result<UpsertOutcome, CommandError> {
    let ProductUpsert { product, keep_published_at, keep_stock } = upsert;
    let known = facts.get::<ProductRow>(&product.id)?.cloned();
    // Also keeps the fields of a retired product.
    let before = known.as_ref().map(|row| &row.product);
    let after = Product {
        stock: before.filter(|_| *keep_stock).map_or(product.stock, |kept| kept.stock),
        published_at: before
            .filter(|_| *keep_published_at)
            .map_or(product.published_at, |kept| kept.published_at),
        ..product.clone()
    };
    let in_use = known.as_ref().filter(|row| row.retired_at.is_none()).map(|row| &row.product);
    let outcome = match in_use {
        None => UpsertOutcome::Created,
        Some(now) if *now == after => return Ok(UpsertOutcome::Unchanged),
        Some(_) => UpsertOutcome::Replaced,
    };
    let stock_supplied = supplied(known.as_ref(), &after);
    facts.note(|| {
        let operation = if in_use.is_some() { "product.change" } else { "product.create" };
        note(operation, &after.id, in_use, Some(&after))
    });
    tell(facts, &after.id);
    let version = version::raise(facts)?;
    let reserved = known.as_ref().map_or(0, |row| row.reserved);
    facts.put(ProductRow { product: after, version, retired_at: None, reserved, stock_supplied })?;
    Ok(outcome)
}

/// The operator sets the number of pieces that are left. What orders took stays supplied.
fn supplied(stored: Option<&ProductRow>, after: &Product) -> i64 {
    let pieces = |product: &Product| product.stock.map_or(0, i64::from);
    let taken = stored.map_or(0, |row| row.stock_supplied - pieces(&row.product));
    taken + pieces(after)
}

/// Retires a product. False when it does not exist or is retired already.
///
/// # Errors
/// When the product was not loaded.
pub(crate) fn retire(facts: &mut Facts, id: &ProductId, at: Timestamp) -> Result<bool, CommandError> {
    let row = facts.get::<ProductRow>(id)?.filter(|row| row.retired_at.is_none()).cloned();
    let Some(row) = row else { return Ok(false) };
    facts.note(|| note("product.retire", id, Some(&row.product), None));
    tell(facts, id);
    let version = version::raise(facts)?;
    facts.put(ProductRow { retired_at: Some(at), version, ..row })?;
    Ok(true)
}

fn note(
    operation: &'static str,
    id: &ProductId,
    before: Option<&Product>,
    after: Option<&Product>,
) -> ChangeNote {
    let object = format!("product:{id}");
    let fields = |product: &Product| {
        let mut members = members_of(product);
        members.remove("id");
        shortened_fields(members)
    };
    ChangeNote::new(operation, object, before.map(fields), after.map(fields))
}
