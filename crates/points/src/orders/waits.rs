//! How long orders wait, in the three groups of all pages.

use pointbook_domain::{Order, OrderStatus, Timestamp};
use pointbook_store::ports::OrderFilter;
use pointbook_store::schema::Comparison;
use pointbook_store::{ServedTenant, StoreResult};

/// How long an order waits. Pages have a text for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// So long that someone should look at it.
    Long,
    Some,
    Short,
}

impl Wait {
    /// The longest first.
    pub const ALL: [Self; 3] = [Self::Long, Self::Some, Self::Short];

    /// The id of its text.
    pub fn text(self) -> &'static str {
        match self {
            Self::Long => "orders-waits-long",
            Self::Some => "orders-waits-some",
            Self::Short => "orders-waits-short",
        }
    }

    /// How many days an order waits at least.
    fn least_days(self) -> u32 {
        match self {
            Self::Long => 3,
            Self::Some => 1,
            Self::Short => 0,
        }
    }

    pub fn of(order: &Order, now: Timestamp) -> Self {
        let is_so_long = |wait: &Self| order.created_at <= now.minus_days(wait.least_days());
        Self::ALL.into_iter().find(is_so_long).unwrap_or(Self::Short)
    }
}

/// How many of these orders wait how long, in the order of [`Wait::ALL`]. `all` of them wait.
///
/// # Errors
/// When the store fails.
pub async fn count_waiting(
    served: &ServedTenant,
    filter: OrderFilter,
    all: u64,
    now: Timestamp,
) -> StoreResult<[u64; 3]> {
    if all == 0 {
        return Ok([0; 3]);
    }
    let placed = OrderFilter { status: Some(OrderStatus::Placed), ..filter };
    let since = |wait: Wait| {
        let created = now.minus_days(wait.least_days());
        placed.query().compared("created_at", Comparison::AtMost, &created)
    };
    let long = served.data.count(&since(Wait::Long)).await?;
    let some = served.data.count(&since(Wait::Some)).await?.saturating_sub(long);
    Ok([long, some, all.saturating_sub(long + some)])
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{OrderId, OrderedProduct, Points, Price, ProductId, Quantity, UserId};

    use super::*;

    fn waits(micros: i64) -> Wait {
        let now = Timestamp::from_micros(1_000_000_000_000_000).unwrap();
        let product = OrderedProduct {
            id: ProductId::new("mug").unwrap(),
            sku: String::new(),
            title: String::new(),
            price: Price::new(1).unwrap(),
        };
        let order = Order {
            id: OrderId::new("o").unwrap(),
            number: String::new(),
            user_id: UserId::new("u").unwrap(),
            product,
            quantity: Quantity::new(1).unwrap(),
            points: Points::new(1).unwrap(),
            takes_stock: false,
            status: OrderStatus::Placed,
            created_at: Timestamp::from_micros(now.as_micros() - micros).unwrap(),
            fulfilled_at: None,
            cancelled_at: None,
        };
        Wait::of(&order, now)
    }

    #[test]
    fn an_order_is_in_the_next_group_after_whole_days() {
        const DAY: i64 = 86_400_000_000;
        for (micros, expected) in [
            (-1, Wait::Short),
            (0, Wait::Short),
            (DAY - 1, Wait::Short),
            (DAY, Wait::Some),
            (3 * DAY - 1, Wait::Some),
            (3 * DAY, Wait::Long),
            (900 * DAY, Wait::Long),
        ] {
            assert_eq!(waits(micros), expected, "{micros}");
        }
    }
}
