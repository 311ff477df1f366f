//! Fulfilling and cancelling an order.

use pointbook_app::ports::{OrderStep, OrderStepOutcome, WrittenOrder};
use pointbook_app::recording::{Addition, Overdraft};
use pointbook_domain::{Order, OrderId, Timestamp, Transaction};

use super::{order_row, stock};
use crate::error::Outcome;
use crate::ledger::Recorder;
use crate::row::wrong;

/// Takes the step if the order stands where it can be taken.
pub(super) fn take(
    database: &rusqlite::Transaction<'_>,
    tenant: &str,
    id: &OrderId,
    step: &OrderStep,
    at: Timestamp,
) -> Outcome<OrderStepOutcome> {
    let Some(order) = order_row::find(database, tenant, id)? else { return Ok(OrderStepOutcome::Unknown) };
    let status = match order.status.close(step.status()) {
        Ok(status) => status,
        Err(closed) => return Ok(OrderStepOutcome::AlreadyClosed(closed)),
    };
    let after = Order { status, ..order };
    match step {
        OrderStep::Fulfil => fulfil(database, tenant, Order { fulfilled_at: Some(at), ..after }, at),
        OrderStep::Cancel { transaction_id } => {
            let after = Order { cancelled_at: Some(at), ..after };
            let refund = Transaction { id: transaction_id.clone(), activity: after.refund(at) };
            cancel(database, tenant, after, &refund)
        }
    }
}

fn fulfil(
    database: &rusqlite::Transaction<'_>,
    tenant: &str,
    order: Order,
    at: Timestamp,
) -> Outcome<OrderStepOutcome> {
    // Nothing is recorded, so this is the balance as it stands.
    let user_points = Recorder::begin(database, tenant, &order.user_id, at)?.finish()?;
    leave_placed(database, tenant, &order)?;
    stock::release(database, tenant, &order)?;
    Ok(done(WrittenOrder { order, user_points, changes_catalogue: false }))
}

fn cancel(
    database: &rusqlite::Transaction<'_>,
    tenant: &str,
    order: Order,
    refund: &Transaction,
) -> Outcome<OrderStepOutcome> {
    let mut recorder = Recorder::begin(database, tenant, &order.user_id, refund.activity.created_at)?;
    match recorder.record(refund, Overdraft::Allowed)? {
        Addition::Added { .. } => {}
        Addition::Refused(_) => return Ok(OrderStepOutcome::OutOfRange),
        Addition::StoodThere(_) => return Ok(OrderStepOutcome::RefundRecorded),
    }
    let user_points = recorder.finish()?;
    leave_placed(database, tenant, &order)?;
    let changes_catalogue = stock::give_back(database, tenant, &order)?;
    Ok(done(WrittenOrder { order, user_points, changes_catalogue }))
}

fn done(written: WrittenOrder) -> OrderStepOutcome {
    OrderStepOutcome::Done(Box::new(written))
}

fn leave_placed(database: &rusqlite::Transaction<'_>, tenant: &str, order: &Order) -> Outcome<()> {
    if order_row::leave_placed(database, tenant, order)? {
        Ok(())
    } else {
        Err(wrong("orders", order.id.as_str(), "is no longer placed, as it was read"))
    }
}
