//! Fulfils and cancels orders.

use std::sync::Arc;

use pointbook_catalogue::cache::PendingChange;
use pointbook_catalogue::products::stock;
use pointbook_domain::expiry::Moves;
use pointbook_domain::{
    ActivityType, ClosedStatus, EventType, Order, OrderId, OrderStatus, Timestamp, Transaction,
};
use pointbook_store::audit_log::{ChangeNote, order_fields};
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs};
use pointbook_store::ports::{Execution, OrderStep, OrderStepOutcome, WrittenOrder};
use pointbook_store::schema::rows::{EntryRow, UserRow};
use pointbook_store::{Context, StoreError, StoreResult};

use crate::ledger;
use crate::ledger::{Addition, Overdraft, Recording, Terms, Undone};
use crate::orders::place::event;

/// Moves an order to its next status, if [`OrderStatus::close`] allows it. A cancelled order returns its points and, if the
/// stock is still limited, its pieces.
pub struct StepOrder {
    pub id: OrderId,
    pub step: OrderStep,
    pub at: Timestamp,
    /// When points end.
    terms: Terms,
}

impl Command for StepOrder {
    type Outcome = OrderStepOutcome;

    const NAME: &'static str = "step_order";

    fn lane(&self) -> Lane {
        Lane::Order(self.id.clone())
    }

    fn needs(&self, needs: &mut Needs) {
        needs.row::<Order>(&self.id);
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        let Ok(Some(order)) = facts.get::<Order>(&self.id) else { return };
        if order.status != OrderStatus::Placed {
            return;
        }
        needs.row::<UserRow>(&order.user_id);
        self.terms.need_due(facts, needs, &order.user_id, self.at);
        stock::need(needs, &order.product.id);
        if let OrderStep::Cancel { transaction_id, .. } = &self.step {
            let refund = order.refund(self.at);
            ledger::need_entry(needs, &order.user_id, (&refund.kind, &refund.source_id), self.at);
            if has_lots(facts, order).unwrap_or_default() {
                needs.unlocked::<EntryRow>(&(&order.user_id, &refund.kind, &order.id.spending_source()));
            }
            self.terms.need_reversal(needs, &order.user_id, transaction_id);
        }
    }

    fn decide(&self, facts: &mut Facts) -> Result<OrderStepOutcome, CommandError> {
        let Some(order) = facts.get::<Order>(&self.id)?.cloned() else {
            return Ok(OrderStepOutcome::Unknown);
        };
        let status = match order.status.close(self.step.status()) {
            Ok(status) => status,
            Err(closed) => return Ok(OrderStepOutcome::AlreadyClosed(closed)),
        };
        let moved = self.moved(facts, &order)?;
        ledger::settle(facts, &order.user_id, &self.terms, self.at)?;
        let after = Order { status, ..order };
        let changes_catalogue = match &self.step {
            OrderStep::Fulfil => {
                stock::release(facts, &after)?;
                false
            }
            OrderStep::Cancel { transaction_id, reason: _ } => {
                let refund = Transaction {
                    id: transaction_id.clone(),
                    activity: after.refund(self.at),
                    bonus_origin: pointbook_domain::BonusOrigin::Undecided,
                };
                let recording = Recording { at: self.at, overdraft: Overdraft::Allowed, terms: &self.terms };
                let refund = Arc::new(refund);
                let undone = Undone { moved: moved.as_ref(), before: 0 };
                match recording.take_back(facts, &after.user_id, &refund, undone)? {
                    Addition::Added { .. } => {}
                    Addition::Refused(_) => return Ok(OrderStepOutcome::OutOfRange),
                    Addition::AlreadyRecorded(_) => return Ok(OrderStepOutcome::RefundRecorded),
                }
                stock::give_back(facts, &after)?
            }
        };
        let order = self.closed(after);
        self.close(facts, &order)?;
        let user_points = ledger::balance(facts, &order.user_id)?;
        Ok(OrderStepOutcome::Done(Box::new(WrittenOrder { order, user_points, changes_catalogue })))
    }
}

impl StepOrder {
    pub fn new(id: OrderId, step: OrderStep, at: Timestamp, terms: Terms) -> Self {
        Self { id, step, at, terms }
    }

    /// For a tenant whose points never ended.
    pub fn without_end(id: OrderId, step: OrderStep, at: Timestamp) -> Self {
        Self::new(id, step, at, Terms::default())
    }

    /// How the order was closed, if it was.
    ///
    /// # Errors
    /// When the order is not loaded.
    pub fn closed_before(&self, facts: &Facts) -> Result<Option<ClosedStatus>, CommandError> {
        let order = facts.get::<Order>(&self.id)?;
        Ok(order.and_then(|order| order.status.close(self.step.status()).err()))
    }

    /// What the order moved in the lots of its user, when that matters.
    fn moved(&self, facts: &Facts, order: &Order) -> Result<Option<Moves>, CommandError> {
        let is_cancelled = matches!(self.step, OrderStep::Cancel { .. });
        if !is_cancelled || !has_lots(facts, order)? {
            return Ok(None);
        }
        let spending = (&order.user_id, &ActivityType::order(), &order.id.spending_source());
        Ok(facts.get::<EntryRow>(&spending)?.and_then(|entry| entry.moves.clone()))
    }

    fn close(&self, facts: &mut Facts, order: &Order) -> Result<(), CommandError> {
        let is_cancelled = order.status == OrderStatus::Cancelled;
        let kind = if is_cancelled { EventType::OrderCancelled } else { EventType::OrderFulfilled };
        facts.tell(event(kind, order));
        facts.tally().orders_cancelled += u64::from(is_cancelled);
        facts.note(|| {
            let operation = if is_cancelled { "order.cancel" } else { "order.fulfil" };
            let before = order_fields(order, OrderStatus::Placed);
            let after = order_fields(order, order.status);
            let note = ChangeNote::new(operation, format!("order:{}", order.id), Some(before), Some(after));
            self.reason().into_iter().fold(note, ChangeNote::because)
        });
        facts.put(order.clone())
    }

    fn reason(&self) -> Option<&str> {
        match &self.step {
            OrderStep::Fulfil => None,
            OrderStep::Cancel { reason, .. } => reason.as_deref(),
        }
    }

    fn closed(&self, order: Order) -> Order {
        match self.step {
            OrderStep::Fulfil => Order { fulfilled_at: Some(self.at), ..order },
            OrderStep::Cancel { .. } => Order { cancelled_at: Some(self.at), ..order },
        }
    }
}

fn has_lots(facts: &Facts, order: &Order) -> Result<bool, CommandError> {
    Ok(facts.get::<UserRow>(&order.user_id)?.is_some_and(|user| user.state.lots.is_some()))
}

/// Notes that the pieces of a placed order were delivered.
pub async fn fulfil_order(
    context: &Context<OrderStepOutcome>,
    id: OrderId,
) -> StoreResult<Execution<OrderStepOutcome>> {
    let terms = Terms::of(&context.tenant);
    context.execute(StepOrder::new(id, OrderStep::Fulfil, context.now, terms)).await
}

/// Returns the points and pieces of a placed order, once. The audit log keeps the reason.
///
/// # Errors
/// When the store fails: nothing was returned, or the key of the request tells.
pub async fn cancel_order(
    context: &Context<OrderStepOutcome>,
    id: OrderId,
    reason: Option<String>,
) -> StoreResult<Execution<OrderStepOutcome>> {
    let step = OrderStep::Cancel { transaction_id: context.ids.transaction_id(), reason };
    let command = StepOrder::new(id, step, context.now, Terms::of(&context.tenant));
    execute_cancellation(context, command).await
}

/// Executes a command that may cancel an order. The next request sees the pieces that it gave back.
///
/// # Errors
/// As [`Context::execute`].
pub async fn execute_cancellation(
    context: &Context<OrderStepOutcome>,
    command: impl Command<Outcome = OrderStepOutcome>,
) -> StoreResult<Execution<OrderStepOutcome>> {
    let change = PendingChange::of(context);
    let execution = context.execute(command).await;
    if is_same_to_clients(&execution) {
        change.dismiss();
    }
    execution
}

/// Whether customers certainly see the same catalogue. A replay does not tell: the first request may have been cut before it
/// could note the change. Nor does a wrong step: it may be a repeat of the right one.
fn is_same_to_clients(execution: &StoreResult<Execution<OrderStepOutcome>>) -> bool {
    match execution {
        Ok(Execution::Executed(OrderStepOutcome::Done(written))) => !written.changes_catalogue,
        Ok(
            Execution::Executed(
                OrderStepOutcome::Unknown
                | OrderStepOutcome::NotByCustomers
                | OrderStepOutcome::OutOfRange
                | OrderStepOutcome::RefundRecorded,
            )
            | Execution::KeyTaken
            | Execution::TooManyKeys,
        )
        | Err(StoreError::Overloaded) => true,
        // After a failure, the result of the write is unknown.
        Ok(Execution::Executed(OrderStepOutcome::AlreadyClosed(_)) | Execution::Replayed(_)) | Err(_) => {
            false
        }
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
