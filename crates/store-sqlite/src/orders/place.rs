//! Placing an order.

use pointbook_app::ports::{NewOrder, PlaceOrderOutcome, WrittenOrder};
use pointbook_app::recording::{Addition, Overdraft, Refusal};
use pointbook_domain::order::price_of;
use pointbook_domain::{Order, OrderRefusal, Points, Transaction};

use super::{order_row, stock};
use crate::error::Outcome;
use crate::ledger::Recorder;
use crate::row::wrong;

/// Takes points, then stock. Everything that can refuse the order comes before the first write, and
/// nobody else writes meanwhile; the guards of the updates are the second line.
pub(super) fn place(
    database: &rusqlite::Transaction<'_>,
    tenant: &str,
    new: &NewOrder,
) -> Outcome<PlaceOrderOutcome> {
    let refused = |refusal| Ok(PlaceOrderOutcome::Refused(refusal));
    let Some(product) = stock::find_product(database, tenant, &new.product_id)? else {
        return refused(OrderRefusal::UnknownProduct);
    };
    let order = match price_of(&product, new.quantity, new.at) {
        Ok(points) => new.placed(&product, points),
        Err(refusal) => return refused(refusal),
    };
    let user_points = match spend(database, tenant, new, &order)? {
        Ok(balance) => balance,
        Err(refusal) => return refused(refusal),
    };
    order_row::insert(database, tenant, &order)?;
    let changes_catalogue = stock::take(database, tenant, &product, new)?;
    Ok(PlaceOrderOutcome::Placed(Box::new(WrittenOrder { order, user_points, changes_catalogue })))
}

/// Takes the points and gives what is left of them.
fn spend(
    database: &rusqlite::Transaction<'_>,
    tenant: &str,
    new: &NewOrder,
    order: &Order,
) -> Outcome<Result<Points, OrderRefusal>> {
    let transaction = Transaction { id: new.transaction_id.clone(), activity: order.spending() };
    let mut recorder = Recorder::begin(database, tenant, &new.user_id, new.at)?;
    match recorder.record(&transaction, Overdraft::Refused)? {
        Addition::Added { .. } => Ok(Ok(recorder.finish()?)),
        Addition::Refused(Refusal::TooFewPoints) => Ok(Err(OrderRefusal::TooFewPoints)),
        Addition::Refused(Refusal::OutOfRange) => Ok(Err(OrderRefusal::OutOfRange)),
        Addition::StoodThere(_) => {
            Err(wrong("orders", order.id.as_str(), "is new, but its points were taken before"))
        }
    }
}
