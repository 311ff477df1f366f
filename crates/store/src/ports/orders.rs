use pointbook_domain::{
    ClosedStatus, Order, OrderId, OrderRefusal, OrderStatus, OrderedProduct, PageRequest, Points, Product,
    ProductId, Quantity, Timestamp, TransactionId, UserId,
};

use super::rows::{read_all, read_one, read_page};
use super::{PageOf, StoreResult, TenantData};
use crate::schema::Query;
use crate::schema::rows_of_service::OrderedId;
use crate::schema::texts::MOST_ORDERED;

/// An order to place. All its ids are new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOrder {
    pub id: OrderId,
    /// Its number, for people.
    pub number: String,
    /// The id of the transaction that takes the points.
    pub transaction_id: TransactionId,
    /// The customer, who is known because of the token.
    pub user_id: UserId,
    pub product_id: ProductId,
    /// How many pieces.
    pub quantity: Quantity,
    pub at: Timestamp,
}

impl NewOrder {
    /// The order for the present product, at this total price.
    pub fn placed(&self, product: &Product, points: Points) -> Order {
        let Self { id, number, transaction_id: _, user_id, product_id: _, quantity, at } = self;
        Order {
            id: id.clone(),
            number: number.clone(),
            user_id: user_id.clone(),
            product: OrderedProduct {
                id: product.id.clone(),
                sku: product.sku.clone(),
                title: product.title.clone(),
                price: product.effective_price(),
            },
            quantity: *quantity,
            points,
            takes_stock: product.stock.is_some(),
            status: OrderStatus::Placed,
            created_at: *at,
            fulfilled_at: None,
            cancelled_at: None,
        }
    }
}

/// An order after a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenOrder {
    pub order: Order,
    /// The balance of its user.
    pub user_points: Points,
    /// Whether customers see another catalogue, so that its version was raised. It depends on the tenant's threshold for low
    /// stock in the same transaction.
    pub changes_catalogue: bool,
}

/// The result of placing an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlaceOrderOutcome {
    /// The order took points and stock, and the history shows it.
    Placed(Box<WrittenOrder>),
    /// Nothing was taken.
    Refused(OrderRefusal),
}

/// The next status of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderStep {
    /// The pieces went out.
    Fulfil,
    /// Points and stock are returned.
    Cancel {
        /// The id of the transaction that returns the points.
        transaction_id: TransactionId,
        /// For the audit log.
        reason: Option<String>,
    },
}

impl OrderStep {
    /// The status after the step.
    pub fn status(&self) -> ClosedStatus {
        match self {
            Self::Fulfil => ClosedStatus::Fulfilled,
            Self::Cancel { .. } => ClosedStatus::Cancelled,
        }
    }
}

/// The result of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderStepOutcome {
    /// It was taken.
    Done(Box<WrittenOrder>),
    /// There is no such order.
    Unknown,
    /// The order was closed before, so no further step is possible.
    AlreadyClosed(ClosedStatus),
    /// The tenant does not let customers cancel. Nothing was done.
    NotByCustomers,
    /// The balance would be out of range. Nothing was done.
    OutOfRange,
    /// The ledger has the refund although the order is not cancelled, because another program changed the database. Nothing was
    /// done, since points are returned only once.
    RefundRecorded,
}

/// Which orders are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrderFilter {
    pub user_id: Option<UserId>,
    /// Those that stand here.
    pub status: Option<OrderStatus>,
    /// Those with this part in the number, the member, the title or the SKU, in any case of letters.
    pub search: Option<String>,
}

impl OrderFilter {
    /// The orders of the list, in its order.
    pub fn query(&self) -> Query {
        self.by_age("orders").descending()
    }

    fn by_age(&self, name: &'static str) -> Query {
        let Self { user_id, status, search } = self;
        Query::of::<Order>(name, &["created_at", "id"])
            .equal("user_id", user_id.as_ref())
            .equal("status", status.as_ref())
            .has_part(&["number", "user_id", "product_title", "product_sku"], search.as_deref())
    }
}

/// The orders of one tenant.
impl dyn TenantData + '_ {
    pub async fn order(&self, id: &OrderId) -> StoreResult<Option<Order>> {
        read_one(self, Query::of::<Order>("order", &[]).equal("id", Some(id))).await
    }

    /// The order with this number for people.
    pub async fn order_with_number(&self, number: &str) -> StoreResult<Option<Order>> {
        read_one(self, Query::of::<Order>("order_with_number", &[]).equal("number", Some(number))).await
    }

    /// A page of orders, the newest first. Equal times are sorted by id, the larger first.
    pub async fn orders(&self, filter: &OrderFilter, page: PageRequest) -> StoreResult<PageOf<Order>> {
        read_page(self, filter.query(), page).await
    }

    /// A page of the same orders, the oldest first.
    pub async fn queued_orders(&self, filter: &OrderFilter, page: PageRequest) -> StoreResult<PageOf<Order>> {
        read_page(self, filter.by_age("queued_orders"), page).await
    }

    /// At most `limit` of these orders that follow this one, the oldest first. `None` begins with the oldest order. An order that is
    /// closed between two reads moves no other order out of the second read.
    pub async fn orders_after(
        &self,
        filter: &OrderFilter,
        after: Option<&Order>,
        limit: u32,
    ) -> StoreResult<Vec<Order>> {
        let place = after.map(|order| (order.created_at, order.id.clone()));
        read_all(self, filter.by_age("orders_after").after(place.as_ref()).limit(limit)).await
    }

    /// The products with the most pieces in orders that were placed since this time and are not cancelled: at most `limit`, the
    /// most ordered first, equal counts by id. Retired and inactive products do not count.
    pub async fn most_ordered(&self, since: Timestamp, limit: u32) -> StoreResult<Vec<ProductId>> {
        let query = Query::of_text::<OrderedId>(&MOST_ORDERED, &(since,)).urgent().limit(limit);
        let rows: Vec<OrderedId> = read_all(self, query).await?;
        Ok(rows.into_iter().map(|row| row.product_id).collect())
    }
}
