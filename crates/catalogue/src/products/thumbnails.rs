//! The small pictures of products, for lists of what was done with them.

use std::collections::HashMap;

use pointbook_domain::Product;
use pointbook_store::StoreResult;
use pointbook_store::ports::{Query, TenantData, read_all};

/// The main pictures of these products, by product, as they are now.
///
/// # Errors
/// When the store fails.
pub async fn thumbnails<'i>(
    data: &dyn TenantData,
    ids: impl Iterator<Item = &'i str>,
) -> StoreResult<HashMap<String, String>> {
    let products = Query::of::<Product>("thumbnails", &["id"]).one_of("id", ids);
    let products: Vec<Product> = read_all(data, products).await?;
    let shown = products.into_iter().filter(|product| !product.thumbnail.is_empty());
    Ok(shown.map(|product| (product.id.as_str().to_owned(), product.thumbnail)).collect())
}
