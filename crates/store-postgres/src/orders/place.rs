//! Placing an order.

use pointbook_app::ports::{NewOrder, PlaceOrderOutcome, WrittenOrder};
use pointbook_app::recording::{Addition, Overdraft, Refusal};
use pointbook_domain::order::price_of;
use pointbook_domain::{Order, OrderRefusal, Points};

use super::{order_row, stock};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::ledger::Recorder;
use crate::row::wrong;

/// Takes points, then stock. Everything that can refuse the order comes before the first write. The
/// product is read without a lock, which different users would queue for, and is written only as it was
/// read: where it changed, all begins again.
pub(super) async fn place(
    database: &Transaction,
    tenant: &str,
    new: &NewOrder,
) -> Outcome<PlaceOrderOutcome> {
    let refused = |refusal| Ok(PlaceOrderOutcome::Refused(refusal));
    let Some(offer) = stock::find_offer(database, tenant, &new.product_id).await? else {
        return refused(OrderRefusal::UnknownProduct);
    };
    let order = match price_of(&offer.product, new.quantity, new.at) {
        Ok(points) => new.placed(&offer.product, points),
        Err(refusal) => return refused(refusal),
    };
    let user_points = match spend(database, tenant, new, &order).await? {
        Ok(balance) => balance,
        Err(refusal) => return refused(refusal),
    };
    order_row::insert(database, tenant, &order).await?;
    let changes_catalogue = stock::take(database, tenant, &offer, new.quantity).await?;
    Ok(PlaceOrderOutcome::Placed(Box::new(WrittenOrder { order, user_points, changes_catalogue })))
}

/// Takes the points and gives what is left of them.
async fn spend(
    database: &Transaction,
    tenant: &str,
    new: &NewOrder,
    order: &Order,
) -> Outcome<Result<Points, OrderRefusal>> {
    let transaction =
        pointbook_domain::Transaction { id: new.transaction_id.clone(), activity: order.spending() };
    let mut recorder = Recorder::begin(database, tenant, &new.user_id, new.at).await?;
    match recorder.record(&transaction, Overdraft::Refused).await? {
        Addition::Added { .. } => Ok(Ok(recorder.finish().await?)),
        Addition::Refused(Refusal::TooFewPoints) => Ok(Err(OrderRefusal::TooFewPoints)),
        Addition::Refused(Refusal::OutOfRange) => Ok(Err(OrderRefusal::OutOfRange)),
        Addition::StoodThere(_) => {
            Err(wrong("orders", order.id.as_str(), "is new, but its points were taken before"))
        }
    }
}
