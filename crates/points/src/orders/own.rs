//! What customers do with their own orders: they look at one, and cancel it.

use pointbook_domain::{Order, OrderId, UserId};
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs};
use pointbook_store::ports::{Execution, OrderStep, OrderStepOutcome};
use pointbook_store::{Context, StoreResult};

use crate::ledger::Terms;
use crate::orders::step::{StepOrder, execute_cancellation};

/// Cancels an order, if it belongs to this user and the tenant lets customers cancel. An order of another user is unknown.
struct CancelOwnOrder {
    order: StepOrder,
    user_id: UserId,
    /// The setting `members_cancel_orders` of the tenant.
    is_allowed: bool,
}

impl CancelOwnOrder {
    fn is_owner(&self, facts: &Facts) -> Result<bool, CommandError> {
        Ok(facts.get::<Order>(&self.order.id)?.is_some_and(|order| order.user_id == self.user_id))
    }
}

impl Command for CancelOwnOrder {
    type Outcome = OrderStepOutcome;

    const NAME: &'static str = "cancel_own_order";

    fn lane(&self) -> Lane {
        Lane::User(self.user_id.clone())
    }

    /// The refusal follows from a setting that may be another one a minute later.
    fn is_kept(&self, outcome: &OrderStepOutcome) -> bool {
        !matches!(outcome, OrderStepOutcome::NotByCustomers)
    }

    fn needs(&self, needs: &mut Needs) {
        self.order.needs(needs);
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        if self.is_owner(facts).unwrap_or_default() {
            self.order.further_needs(facts, needs);
        }
    }

    /// A closed order says how it was closed, also when customers may not cancel: a lost response may have cancelled it.
    fn decide(&self, facts: &mut Facts) -> Result<OrderStepOutcome, CommandError> {
        if !self.is_owner(facts)? {
            return Ok(OrderStepOutcome::Unknown);
        }
        if !self.is_allowed && self.order.closed_before(facts)?.is_none() {
            return Ok(OrderStepOutcome::NotByCustomers);
        }
        self.order.decide(facts)
    }
}

/// Returns the points and pieces of a placed order of the customer, once.
///
/// # Errors
/// When the store fails: nothing was returned, or the key of the request tells.
pub async fn cancel_own_order(
    context: &Context<OrderStepOutcome>,
    id: OrderId,
) -> StoreResult<Execution<OrderStepOutcome>> {
    let step = OrderStep::Cancel { transaction_id: context.ids.transaction_id(), reason: None };
    let command = CancelOwnOrder {
        order: StepOrder::new(id, step, context.now, Terms::of(&context.tenant)),
        user_id: context.customer()?.clone(),
        is_allowed: context.tenant.tenant.settings.members_cancel_orders,
    };
    execute_cancellation(context, command).await
}

/// The order. `None` when it does not exist or belongs to another user: the caller cannot tell which.
pub async fn show_own_order(context: &Context, id: &OrderId) -> StoreResult<Option<Order>> {
    let (order, user_id) = (context.tenant.data.order(id).await?, context.customer()?);
    Ok(order.filter(|order| order.user_id == *user_id))
}
