//! Fulfilling and cancelling an order.

use pointbook_app::ports::{OrderStep, OrderStepOutcome, WrittenOrder};
use pointbook_app::recording::{Addition, Overdraft};
use pointbook_domain::{Order, OrderId, Points, Timestamp};

use super::{order_row, stock};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::ledger::{Hold, Question, Recorder, hold};
use crate::pipeline::both;
use crate::row::wrong;

/// Takes the step if the order stands where it can be taken. The order's row is locked first, before
/// its user and its product, so that one of several steps at once finds it placed.
pub(super) async fn take(
    database: &Transaction,
    tenant: &str,
    id: &OrderId,
    step: &OrderStep,
    at: Timestamp,
) -> Outcome<OrderStepOutcome> {
    let Some(order) = order_row::lock(database, tenant, id).await? else {
        return Ok(OrderStepOutcome::Unknown);
    };
    let status = match order.status.close(step.status()) {
        Ok(status) => status,
        Err(closed) => return Ok(OrderStepOutcome::AlreadyClosed(closed)),
    };
    let after = Order { status, ..order };
    match step {
        OrderStep::Fulfil => fulfil(database, tenant, Order { fulfilled_at: Some(at), ..after }).await,
        OrderStep::Cancel { transaction_id } => {
            let after = Order { cancelled_at: Some(at), ..after };
            let (id, activity) = (transaction_id.clone(), after.refund(at));
            cancel(database, tenant, after, &pointbook_domain::Transaction { id, activity }).await
        }
    }
}

async fn fulfil(database: &Transaction, tenant: &str, order: Order) -> Outcome<OrderStepOutcome> {
    // Nothing is recorded, so this is the balance as it stands.
    let states = hold(database, tenant, &[order.user_id.as_str()], Hold::Waiting).await?;
    let user_points = states.get(&order.user_id).map_or(Points::ZERO, |state| state.balance);
    both(leave_placed(database, tenant, &order), stock::release(database, tenant, &order)).await?;
    Ok(done(WrittenOrder { order, user_points, changes_catalogue: false }))
}

async fn cancel(
    database: &Transaction,
    tenant: &str,
    order: Order,
    refund: &pointbook_domain::Transaction,
) -> Outcome<OrderStepOutcome> {
    let question = Question::of(&order.user_id, &refund.activity);
    let mut recorder = Recorder::begin(database, tenant, &[question], Hold::Waiting).await?;
    let at = refund.activity.created_at;
    match recorder.record(&order.user_id, refund, at, Overdraft::Allowed)? {
        Addition::Added { .. } => {}
        Addition::Refused(_) => return Ok(OrderStepOutcome::OutOfRange),
        Addition::StoodThere(_) => return Ok(OrderStepOutcome::RefundRecorded),
    }
    let user_points = recorder.balance(&order.user_id)?;
    let changes = recorder.finish();
    let left = Box::pin(leave_placed(database, tenant, &order));
    Box::pin(changes.write_beside(database, tenant, left)).await?;
    let changes_catalogue = stock::give_back(database, tenant, &order).await?;
    Ok(done(WrittenOrder { order, user_points, changes_catalogue }))
}

fn done(written: WrittenOrder) -> OrderStepOutcome {
    OrderStepOutcome::Done(Box::new(written))
}

async fn leave_placed(database: &Transaction, tenant: &str, order: &Order) -> Outcome<()> {
    if order_row::leave_placed(database, tenant, order).await? {
        Ok(())
    } else {
        Err(wrong("orders", order.id.as_str(), "is no longer placed, as it was read"))
    }
}
