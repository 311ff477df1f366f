//! Changes of one product that depend on its stored state. A change never undoes the change of another writer in between.

use pointbook_domain::product::is_sale_above;
use pointbook_domain::{Product, ProductPatch};

use super::{CatalogueVersion, ProductUpsert, StoredProduct, UpsertOutcome};

/// The state of a stored product. Every field that the operator sees is part of it, or raises the version when it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProductState {
    /// The catalogue's version at the last change that customers could see.
    pub version: CatalogueVersion,
    /// Pieces that are left. `None` for unlimited.
    pub stock: Option<u32>,
    /// Pieces in placed orders.
    pub reserved: u64,
}

impl ProductState {
    /// The state that was read.
    pub fn of(stored: &StoredProduct) -> Self {
        let StoredProduct { product, reserved, version } = stored;
        Self { version: *version, stock: product.stock, reserved: *reserved }
    }
}

/// The state that a change needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ProductCondition {
    /// Any state. The product may be missing.
    #[default]
    None,
    /// Any state of a product that exists and is not retired.
    Exists,
    /// The product must be missing or retired.
    Missing,
    OneOf(Vec<ProductState>),
}

impl ProductCondition {
    /// Whether a change is allowed for this stored product, or for a missing one.
    pub fn holds(&self, stored: Option<&StoredProduct>) -> bool {
        match self {
            Self::None => true,
            Self::Exists => stored.is_some(),
            Self::Missing => stored.is_none(),
            Self::OneOf(states) => stored.is_some_and(|stored| states.contains(&ProductState::of(stored))),
        }
    }
}

/// A change of one product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductEdit {
    /// It is created or replaced.
    Put(Box<ProductUpsert>),
    /// Some of its fields change.
    Patch(Box<ProductPatch>),
    /// This many pieces are added to its stock. Negative to remove pieces.
    AddStock(i64),
    Retire,
}

/// The result of a change of one product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductEditOutcome {
    /// The product as it is stored now, and the kind of change.
    Stored(UpsertOutcome, Box<StoredProduct>),
    Retired,
    /// The product does not exist. Nothing changed.
    Unknown,
    /// The product is in another state. Nothing changed.
    ConditionFailed,
    /// The change is impossible. Nothing changed.
    Refused(ProductEditRefusal),
}

/// Why a change is impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductEditRefusal {
    /// The sale price would be above the regular price.
    SaleAboveRegular,
    /// The stock is unlimited, so no pieces can be added.
    UnlimitedStock,
    /// The stock would fall below 0.
    TooFewPieces,
    /// The stock would not fit into 32 bits.
    TooManyPieces,
}

/// The change for a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductEditStep {
    /// Store this.
    Put(Box<ProductUpsert>),
    Retire,
}

impl ProductEdit {
    /// Decides about the change of a stored product, which the store has locked.
    ///
    /// # Errors
    /// The outcome, when the store has nothing to do.
    pub fn decide(
        &self,
        stored: Option<&StoredProduct>,
        condition: &ProductCondition,
    ) -> Result<ProductEditStep, ProductEditOutcome> {
        if stored.is_none() && !matches!(self, Self::Put(_)) {
            return Err(ProductEditOutcome::Unknown);
        }
        if !condition.holds(stored) {
            return Err(ProductEditOutcome::ConditionFailed);
        }
        let product = match (self, stored) {
            (Self::Put(upsert), _) => return Ok(ProductEditStep::Put(upsert.clone())),
            (_, None) => return Err(ProductEditOutcome::Unknown),
            (Self::Retire, Some(_)) => return Ok(ProductEditStep::Retire),
            (Self::Patch(patch), Some(stored)) => patched(patch, &stored.product),
            (Self::AddStock(difference), Some(stored)) => add_stock(&stored.product, *difference),
        };
        let product = product.map_err(ProductEditOutcome::Refused)?;
        Ok(ProductEditStep::Put(Box::new(ProductUpsert::exactly(product))))
    }
}

impl ProductUpsert {
    /// The product with its stock and publication.
    fn exactly(product: Product) -> Self {
        Self { product, keep_published_at: false, keep_stock: false }
    }
}

fn patched(patch: &ProductPatch, stored: &Product) -> Result<Product, ProductEditRefusal> {
    let product = patch.clone().applied_to(stored.clone());
    let is_wrong = is_sale_above(Some(product.regular_price), product.sale_price);
    if is_wrong { Err(ProductEditRefusal::SaleAboveRegular) } else { Ok(product) }
}

fn add_stock(stored: &Product, difference: i64) -> Result<Product, ProductEditRefusal> {
    let before = stored.stock.ok_or(ProductEditRefusal::UnlimitedStock)?;
    let after = i64::from(before).saturating_add(difference);
    if after < 0 {
        return Err(ProductEditRefusal::TooFewPieces);
    }
    let after = u32::try_from(after).map_err(|_| ProductEditRefusal::TooManyPieces)?;
    Ok(Product { stock: Some(after), ..stored.clone() })
}
