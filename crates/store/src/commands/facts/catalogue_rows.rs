//! The catalogue as it was read, and as it will be.

use std::collections::BTreeMap;
use std::sync::Arc;

use pointbook_domain::{Product, ProductId, Timestamp};

use crate::commands::changes::ProductWrite;
use crate::commands::{Changes, CommandError};
use crate::ports::CatalogueVersion;
use crate::schema::rows::ProductRow;

/// A product's row in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueRow {
    pub product: Product,
    /// When it was retired. `None` for a product in use.
    pub retired_at: Option<Timestamp>,
    /// Pieces in placed orders.
    pub reserved: u64,
    /// The version of the catalogue at its last change.
    pub version: CatalogueVersion,
    /// How many pieces count as supplied; `None` when the stock is unlimited.
    pub supplied: Option<i64>,
}

impl From<ProductRow> for CatalogueRow {
    fn from(row: ProductRow) -> Self {
        let ProductRow { product, version, retired_at, reserved, stock_supplied: supplied } = row;
        Self { product, retired_at, reserved, version: CatalogueVersion(version), supplied }
    }
}

/// A product, and its new state.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) stored: Option<CatalogueRow>,
    pub(super) now: Option<Product>,
    /// How many pieces count as supplied now.
    pub(super) supplied: Option<i64>,
    pub(super) is_written: bool,
    pub(super) retired_at: Option<Timestamp>,
}

#[derive(Debug, Default)]
pub(super) struct Catalogue {
    pub(super) version: Option<CatalogueVersion>,
    /// The text of the tree.
    pub(super) categories: Option<Arc<str>>,
    pub(super) entries: BTreeMap<ProductId, Entry>,
    pub(super) taken_pieces: BTreeMap<ProductId, i64>,
}

impl Catalogue {
    pub(super) fn add_changes(self, changes: &mut Changes) {
        for (id, Entry { now, supplied, is_written, retired_at, .. }) in self.entries {
            match (now, retired_at) {
                (_, Some(at)) => changes.retired_products.push((id, at)),
                (Some(product), None) if is_written => {
                    changes.products.push(ProductWrite { product, supplied });
                }
                (Some(_) | None, None) => {}
            }
        }
    }

    /// The operator sets the number of pieces that are left. The supply is that number plus the pieces of orders.
    pub(super) fn supplied(
        &self,
        stored: Option<&CatalogueRow>,
        after: &Product,
    ) -> Result<Option<i64>, CommandError> {
        let Some(stock) = after.stock.map(i64::from) else { return Ok(None) };
        let Some(stored) = stored else { return Ok(Some(stock)) };
        if let (Some(before), Some(supplied)) = (stored.product.stock, stored.supplied) {
            return Ok(Some(supplied + stock - i64::from(before)));
        }
        let taken = self.taken_pieces.get(&after.id);
        Ok(Some(stock + taken.ok_or_else(CommandError::not_loaded("products"))?))
    }

    pub(super) fn entry(&mut self, id: &ProductId) -> Result<&mut Entry, CommandError> {
        self.entries.get_mut(id).ok_or_else(CommandError::not_loaded("products"))
    }
}
