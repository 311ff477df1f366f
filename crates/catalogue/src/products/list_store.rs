//! `GET /v1/store/products`: a page of the catalogue.

use std::sync::Arc;

use pointbook_domain::{PageNumber, PageQuery, PageRequest, PageSize, PageWindow, TenantSettings, Timestamp};
use pointbook_store::processor::Processor;

use crate::cache::off_the_runtime;
use crate::index::{ProductFilter, ProductPage, ProductQuery, ProductSort, Snapshot};

/// The query of the client.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductListQuery {
    pub page: PageQuery,
    /// The filter. `new_since` is `None` here and follows from `only_new`.
    pub filter: ProductFilter,
    /// Whether only new products match, by the tenant's window.
    pub only_new: bool,
    pub sort: ProductSort,
}

/// A page and its window.
#[derive(Debug)]
pub struct ProductList<'s> {
    pub page: ProductPage<'s>,
    pub window: PageWindow,
}

/// Reads only the snapshot.
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

/// Runs the first title search in a large catalogue on a background thread, with a permit. The snapshot keeps the result, so
/// [`list_products`] is fast. Does nothing for other queries.
pub async fn search_titles(processor: &Processor, snapshot: &Arc<Snapshot>, query: &ProductListQuery) {
    if query.filter.titles.is_none() {
        return;
    }
    let filter = ProductFilter { titles: query.filter.titles.clone(), ..ProductFilter::default() };
    let search = ProductQuery { filter, sort: query.sort };
    if snapshot.lists_soon(&search) {
        return;
    }
    let permit = processor.search_permit().await;
    if snapshot.lists_soon(&search) {
        // Another request searched for the same meanwhile.
        return;
    }
    let snapshot = snapshot.clone();
    let page = PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT };
    let found = move || {
        let _permit = permit;
        snapshot.list(&search, page).total
    };
    // The list repeats a search that was cut off.
    let _ = off_the_runtime(found).await;
}

#[cfg(test)]
mod tests {
    use std::pin::{Pin, pin};
    use std::sync::mpsc;
    use std::task::{Context, Waker};

    use pointbook_domain::{CategoryTree, Product, ProductId};
    use pointbook_store::content_key::ContentKey;

    use super::*;
    use crate::index::{SnapshotBuilder, SnapshotOptions};

    /// From this many products on, a search may not run on a thread of the runtime.
    fn large() -> Arc<Snapshot> {
        let options = SnapshotOptions { low_stock_threshold: 0, hide_sold_out: false };
        let key = Arc::new(ContentKey::new(&[7; ContentKey::BYTES]));
        let mut builder = SnapshotBuilder::new(options, key);
        for number in 0..20_001 {
            builder.upsert(&Product {
                title: format!("Cup {}", number % 7),
                ..Product::blank(ProductId::new(format!("p{number}")).unwrap(), Timestamp::MIN)
            });
        }
        Arc::new(builder.build(&CategoryTree::default(), &[], Timestamp::from_micros(0).unwrap()))
    }

    fn query(title: &str) -> ProductListQuery {
        let filter = ProductFilter { titles: Some(vec![title.to_owned()]), ..ProductFilter::default() };
        let page = PageQuery { number: PageNumber::FIRST, size: None };
        ProductListQuery { page, filter, only_new: false, sort: ProductSort::Newest }
    }

    /// Whether a future is ready at its first poll.
    fn is_ready(future: Pin<&mut impl Future<Output = ()>>) -> bool {
        future.poll(&mut Context::from_waker(Waker::noop())).is_ready()
    }

    #[tokio::test]
    async fn a_search_that_was_made_is_known_to_the_list() {
        let (snapshot, asked, processor) = (large(), query("cup 3"), Processor::default());
        let search = ProductQuery { filter: asked.filter.clone(), sort: asked.sort };
        assert!(!snapshot.lists_soon(&search));
        search_titles(&processor, &snapshot, &asked).await;
        assert!(snapshot.lists_soon(&search));
    }

    #[tokio::test]
    async fn no_more_searches_are_made_at_once_than_there_are_cores() {
        let (snapshot, processor) = (large(), Processor::with_cores(2));
        let _first = processor.search_permit().await;
        let second = processor.search_permit().await;
        let asked = query("cup 3");
        let mut third = pin!(search_titles(&processor, &snapshot, &asked));
        assert!(!is_ready(third.as_mut()));
        drop(second);
        third.await;
    }

    #[tokio::test]
    async fn equal_searches_that_wait_share_the_first() {
        let (snapshot, asked, processor) = (large(), query("cup 3"), Processor::with_cores(1));
        let permit = processor.search_permit().await;
        let mut first = pin!(search_titles(&processor, &snapshot, &asked));
        let mut second = pin!(search_titles(&processor, &snapshot, &asked));
        assert!(!is_ready(first.as_mut()) && !is_ready(second.as_mut()));
        drop(permit);
        first.await;
        assert!(is_ready(second), "it searches no more");
    }

    /// Clients that send many requests and do not wait for the responses cannot pass the bound.
    #[test]
    fn a_search_keeps_its_turn_though_its_request_ended() {
        let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
        runtime.block_on(async {
            let (snapshot, asked, processor) = (large(), query("cup 3"), Processor::with_cores(1));
            // The search waits for the only thread, so its request ends first.
            let (release, released) = mpsc::channel::<()>();
            let busy = runtime.spawn_blocking(move || released.recv());
            assert!(!is_ready(pin!(search_titles(&processor, &snapshot, &asked))));
            let search = ProductQuery { filter: asked.filter.clone(), sort: asked.sort };
            let mut next = pin!(async { drop(processor.search_permit().await) });
            assert!(!is_ready(next.as_mut()), "the search has the only permit");
            release.send(()).unwrap();
            next.await;
            assert!(snapshot.lists_soon(&search), "it was made");
            busy.await.unwrap().unwrap();
        });
    }
}
