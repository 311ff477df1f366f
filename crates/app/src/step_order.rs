//! Fulfilling and cancelling orders.

use std::sync::Arc;

use pointbook_domain::{Order, OrderId, OrderStatus, Timestamp, Transaction};

use crate::commands::{Addition, Command, CommandError, Facts, Lane, Needs, Overdraft};
use crate::ports::{Execution, OrderStep, OrderStepOutcome, WrittenOrder};
use crate::{Context, StoreError, StoreResult};

/// Takes a step of an order, where [`OrderStatus::close`] allows it. Cancelling gives back what was taken, in
/// points and, where the stock is limited still, in pieces.
pub struct StepOrder {
    pub id: OrderId,
    pub step: OrderStep,
    pub at: Timestamp,
}

impl Command for StepOrder {
    type Outcome = OrderStepOutcome;

    const NAME: &'static str = "step_order";

    fn lane(&self) -> Lane {
        Lane::Order(self.id.clone())
    }

    fn needs(&self, needs: &mut Needs) {
        needs.orders.insert(self.id.clone());
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        let Ok(Some(order)) = facts.order(&self.id) else { return };
        if order.status != OrderStatus::Placed {
            return;
        }
        needs.account(&order.user_id);
        needs.products.insert(order.product.id.clone());
        if let OrderStep::Cancel { .. } = self.step {
            let refund = order.refund(self.at);
            needs.entry(&order.user_id, &refund.kind, &refund.source_id, self.at);
        }
    }

    fn decide(&self, facts: &mut Facts) -> Result<OrderStepOutcome, CommandError> {
        let Some(order) = facts.order(&self.id)?.cloned() else { return Ok(OrderStepOutcome::Unknown) };
        let status = match order.status.close(self.step.status()) {
            Ok(status) => status,
            Err(closed) => return Ok(OrderStepOutcome::AlreadyClosed(closed)),
        };
        let after = Order { status, ..order };
        let changes_catalogue = match &self.step {
            OrderStep::Fulfil => {
                facts.release_pieces(&after)?;
                false
            }
            OrderStep::Cancel { transaction_id } => {
                let refund = Transaction { id: transaction_id.clone(), activity: after.refund(self.at) };
                match facts.record(&after.user_id, &Arc::new(refund), self.at, Overdraft::Allowed)? {
                    Addition::Added { .. } => {}
                    Addition::Refused(_) => return Ok(OrderStepOutcome::OutOfRange),
                    Addition::StoodThere(_) => return Ok(OrderStepOutcome::RefundRecorded),
                }
                facts.give_back_pieces(&after)?
            }
        };
        let order = self.closed(after);
        facts.close(order.clone());
        let user_points = facts.balance(&order.user_id)?;
        Ok(OrderStepOutcome::Done(Box::new(WrittenOrder { order, user_points, changes_catalogue })))
    }
}

impl StepOrder {
    fn closed(&self, order: Order) -> Order {
        match self.step {
            OrderStep::Fulfil => Order { fulfilled_at: Some(self.at), ..order },
            OrderStep::Cancel { .. } => Order { cancelled_at: Some(self.at), ..order },
        }
    }
}

/// Notes that the pieces of a placed order went out.
pub async fn fulfil_order(
    context: &Context<OrderStepOutcome>,
    id: OrderId,
) -> StoreResult<Execution<OrderStepOutcome>> {
    context.execute(StepOrder { id, step: OrderStep::Fulfil, at: context.now }).await
}

/// Gives back what a placed order took, once.
///
/// # Errors
/// When the store fails; then nothing was given back, or the request's key tells.
pub async fn cancel_order(
    context: &Context<OrderStepOutcome>,
    id: OrderId,
) -> StoreResult<Execution<OrderStepOutcome>> {
    let step = OrderStep::Cancel { transaction_id: context.ids.transaction_id() };
    let change = context.changing_catalogue();
    let execution = context.execute(StepOrder { id, step, at: context.now }).await;
    if is_same_to_clients(&execution) {
        change.dismiss();
    }
    execution
}

/// Whether clients surely see the catalogue as before. A replay says nothing of it: the request that was
/// executed may have been cut before it could tell. Nor does a wrong step: it may be the right one again.
fn is_same_to_clients(execution: &StoreResult<Execution<OrderStepOutcome>>) -> bool {
    match execution {
        Ok(Execution::Executed(OrderStepOutcome::Done(written))) => !written.changes_catalogue,
        Ok(
            Execution::Executed(
                OrderStepOutcome::Unknown | OrderStepOutcome::OutOfRange | OrderStepOutcome::RefundRecorded,
            )
            | Execution::KeyTaken
            | Execution::TooManyKeys,
        )
        | Err(StoreError::Overloaded) => true,
        // What became of a write that failed nobody knows.
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
