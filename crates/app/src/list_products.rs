//! `GET /v1/store/products`: a page of the catalogue.

use std::sync::Arc;

use pointbook_catalogue::{ProductFilter, ProductPage, ProductQuery, ProductSort, Snapshot};
use pointbook_domain::{PageNumber, PageRequest, PageSize, PageWindow, TenantSettings, Timestamp};

use crate::PageQuery;
use crate::catalogue_cache::off_the_runtime;

/// What the client asks for, parsed once.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductListQuery {
    /// The page.
    pub page: PageQuery,
    /// What to leave out; `new_since` is none here and follows from `only_new`.
    pub filter: ProductFilter,
    /// Whether only new products are asked for, by the tenant's window.
    pub only_new: bool,
    /// In which order.
    pub sort: ProductSort,
}

/// A page and its place among all pages.
#[derive(Debug)]
pub struct ProductList<'s> {
    /// The products.
    pub page: ProductPage<'s>,
    /// The numbers of the envelope.
    pub window: PageWindow,
}

/// Answers from the snapshot alone.
pub fn list_products<'s>(
    snapshot: &'s Snapshot,
    settings: &TenantSettings,
    query: ProductListQuery,
    now: Timestamp,
) -> ProductList<'s> {
    let ProductListQuery { page, mut filter, only_new, sort } = query;
    let request = page.request(settings);
    filter.new_since = only_new.then(|| now.minus_days(settings.new_product_days));
    let page = snapshot.list(&ProductQuery { filter, sort }, request);
    let window = request.window(page.total);
    ProductList { page, window }
}

/// Makes a first search for titles in a large catalogue on a thread that nobody waits for. The snapshot keeps
/// what it finds, so that [`list_products`] answers soon. Does nothing for any other query.
pub async fn search_titles(snapshot: &Arc<Snapshot>, query: &ProductListQuery) {
    if query.filter.titles.is_none() {
        return;
    }
    let filter = ProductFilter { titles: query.filter.titles.clone(), ..ProductFilter::default() };
    let search = ProductQuery { filter, sort: query.sort };
    if snapshot.lists_soon(&search) {
        return;
    }
    let (snapshot, page) =
        (snapshot.clone(), PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT });
    // A search that broke off is made again by the list.
    let _ = off_the_runtime(move || snapshot.list(&search, page).total).await;
}

#[cfg(test)]
mod tests {
    use pointbook_catalogue::{SnapshotBuilder, SnapshotOptions};
    use pointbook_domain::{CategoryTree, Price, Product, ProductId};

    use super::*;

    /// More products than a search may look through on a thread of the runtime.
    fn large() -> Arc<Snapshot> {
        let options = SnapshotOptions { low_stock_threshold: 0, hide_sold_out: false };
        let mut builder = SnapshotBuilder::new(options);
        for number in 0..20_001 {
            builder.upsert(&Product {
                id: ProductId::new(format!("p{number}")).unwrap(),
                sku: String::new(),
                title: format!("Cup {}", number % 7),
                description: String::new(),
                description_source: String::new(),
                regular_price: Price::new(1).unwrap(),
                sale_price: None,
                thumbnail: String::new(),
                gallery: vec![],
                categories: vec![],
                stock: None,
                popular: false,
                published_at: Timestamp::MIN,
                active: true,
            });
        }
        Arc::new(builder.build(&CategoryTree::default(), &[], Timestamp::from_micros(0).unwrap()))
    }

    fn query(title: &str) -> ProductListQuery {
        let filter = ProductFilter { titles: Some(vec![title.to_owned()]), ..ProductFilter::default() };
        let page = PageQuery { number: PageNumber::FIRST, size: None };
        ProductListQuery { page, filter, only_new: false, sort: ProductSort::Newest }
    }

    #[tokio::test]
    async fn a_search_that_was_made_is_known_to_the_list() {
        let (snapshot, asked) = (large(), query("cup 3"));
        let search = ProductQuery { filter: asked.filter.clone(), sort: asked.sort };
        assert!(!snapshot.lists_soon(&search));
        search_titles(&snapshot, &asked).await;
        assert!(snapshot.lists_soon(&search));
    }
}
