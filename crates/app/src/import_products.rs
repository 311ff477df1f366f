//! Importing products: descriptions are cleaned on the way in, the original is kept.

use pointbook_domain::{CategoryId, Price, Product, ProductId, Timestamp};

use crate::StoreResult;
use crate::ports::{ProductUpsert, TenantData, UpsertOutcome};

/// A product as an operator gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductDraft {
    /// Unique in the tenant.
    pub id: ProductId,
    /// Stock keeping code.
    pub sku: String,
    /// Name.
    pub title: String,
    /// HTML from anywhere.
    pub description: String,
    /// Price without a discount.
    pub regular_price: Price,
    /// Discounted price, when there is a discount.
    pub sale_price: Option<Price>,
    /// URL of the thumbnail, or empty.
    pub thumbnail: String,
    /// URLs of more images.
    pub gallery: Vec<String>,
    /// Category ids.
    pub categories: Vec<CategoryId>,
    /// Pieces left.
    pub stock: StockDraft,
    /// Marked as popular.
    pub popular: bool,
    /// Publication; none to keep the stored one, or to publish now.
    pub published_at: Option<Timestamp>,
    /// Whether clients see it at all.
    pub active: bool,
}

/// The stock of a product as an operator gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StockDraft {
    /// The stored one stays, so that an operator who does not speak of the stock gives no sold piece
    /// back. A new product is unlimited.
    Keep,
    /// This many pieces are left; none for unlimited.
    Set(Option<u32>),
}

impl ProductDraft {
    /// The product, with a description that is safe to show.
    pub(crate) fn into_upsert(self, now: Timestamp) -> ProductUpsert {
        let Self {
            id,
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
        } = self;
        let (pieces, keep_stock) = match stock {
            StockDraft::Keep => (None, true),
            StockDraft::Set(pieces) => (pieces, false),
        };
        let product = Product {
            id,
            sku,
            title,
            description: ammonia::clean(&description),
            description_source: description,
            regular_price,
            sale_price,
            thumbnail,
            gallery,
            categories,
            stock: pieces,
            popular,
            published_at: published_at.unwrap_or(now),
            active,
        };
        ProductUpsert { product, keep_published_at: published_at.is_none(), keep_stock }
    }
}

/// Creates or replaces products, all or none. One outcome per product, in order.
///
/// # Errors
/// When the store fails; then nothing was changed.
pub async fn import_products(
    data: &dyn TenantData,
    drafts: Vec<ProductDraft>,
    now: Timestamp,
) -> StoreResult<Vec<UpsertOutcome>> {
    let products: Vec<_> = drafts.into_iter().map(|draft| draft.into_upsert(now)).collect();
    data.upsert_products(&products).await
}
