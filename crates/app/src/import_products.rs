//! Importing products: descriptions are cleaned on the way in, the original is kept.

use std::collections::HashSet;

use pointbook_domain::{CategoryId, Price, Product, ProductId, Timestamp};

use crate::StoreResult;
use crate::background::in_background;
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
    fn into_upsert(self, now: Timestamp) -> ProductUpsert {
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
    data.upsert_products(&cleaned(drafts, now).await?).await
}

/// The products of these drafts, in order.
pub(crate) async fn cleaned(drafts: Vec<ProductDraft>, now: Timestamp) -> StoreResult<Vec<ProductUpsert>> {
    in_background(move || drafts.into_iter().map(|draft| draft.into_upsert(now)).collect()).await
}

/// Whether a sale price is above the regular price, which no product may have.
pub fn is_sale_above(regular: Option<Price>, sale: Option<Price>) -> bool {
    regular.zip(sale).is_some_and(|(regular, sale)| sale > regular)
}

/// The place of the first category that stands before it already: a product is in a category once.
pub fn first_repeated(categories: &[CategoryId]) -> Option<usize> {
    let mut seen = HashSet::new();
    categories.iter().position(|id| !seen.insert(id))
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sale_price_is_at_most_the_regular_price() {
        let price = |points| Price::new(points).ok();
        assert!(is_sale_above(price(5), price(6)));
        for (regular, sale) in [(price(5), price(5)), (price(5), None), (None, price(5))] {
            assert!(!is_sale_above(regular, sale), "{regular:?} {sale:?}");
        }
    }

    #[test]
    fn a_repeated_category_is_told_by_its_place() {
        let repeated = |ids: &[&str]| {
            first_repeated(&ids.iter().map(|id| CategoryId::new(*id).unwrap()).collect::<Vec<_>>())
        };
        assert_eq!(repeated(&["a", "b", "A"]), None);
        assert_eq!(repeated(&["a", "b", "b", "a"]), Some(2));
    }
}
