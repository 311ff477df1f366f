//! Orders: points for pieces of a product.

pub(crate) mod order_row;
mod pages;
mod place;
mod seen;
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
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;
use crate::turns::Lane;

#[async_trait]
impl OrderStore for PostgresTenant {
    async fn place_order(
        &self,
        order: NewOrder,
        once: Option<Once<PlaceOrderOutcome>>,
    ) -> StoreResult<Execution<PlaceOrderOutcome>> {
        let (order, once) = (&order, once.as_ref());
        self.access
            .write_in(Lane::User(order.user_id.clone()), "place_order", |database| {
                once::carry_out(database, &self.id, once, place::plan(database, &self.id, order)).scoped()
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
        let once = once.as_ref();
        self.access
            .write_in(Lane::Order(id.clone()), "step_order", |database| {
                let work = step::take(database, &self.id, id, step, at);
                once::execute(database, &self.id, once, work).scoped()
            })
            .await
    }

    async fn order(&self, id: &OrderId) -> StoreResult<Option<Order>> {
        self.access.read_short("order", |database| order_row::find(database, &self.id, id).scoped()).await
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
