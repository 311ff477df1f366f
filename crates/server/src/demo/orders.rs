//! Sample orders, one in each status. Their ids are fixed, so that the printed commands can name them. The orders in the
//! generated histories are only transactions.

use std::sync::Arc;

use pointbook_domain::OrderStatus::{Cancelled, Fulfilled};
use pointbook_domain::{
    Day, Environment, OperatorId, OrderId, OrderStatus, ProductId, Quantity, TenantId, Timestamp,
    TransactionId, UserId,
};
use pointbook_points::orders::place::place_order;
use pointbook_points::orders::step::{cancel_order, fulfil_order};
use pointbook_store::ports::{OrderStepOutcome, PlaceOrderOutcome};
use pointbook_store::{Actor, Context, IdSource};

use crate::import::Target;
use crate::sample::SampleResult;

/// The user who orders: a user of production with enough points.
const USER: &str = "aiko";

/// A sample order of one piece. Its days count back from the day on which the tenant was added.
pub(super) struct SampleOrder {
    number: u32,
    product: &'static str,
    days_ago: u32,
    /// The final status, and how many days ago the order got it; `None` for an open order.
    closed: Option<(OrderStatus, u32)>,
}

/// The orders, oldest first; the last one is open.
pub(super) const ORDERS: [SampleOrder; 3] = [
    SampleOrder { number: 1, product: "espresso-cups", days_ago: 40, closed: Some((Fulfilled, 38)) },
    SampleOrder { number: 2, product: "kids-headphones", days_ago: 20, closed: Some((Cancelled, 19)) },
    SampleOrder { number: 3, product: "yunomi-cup", days_ago: 1, closed: None },
];

impl SampleOrder {
    fn id(&self) -> SampleResult<OrderId> {
        Ok(OrderId::new(format!("demo-order-{}", self.number))?)
    }
}

/// Places and closes the sample orders that are missing or still open.
pub(super) async fn ensure(target: Target<'_>) -> SampleResult<()> {
    let tenant = &target.tenant.tenant;
    if tenant.environment != Environment::Production {
        return Ok(());
    }
    let today = tenant.created_at.day();
    for sample in &ORDERS {
        let status = match target.tenant.data.order(&sample.id()?).await? {
            Some(order) => order.status,
            None => place(target, sample, today).await?,
        };
        if status == OrderStatus::Placed {
            close(target, sample, today).await?;
        }
    }
    Ok(())
}

async fn place(target: Target<'_>, sample: &SampleOrder, today: Day) -> SampleResult<OrderStatus> {
    let ids = KnownIds {
        order_id: sample.id()?,
        order_number: format!("ACME-0000-{:04}", sample.number),
        others: target.ids.clone(),
    };
    let context = Context {
        actor: Actor::Customer(UserId::new(USER)?),
        now: noon(today, sample.days_ago),
        ids: Arc::new(ids),
        ..target.context()
    };
    let placed = place_order(&context, ProductId::new(sample.product)?, Quantity::ONE).await?;
    match placed.without_key()? {
        PlaceOrderOutcome::Placed(written) => Ok(written.order.status),
        PlaceOrderOutcome::Refused(refusal) => {
            Err(format!("sample order {} was refused: {refusal:?}", sample.number).into())
        }
    }
}

async fn close(target: Target<'_>, sample: &SampleOrder, today: Day) -> SampleResult<()> {
    let Some((status, days_ago)) = sample.closed else { return Ok(()) };
    let context = Context { now: noon(today, days_ago), ..target.context() };
    let closed = match status {
        Cancelled => {
            cancel_order(&context, sample.id()?, Some("The member changed their mind".to_owned())).await?
        }
        _ => fulfil_order(&context, sample.id()?).await?,
    };
    match closed.without_key()? {
        OrderStepOutcome::Done(_) => Ok(()),
        other => Err(format!("sample order {} was not closed: {other:?}", sample.number).into()),
    }
}

fn noon(today: Day, days_ago: u32) -> Timestamp {
    today.start().minus_days(days_ago).plus_seconds(12 * 3600)
}

/// Gives a fixed order id and order number. Takes all other ids from `others`.
struct KnownIds {
    order_id: OrderId,
    order_number: String,
    others: Arc<dyn IdSource>,
}

impl IdSource for KnownIds {
    fn transaction_id(&self) -> TransactionId {
        self.others.transaction_id()
    }

    fn order_id(&self) -> OrderId {
        self.order_id.clone()
    }

    fn order_number(&self) -> String {
        self.order_number.clone()
    }

    fn tenant_id(&self) -> TenantId {
        self.others.tenant_id()
    }

    fn operator_id(&self) -> OperatorId {
        self.others.operator_id()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::sample::diary;
    use crate::sample::goods::{SampleProduct, goods};
    use crate::sample::people::people;

    fn price(goods: &[SampleProduct], sample: &SampleOrder) -> i64 {
        let good = goods.iter().find(|good| good.id == sample.product).unwrap();
        assert!(good.published_days_ago > i64::from(sample.days_ago), "{}", sample.product);
        good.price()
    }

    /// Without bonuses, which only add to the balance.
    fn points(entry: &Value) -> i64 {
        entry["points"].as_i64().unwrap()
    }

    #[test]
    fn user_has_enough_points_on_every_day_of_a_year() {
        let goods = goods().unwrap();
        let price: i64 = ORDERS.iter().map(|sample| price(&goods, sample)).sum();
        let person = people().unwrap().into_iter().find(|person| person.id == USER).unwrap();
        for later in 0..366 {
            let today = Day::from_days(20_778 + later).unwrap();
            let entries = diary::activities(&person, &goods, today).unwrap();
            let balance: i64 = entries.iter().map(points).sum();
            assert!(balance > price, "{balance} on {today}");
        }
    }
}
