//! Orders: points for pieces of a product.

pub(crate) mod order_row;
mod pages;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{OrderFilter, OrderStore, PageOf};
use pointbook_domain::{Order, OrderId, PageRequest, ProductId, Timestamp};

use crate::store::SqliteTenant;

#[async_trait]
impl OrderStore for SqliteTenant {
    async fn order(&self, id: &OrderId) -> StoreResult<Option<Order>> {
        self.access.read("order", |database| order_row::find(database, &self.id, id))
    }

    async fn orders(&self, filter: &OrderFilter, page: PageRequest) -> StoreResult<PageOf<Order>> {
        if let Some(user) = &filter.user_id {
            let short = self.access.read("orders_of_user", |database| {
                pages::short_page(database, &self.id, user, filter.status, page)
            })?;
            if let Some(page) = short {
                return Ok(page);
            }
        }
        let (tenant, filter) = (self.id.clone(), filter.clone());
        self.access
            .read_long("orders", &self.id, move |database| pages::page(database, &tenant, &filter, page))
            .await
    }

    async fn most_ordered(&self, since: Timestamp, limit: u32) -> StoreResult<Vec<ProductId>> {
        let tenant = self.id.clone();
        self.access
            .read_catalogue("most_ordered", move |database| {
                pages::most_ordered(database, &tenant, since, limit)
            })
            .await
    }
}
