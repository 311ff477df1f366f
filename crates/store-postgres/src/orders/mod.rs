//! Orders: points for pieces of a product.

mod pages;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{OrderFilter, OrderStore, PageOf};
use pointbook_domain::{Order, OrderId, PageRequest, ProductId, Timestamp};

use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;

#[async_trait]
impl OrderStore for PostgresTenant {
    async fn order(&self, id: &OrderId) -> StoreResult<Option<Order>> {
        self.access.read_short("order", |database| pages::find(database, &self.id, id).scoped()).await
    }

    async fn orders(&self, filter: &OrderFilter, page: PageRequest) -> StoreResult<PageOf<Order>> {
        self.access
            .read_snapshot("orders", |database| pages::page(database, &self.id, filter, page).scoped())
            .await
    }

    async fn most_ordered(&self, since: Timestamp, limit: u32) -> StoreResult<Vec<ProductId>> {
        self.access
            .read("most_ordered", |database| pages::most_ordered(database, &self.id, since, limit).scoped())
            .await
    }
}
