//! `POST /v1/store/orders`: points for pieces of a product.

use std::sync::Arc;

use pointbook_catalogue::cache::PendingChange;
use pointbook_catalogue::products::stock;
use pointbook_domain::order::price_of;
use pointbook_domain::{
    ActivityType, EventType, FeedEntry, Order, OrderRefusal, Points, ProductId, Quantity, Transaction,
};
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs};
use pointbook_store::ports::{Execution, NewOrder, PlaceOrderOutcome, WrittenOrder};
use pointbook_store::{Context, StoreError, StoreResult};

use crate::ledger;
use crate::ledger::{Addition, Overdraft, Recording, Refusal, Terms};

/// Takes points (never below 0) and stock, and adds the order, at the product's effective price of this moment ([`price_of`]).
/// Or does nothing.
pub struct PlaceOrder {
    pub(crate) order: NewOrder,
    terms: Terms,
}

impl Command for PlaceOrder {
    type Outcome = PlaceOrderOutcome;

    const NAME: &'static str = "place_order";

    fn lane(&self) -> Lane {
        Lane::User(self.order.user_id.clone())
    }

    fn needs(&self, needs: &mut Needs) {
        let NewOrder { id, user_id, product_id, at, .. } = &self.order;
        ledger::need_entry(needs, user_id, (&ActivityType::order(), &id.spending_source()), *at);
        stock::need(needs, product_id);
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        self.terms.need_due(facts, needs, &self.order.user_id, self.order.at);
    }

    fn decide(&self, facts: &mut Facts) -> Result<PlaceOrderOutcome, CommandError> {
        let order = match self.priced(facts)? {
            Ok(order) => order,
            Err(refusal) => return Ok(PlaceOrderOutcome::Refused(refusal)),
        };
        let user_points = match self.spend(facts, &order)? {
            Ok(balance) => balance,
            Err(refusal) => return Ok(PlaceOrderOutcome::Refused(refusal)),
        };
        let changes_catalogue = stock::take(facts, &order.product.id, order.quantity)?;
        facts.tell(event(EventType::OrderPlaced, &order));
        facts.tally().orders_placed += 1;
        facts.insert(order.clone());
        Ok(PlaceOrderOutcome::Placed(Box::new(WrittenOrder { order, user_points, changes_catalogue })))
    }
}

impl PlaceOrder {
    pub fn new(order: NewOrder, terms: Terms) -> Self {
        Self { order, terms }
    }

    /// For a tenant whose points never ended.
    pub fn without_end(order: NewOrder) -> Self {
        Self::new(order, Terms::default())
    }

    fn priced(&self, facts: &Facts) -> Result<Result<Order, OrderRefusal>, CommandError> {
        let new = &self.order;
        let Some(product) = stock::product(facts, &new.product_id)? else {
            return Ok(Err(OrderRefusal::UnknownProduct));
        };
        Ok(price_of(&product, new.quantity, new.at).map(|points| new.placed(&product, points)))
    }

    /// Takes the points and returns the balance.
    fn spend(&self, facts: &mut Facts, order: &Order) -> Result<Result<Points, OrderRefusal>, CommandError> {
        let NewOrder { transaction_id, user_id, at, .. } = &self.order;
        let transaction = Arc::new(Transaction {
            id: transaction_id.clone(),
            activity: order.spending(),
            bonus_origin: pointbook_domain::BonusOrigin::Undecided,
        });
        let recording = Recording { at: *at, overdraft: Overdraft::Refused, terms: &self.terms };
        match recording.record(facts, user_id, &transaction)? {
            Addition::Added { .. } => ledger::balance(facts, user_id).map(Ok),
            Addition::Refused(Refusal::TooFewPoints) => Ok(Err(OrderRefusal::TooFewPoints)),
            Addition::Refused(Refusal::OutOfRange) => Ok(Err(OrderRefusal::OutOfRange)),
            Addition::AlreadyRecorded(_) => {
                let what = "is new, but its points were taken before";
                Err(CommandError::in_row("orders", order.id.as_str(), what))
            }
        }
    }
}

/// What the feed tells of an order.
pub(crate) fn event(kind: EventType, order: &Order) -> FeedEntry {
    let (user_id, id) = (Some(order.user_id.clone()), Some(order.id.as_str().to_owned()));
    FeedEntry { kind, user_id, id, row: None }
}

/// Takes points and stock of the customer at the present price, or does nothing. If customers see another catalogue then, the
/// next request sees it.
///
/// # Errors
/// When the store fails: nothing was taken, or the key of the request tells.
pub async fn place_order(
    context: &Context<PlaceOrderOutcome>,
    product_id: ProductId,
    quantity: Quantity,
) -> StoreResult<Execution<PlaceOrderOutcome>> {
    let order = NewOrder {
        id: context.ids.order_id(),
        number: context.ids.order_number(),
        transaction_id: context.ids.transaction_id(),
        user_id: context.customer()?.clone(),
        product_id,
        quantity,
        at: context.now,
    };
    let change = PendingChange::of(context);
    let execution = context.execute(PlaceOrder::new(order, Terms::of(&context.tenant))).await;
    if is_same_to_clients(&execution) {
        change.dismiss();
    }
    execution
}

/// Whether customers certainly see the same catalogue. A replay does not tell: the first request may have been cut before it
/// could note the change.
fn is_same_to_clients(execution: &StoreResult<Execution<PlaceOrderOutcome>>) -> bool {
    match execution {
        Ok(Execution::Executed(PlaceOrderOutcome::Placed(written))) => !written.changes_catalogue,
        Ok(
            Execution::Executed(PlaceOrderOutcome::Refused(_)) | Execution::KeyTaken | Execution::TooManyKeys,
        )
        | Err(StoreError::Overloaded) => true,
        // After a failure, the result of the write is unknown.
        Ok(Execution::Replayed(_)) | Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_write_that_was_not_begun_surely_changed_nothing() {
        assert!(is_same_to_clients(&Err(StoreError::Overloaded)));
        assert!(!is_same_to_clients(&Err(StoreError::Unavailable("an answer that was lost".into()))));
    }
}
