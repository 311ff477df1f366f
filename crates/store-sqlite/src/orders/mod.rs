//! Orders: points for pieces of a product.

pub(crate) mod order_row;
mod pages;
mod place;
mod step;
mod stock;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{
    Execution, NewOrder, Once, OrderFilter, OrderStep, OrderStepOutcome, OrderStore, PageOf,
    PlaceOrderOutcome,
};
use pointbook_domain::{Order, OrderId, PageRequest, ProductId, Timestamp};

pub(crate) use self::order_row::select_orders;
use crate::once;
use crate::store::SqliteTenant;
use crate::writer::Lane;

#[async_trait]
impl OrderStore for SqliteTenant {
    async fn place_order(
        &self,
        order: NewOrder,
        once: Option<Once<PlaceOrderOutcome>>,
    ) -> StoreResult<Execution<PlaceOrderOutcome>> {
        let (tenant, lane) = (self.id.clone(), Lane::user(&self.id, &order.user_id));
        self.access
            .write("place_order", lane, move |database| {
                once::execute(database, &tenant, once.as_ref(), || place::place(database, &tenant, &order))
            })
            .await
    }

    async fn step_order(
        &self,
        id: &OrderId,
        step: &OrderStep,
        at: Timestamp,
        once: Option<Once<OrderStepOutcome>>,
    ) -> StoreResult<Execution<OrderStepOutcome>> {
        let (tenant, id, step) = (self.id.clone(), id.clone(), step.clone());
        self.access
            .write("step_order", Lane::order(&self.id, &id), move |database| {
                once::execute(database, &tenant, once.as_ref(), || {
                    step::take(database, &tenant, &id, &step, at)
                })
            })
            .await
    }

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
