//! Products and categories while a back office changes them.

use pointbook_domain::{CategoryTree, Product, ProductId, Timestamp};

use super::Facts;
use super::catalogue_rows::{CatalogueRow, Entry};
use crate::audit_log::{ChangeNote, product_fields};
use crate::commands::CommandError;
use crate::commands::TreeText;
use crate::ports::{CatalogueVersion, ProductUpsert, StoredProduct, UpsertOutcome};
use crate::schema::rows::{NO_CATEGORIES, tree_of};

impl Facts {
    pub fn put_catalogue_version(&mut self, version: CatalogueVersion) {
        self.catalogue.version.get_or_insert(version);
    }

    /// The text of the category tree.
    pub fn put_categories(&mut self, text: String) {
        self.catalogue.categories.get_or_insert_with(|| text.into());
    }

    /// A product in full. `None` when the row does not exist.
    pub fn put_catalogue_product(&mut self, id: ProductId, row: Option<CatalogueRow>) {
        self.catalogue.entries.entry(id).or_insert_with(|| Entry {
            now: row.as_ref().filter(|row| row.retired_at.is_none()).map(|row| row.product.clone()),
            supplied: row.as_ref().and_then(|row| row.supplied),
            stored: row,
            is_written: false,
            retired_at: None,
        });
    }

    /// How many pieces orders took out of the limited stock of a product and did not return.
    pub fn put_taken_pieces(&mut self, id: ProductId, pieces: i64) {
        self.catalogue.taken_pieces.entry(id).or_insert(pieces);
    }

    /// The stored version, if it was loaded. `None` when an earlier command of the same commit changes a product.
    pub fn unchanged_catalogue(&self) -> Option<CatalogueVersion> {
        let is_changed = |entry: &Entry| entry.is_written || entry.retired_at.is_some();
        self.catalogue.version.filter(|_| !self.catalogue.entries.values().any(is_changed))
    }

    /// Whether the stored product is unlimited, if it was loaded.
    pub fn has_unlimited_row(&self, id: &ProductId) -> bool {
        let stored = self.catalogue.entries.get(id).and_then(|entry| entry.stored.as_ref());
        stored.is_some_and(|row| row.product.stock.is_none())
    }

    /// The product as the operator sees it, unless it is retired.
    pub fn catalogue_product(&self, id: &ProductId) -> Result<Option<StoredProduct>, CommandError> {
        let lacks = CommandError::not_loaded("products");
        let Entry { stored, now, is_written, retired_at, .. } =
            self.catalogue.entries.get(id).ok_or_else(lacks)?;
        let Some(product) = now.as_ref().filter(|_| retired_at.is_none()) else { return Ok(None) };
        let next = CatalogueVersion(self.catalogue.version.ok_or_else(lacks)?.0 + 1);
        let version = if *is_written { next } else { stored.as_ref().map_or(next, |row| row.version) };
        let reserved = stored.as_ref().map_or(0, |row| row.reserved);
        Ok(Some(StoredProduct { product: product.clone(), reserved, version }))
    }

    /// Creates a product, or replaces the stored one.
    pub fn upsert_product(&mut self, upsert: &ProductUpsert) -> Result<UpsertOutcome, CommandError> {
        let ProductUpsert { product, keep_published_at, keep_stock } = upsert;
        let entry =
            self.catalogue.entries.get(&product.id).ok_or_else(CommandError::not_loaded("products"))?;
        // Also keeps the fields of a retired product.
        let before = entry.now.as_ref().or(entry.stored.as_ref().map(|row| &row.product));
        let after = Product {
            stock: before.filter(|_| *keep_stock).map_or(product.stock, |kept| kept.stock),
            published_at: before
                .filter(|_| *keep_published_at)
                .map_or(product.published_at, |kept| kept.published_at),
            ..product.clone()
        };
        let outcome = match &entry.now {
            None => UpsertOutcome::Created,
            Some(now) if *now == after => return Ok(UpsertOutcome::Unchanged),
            Some(_) => UpsertOutcome::Replaced,
        };
        let supplied = self.catalogue.supplied(entry.stored.as_ref(), &after)?;
        let entry = self.catalogue.entry(&product.id)?;
        (entry.supplied, entry.is_written) = (supplied, true);
        let before = entry.now.replace(after.clone());
        self.note(|| {
            let operation = if before.is_some() { "product.change" } else { "product.create" };
            product_note(operation, &after.id, before.as_ref(), Some(&after))
        });
        Ok(outcome)
    }

    /// Retires a product. False when it does not exist or is retired already.
    pub fn retire_product(&mut self, id: &ProductId, at: Timestamp) -> Result<bool, CommandError> {
        let entry = self.catalogue.entry(id)?;
        let Some(before) = entry.now.take() else { return Ok(false) };
        entry.retired_at = Some(at);
        self.note(|| product_note("product.retire", id, Some(&before), None));
        Ok(true)
    }

    /// The text of the stored tree.
    pub fn categories(&self) -> Result<&str, CommandError> {
        self.catalogue.categories.as_deref().ok_or_else(CommandError::not_loaded("category_trees"))
    }

    /// The stored tree.
    pub fn category_tree(&self) -> Result<CategoryTree, CommandError> {
        tree_of(self.categories()?).map_err(|corrupt| CommandError::Corrupt(corrupt.0))
    }

    pub fn replace_categories(&mut self, new: &TreeText) -> Result<UpsertOutcome, CommandError> {
        let stored = self.categories()?;
        if stored == new.as_str() {
            return Ok(UpsertOutcome::Unchanged);
        }
        let is_first = stored == NO_CATEGORIES;
        let before = self.catalogue.categories.replace(new.share());
        self.changes.categories = Some(new.share());
        self.note(|| new.note_from(before.as_deref().unwrap_or_default()));
        Ok(if is_first { UpsertOutcome::Created } else { UpsertOutcome::Replaced })
    }
}

fn product_note(
    operation: &'static str,
    id: &ProductId,
    before: Option<&Product>,
    after: Option<&Product>,
) -> ChangeNote {
    let object = format!("product:{id}");
    ChangeNote::new(operation, object, before.map(product_fields), after.map(product_fields))
}
