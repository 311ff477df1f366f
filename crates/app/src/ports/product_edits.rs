//! Changes of one product that depend on what is stored of it. A change never undoes what another writer did in
//! between.

use pointbook_domain::{CategoryId, Price, Product, Timestamp};

use super::{CatalogueVersion, FieldChange, ProductUpsert, StoredProduct, UpsertOutcome};
use crate::import_products::is_sale_above;

/// What tells one state of a stored product from another. Every field that the operator sees is one of these, or
/// raises the version when it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProductState {
    /// The catalogue's version when the product last changed for clients.
    pub version: CatalogueVersion,
    /// Pieces left; none when unlimited.
    pub stock: Option<u32>,
    /// Pieces in placed orders.
    pub reserved: u64,
}

impl ProductState {
    /// The state of a product that was read.
    pub fn of(stored: &StoredProduct) -> Self {
        let StoredProduct { product, reserved, version } = stored;
        Self { version: *version, stock: product.stock, reserved: *reserved }
    }
}

/// Which state a product must be in to be changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ProductCondition {
    /// Any, or none: the product may be missing.
    #[default]
    None,
    /// Any state of a product that exists and is not retired.
    Exists,
    /// The product must be missing or retired.
    Missing,
    OneOf(Vec<ProductState>),
}

impl ProductCondition {
    /// Whether a product may be changed that is stored like this, or is missing.
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
    /// So many pieces are added to its stock, or taken out when negative.
    AddStock(i64),
    Retire,
}

/// The fields of a product that change. The others stay as they are when the change is made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductPatch {
    /// Stock keeping code.
    pub sku: Option<String>,
    /// Name.
    pub title: Option<String>,
    /// The description that clients see, and the HTML that was given.
    pub description: Option<(String, String)>,
    /// Price without a discount.
    pub regular_price: Option<Price>,
    /// Discounted price.
    pub sale_price: FieldChange<Price>,
    /// URL of the thumbnail, or empty.
    pub thumbnail: Option<String>,
    /// URLs of more images.
    pub gallery: Option<Vec<String>>,
    /// Category ids.
    pub categories: Option<Vec<CategoryId>>,
    /// Pieces left; none for unlimited.
    pub stock: FieldChange<u32>,
    /// Marked as popular.
    pub popular: Option<bool>,
    pub published_at: Option<Timestamp>,
    /// Whether clients see it at all.
    pub active: Option<bool>,
}

/// What became of a change of one product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductEditOutcome {
    /// The product as it is stored now, and what that did.
    Stored(UpsertOutcome, Box<StoredProduct>),
    Retired,
    /// There is no such product; nothing changed.
    Unknown,
    /// The product is in another state; nothing changed.
    ConditionFailed,
    /// The change is impossible; nothing changed.
    Refused(ProductEditRefusal),
}

/// Why a product cannot be changed so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductEditRefusal {
    /// The sale price would be above the regular price.
    SaleAboveRegular,
    /// The stock is unlimited, so that nothing can be added.
    UnlimitedStock,
    /// The stock would fall below 0.
    TooFewPieces,
    /// The stock would be more than 32 bits hold.
    TooManyPieces,
}

/// What a store has to do for a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductEditStep {
    /// Store this.
    Put(Box<ProductUpsert>),
    Retire,
}

impl ProductEdit {
    /// Decides about the change of a product that is stored like this, and that no other writer changes meanwhile.
    ///
    /// # Errors
    /// The outcome, when nothing is to be done.
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
            (Self::Patch(patch), Some(stored)) => patch.applied_to(&stored.product),
            (Self::AddStock(difference), Some(stored)) => add_stock(&stored.product, *difference),
        };
        let product = product.map_err(ProductEditOutcome::Refused)?;
        Ok(ProductEditStep::Put(Box::new(ProductUpsert::exactly(product))))
    }
}

impl ProductUpsert {
    /// The product, with the stock and the publication that it has.
    fn exactly(product: Product) -> Self {
        Self { product, keep_published_at: false, keep_stock: false }
    }
}

impl ProductPatch {
    fn applied_to(&self, stored: &Product) -> Result<Product, ProductEditRefusal> {
        let Self {
            sku,
            title,
            description,
            regular_price,
            sale_price,
            thumbnail,
            gallery,
            categories,
            stock,
            popular,
            published_at,
            active,
        } = self.clone();
        let before = stored.clone();
        let (description, description_source) =
            description.unwrap_or((before.description, before.description_source));
        let product = Product {
            id: before.id,
            sku: sku.unwrap_or(before.sku),
            title: title.unwrap_or(before.title),
            description,
            description_source,
            regular_price: regular_price.unwrap_or(before.regular_price),
            sale_price: sale_price.applied_to(before.sale_price.as_ref()),
            thumbnail: thumbnail.unwrap_or(before.thumbnail),
            gallery: gallery.unwrap_or(before.gallery),
            categories: categories.unwrap_or(before.categories),
            stock: stock.applied_to(before.stock.as_ref()),
            popular: popular.unwrap_or(before.popular),
            published_at: published_at.unwrap_or(before.published_at),
            active: active.unwrap_or(before.active),
        };
        let is_wrong = is_sale_above(Some(product.regular_price), product.sale_price);
        if is_wrong { Err(ProductEditRefusal::SaleAboveRegular) } else { Ok(product) }
    }
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
