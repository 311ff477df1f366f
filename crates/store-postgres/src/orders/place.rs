//! Placing an order.

use futures_util::TryFutureExt;
use pointbook_app::ports::{NewOrder, PlaceOrderOutcome, WrittenOrder};
use pointbook_app::recording::{Addition, Overdraft, Refusal};
use pointbook_domain::order::price_of;
use pointbook_domain::{ActivityType, Order, OrderRefusal, Points};

use super::order_row;
use super::stock::{self, Offer, Taking};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::ledger::{Hold, Question, Recorder};
use crate::once::Plan;
use crate::pipeline::both;
use crate::row::wrong;

/// Plans to take points and stock. The product is read without a lock, which different users would queue for,
/// and is written only as it was read: where it changed, all begins again.
pub(super) async fn plan<'d>(
    database: &'d Transaction,
    tenant: &'d str,
    new: &NewOrder,
) -> Outcome<Plan<'d, PlaceOrderOutcome>> {
    let (kind, source_id) = (ActivityType::order(), new.id.spending_source());
    let question = Question { user_id: &new.user_id, kind: &kind, source_id: &source_id, day: new.at.day() };
    // The product after its user, who may have to be waited for.
    let (mut recorder, offer) = both(
        Recorder::begin(database, tenant, &[question], Hold::Waiting),
        stock::find_offer(database, tenant, &new.product_id),
    )
    .await?;
    let (offer, order, user_points) = match decide(offer, &mut recorder, new)? {
        Ok(decided) => decided,
        Err(refusal) => return Ok(Plan::without_writes(PlaceOrderOutcome::Refused(refusal))),
    };
    let taking = Taking::foresee(database, tenant, offer, new.quantity).await?;
    let changes_catalogue = taking.changes_catalogue();
    let written = WrittenOrder { order: order.clone(), user_points, changes_catalogue };
    let changes = recorder.finish();
    let writes = async move {
        // Before the order, whose foreign key would share the product's row with others first.
        let stock_and_order =
            both(taking.write(database, tenant), order_row::insert(database, tenant, &order)).map_ok(drop);
        changes.write_beside(database, tenant, stock_and_order).await
    };
    Ok(Plan::new(PlaceOrderOutcome::Placed(Box::new(written)), writes))
}

/// The order as it is placed, and the points that are left.
type Decided = (Offer, Order, Points);

/// Takes the points, in memory.
fn decide(
    offer: Option<Offer>,
    recorder: &mut Recorder<'_>,
    new: &NewOrder,
) -> Outcome<Result<Decided, OrderRefusal>> {
    let Some(offer) = offer else { return Ok(Err(OrderRefusal::UnknownProduct)) };
    let order = match price_of(&offer.product, new.quantity, new.at) {
        Ok(points) => new.placed(&offer.product, points),
        Err(refusal) => return Ok(Err(refusal)),
    };
    let transaction =
        pointbook_domain::Transaction { id: new.transaction_id.clone(), activity: order.spending() };
    match recorder.record(&new.user_id, &transaction, new.at, Overdraft::Refused)? {
        Addition::Added { .. } => {}
        Addition::Refused(Refusal::TooFewPoints) => return Ok(Err(OrderRefusal::TooFewPoints)),
        Addition::Refused(Refusal::OutOfRange) => return Ok(Err(OrderRefusal::OutOfRange)),
        Addition::StoodThere(_) => {
            return Err(wrong("orders", order.id.as_str(), "is new, but its points were taken before"));
        }
    }
    let user_points = recorder.balance(&new.user_id)?;
    Ok(Ok((offer, order, user_points)))
}
