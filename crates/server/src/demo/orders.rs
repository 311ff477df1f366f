//! Orders that were placed in the demo's store itself, beside those in the histories that were brought
//! along: one in each status, under ids that are known, so that lines can name them.

use std::sync::Arc;

use pointbook_app::ports::{OrderStepOutcome, PlaceOrderOutcome};
use pointbook_app::{Actor, Context, IdSource, cancel_order, fulfil_order, place_order};
use pointbook_domain::{
    Day, Environment, OrderId, OrderStatus, ProductId, Quantity, TenantId, Timestamp, TransactionId, UserId,
};

use super::result::SampleResult;
use crate::import::Target;

/// A sample order of one piece.
pub(super) struct SampleOrder {
    pub(super) id: &'static str,
    number: &'static str,
    /// Whose it is: somebody of production with points enough.
    pub(super) user: &'static str,
    pub(super) product: &'static str,
    /// When it was placed, in days before the demo was made.
    pub(super) placed_days_ago: u32,
    /// What became of it, and when.
    closed: Option<(OrderStatus, u32)>,
}

/// The orders, oldest first; the last one is open.
pub(super) const ORDERS: [SampleOrder; 3] = [
    SampleOrder {
        id: "demo-order-1",
        number: "ACME-0000-0001",
        user: "aiko",
        product: "espresso-cups",
        placed_days_ago: 40,
        closed: Some((OrderStatus::Fulfilled, 38)),
    },
    SampleOrder {
        id: "demo-order-2",
        number: "ACME-0000-0002",
        user: "aiko",
        product: "kids-headphones",
        placed_days_ago: 20,
        closed: Some((OrderStatus::Cancelled, 19)),
    },
    SampleOrder {
        id: "demo-order-3",
        number: "ACME-0000-0003",
        user: "aiko",
        product: "yunomi-cup",
        placed_days_ago: 1,
        closed: None,
    },
];

/// Places what was not placed, and closes what was not closed.
pub(super) async fn ensure(target: Target<'_>) -> SampleResult<()> {
    let tenant = &target.tenant.tenant;
    if tenant.environment != Environment::Production {
        return Ok(());
    }
    let today = tenant.created_at.day();
    for sample in &ORDERS {
        let status = match target.tenant.data.order(&OrderId::new(sample.id)?).await? {
            Some(order) => order.status,
            None => place(target, sample, today).await?,
        };
        if status == OrderStatus::Placed {
            close(target, sample, today).await?;
        }
    }
    Ok(())
}

async fn place(target: Target<'_>, sample: &'static SampleOrder, today: Day) -> SampleResult<OrderStatus> {
    let (user_id, product_id) = (UserId::new(sample.user)?, ProductId::new(sample.product)?);
    let context = Context {
        actor: Actor::Customer(user_id),
        now: noon(today, sample.placed_days_ago)?,
        ids: Arc::new(KnownIds { sample, others: target.ids.clone() }),
        ..target.context()
    };
    let placed = place_order(&context, product_id, Quantity::ONE).await?;
    match placed.without_key()? {
        PlaceOrderOutcome::Placed(written) => Ok(written.order.status),
        PlaceOrderOutcome::Refused(refusal) => {
            Err(format!("sample order {} was refused: {refusal:?}", sample.id).into())
        }
    }
}

async fn close(target: Target<'_>, sample: &SampleOrder, today: Day) -> SampleResult<()> {
    let Some((status, days_ago)) = sample.closed else { return Ok(()) };
    let id = OrderId::new(sample.id)?;
    let context = Context { now: noon(today, days_ago)?, ..target.context() };
    let closed = match status {
        OrderStatus::Cancelled => cancel_order(&context, id).await?,
        _ => fulfil_order(&context, id).await?,
    };
    match closed.without_key()? {
        OrderStepOutcome::Done(_) => Ok(()),
        other => Err(format!("sample order {} was not closed: {other:?}", sample.id).into()),
    }
}

fn noon(today: Day, days_ago: u32) -> SampleResult<Timestamp> {
    let day = i32::try_from(i64::from(today.as_days()) - i64::from(days_ago))?;
    let day = Day::from_days(day).ok_or("a day before the calendar")?;
    Ok(day.start().plus_seconds(12 * 3600))
}

/// The order's own id and number; whatever else is asked for comes from elsewhere.
struct KnownIds {
    sample: &'static SampleOrder,
    others: Arc<dyn IdSource>,
}

impl IdSource for KnownIds {
    fn transaction_id(&self) -> TransactionId {
        self.others.transaction_id()
    }

    fn order_id(&self) -> OrderId {
        OrderId::new(self.sample.id).unwrap_or_else(|_| self.others.order_id())
    }

    fn order_number(&self) -> String {
        self.sample.number.to_owned()
    }

    fn tenant_id(&self) -> TenantId {
        self.others.tenant_id()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::diary;
    use crate::demo::goods::{Good, goods};
    use crate::demo::people::PEOPLE;

    fn good(goods: &[Good], sample: &SampleOrder) -> i64 {
        let good = goods.iter().find(|good| good.id == sample.product).unwrap();
        assert!(good.published_days_ago > i64::from(sample.placed_days_ago), "{}", sample.product);
        good.price
    }

    #[test]
    fn the_points_are_enough_on_every_day_of_a_year() {
        let goods = goods().unwrap();
        let price: i64 = ORDERS.iter().map(|sample| good(&goods, sample)).sum();
        assert!(ORDERS.iter().all(|sample| sample.user == "aiko"));
        let person = PEOPLE.iter().find(|person| person.id == "aiko").unwrap();
        for later in 0..366 {
            let today = Day::from_days(20_778 + later).unwrap();
            let entries = diary::activities(person, &goods, today).unwrap();
            let balance: i64 = entries.iter().map(|entry| entry.activity.net_points().unwrap().get()).sum();
            assert!(balance > price, "{balance} on {today}");
        }
    }
}
