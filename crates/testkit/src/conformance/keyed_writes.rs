//! Facts of writes with a request key: each happens once.

use std::fmt::Debug;
use std::sync::Arc;

use pointbook_app::commands::{Command, CommandError, Facts, Needs};
use pointbook_app::ports::InsertTokenOutcome::Stored;
use pointbook_app::ports::UpsertOutcome::Created;
use pointbook_app::ports::{
    Database, Execution, Once, OrderStep, OrderStepOutcome, PlaceOrderOutcome, ProductCondition, ProductEdit,
    ProductEditOutcome, TenantData,
};
use pointbook_app::{
    EditProduct, PlaceOrder, RevokeToken, StepOrder, StoreResult, StoreToken, UpsertProducts,
};
use pointbook_domain::Product;
use pointbook_earning::RecordActivity;

use super::order_steps::done;
use super::orders::{placed, put_product, shop};
use super::state::tenant_state;
use crate::build::{self, activity, cancel, once, order, product, recorded, request_key, to_record};

/// Panics unless the write is executed once: the same request gets the first response, another request with the same key
/// is refused, and neither changes anything. Returns the outcome of the write.
async fn assert_once<T: Debug>(
    data: &Arc<dyn TenantData>,
    write: impl AsyncFn(Option<Once<T>>) -> StoreResult<Execution<T>>,
    between: impl AsyncFnOnce(),
) -> T {
    let first = write(once(request_key("k", 1), build::noon())).await.unwrap();
    let Execution::Executed(outcome) = first else { panic!("a new key must be executed, got {first:?}") };
    between().await;
    let before = tenant_state(data).await;
    for (content, expected) in [(1, Some(build::answer(&outcome))), (2, None)] {
        match write(once(request_key("k", content), build::on_day(1))).await.unwrap() {
            Execution::Replayed(answer) => assert_eq!(Some(answer), expected),
            Execution::KeyTaken => assert_eq!(None, expected),
            Execution::TooManyKeys => panic!("the key is not new"),
            Execution::Executed(again) => panic!("a used key must not be executed, got {again:?}"),
        }
        assert_eq!(tenant_state(data).await, before);
    }
    outcome
}

/// A second execution would bring a revoked token back.
pub async fn a_keyed_token_is_stored_once(database: Arc<dyn Database>) {
    let data = super::add_tenant(&database, "acme").await;
    let token = build::token(1, Some("u1"));
    let revoke = async || {
        let revoke = RevokeToken { hash: token.hash, customer: None, at: build::noon() };
        assert!(data.write(revoke).await.unwrap());
    };
    let stored =
        assert_once(&data, async |once| data.execute(StoreToken(token.clone()), once).await, revoke).await;
    assert_eq!(stored, Stored);
    let found = data.find_token(&token.hash).await.unwrap().unwrap();
    assert_eq!(found.record.revoked_at, Some(build::noon()));
}

/// A second execution would add the pieces again.
pub async fn a_keyed_change_of_stock_happens_once(database: Arc<dyn Database>) {
    let data = shop(&database, Product { stock: Some(3), ..product("mug") }, 0).await;
    let (id, add) = (product("mug").id, ProductEdit::AddStock(2));
    let write = async |once| {
        data.execute(
            EditProduct {
                id: id.clone(),
                edit: add.clone(),
                condition: ProductCondition::None,
                at: build::noon(),
            },
            once,
        )
        .await
    };
    let change = async || put_product(&data, Product { stock: Some(9), ..product("mug") }).await;
    let outcome = assert_once(&data, write, change).await;
    let ProductEditOutcome::Stored(_, stored) = outcome else { panic!("{outcome:?}") };
    assert_eq!(stored.product.stock, Some(5));
    assert_eq!(data.product(&id).await.unwrap().unwrap().product.stock, Some(9));
}

/// A second execution would undo a later change.
pub async fn keyed_products_are_stored_once(database: Arc<dyn Database>) {
    let data = super::add_tenant(&database, "acme").await;
    let products = [build::upsert(product("a")), build::upsert(product("b"))];
    let later = Product { title: "Later".into(), ..product("a") };
    let change = async || put_product(&data, later.clone()).await;
    let outcomes =
        assert_once(&data, async |once| data.execute(UpsertProducts(products.to_vec()), once).await, change)
            .await;
    assert_eq!(outcomes, [Created, Created]);
    assert_eq!(data.product(&later.id).await.unwrap().unwrap().product, later);
}

/// The response to a repeat is the first one, not "already recorded".
pub async fn a_keyed_activity_is_recorded_once(database: Arc<dyn Database>) {
    let data = super::add_tenant(&database, "acme").await;
    let activity = to_record("u1", activity("s1", 5));
    let record = async |once| data.execute(RecordActivity::new(activity.clone(), build::noon()), once).await;
    let outcome = assert_once(&data, record, async || {}).await;
    assert!(matches!(outcome, pointbook_app::ports::RecordActivityOutcome::Recorded(_)));
}

/// The key covers the complete import.
pub async fn a_keyed_history_is_recorded_once(database: Arc<dyn Database>) {
    use pointbook_app::ports::RecordOutcome::{Conflict, Recorded};
    let data = super::add_tenant(&database, "acme").await;
    let rows = [
        recorded("u1", activity("s1", 5)),
        recorded("u2", activity("s1", -5)),
        recorded("u1", activity("s1", 6)),
    ];
    let record = async |once| data.execute(build::history(rows.clone()), once).await;
    assert_eq!(assert_once(&data, record, async || {}).await, [Recorded, Recorded, Conflict]);
}

/// A retry generates new ids.
pub async fn a_keyed_order_is_placed_once(database: Arc<dyn Database>) {
    let data = shop(&database, Product { stock: Some(9), ..product("mug") }, 1_000).await;
    let attempts = std::cell::Cell::new(0);
    let place = async |once| {
        attempts.set(attempts.get() + 1);
        data.execute(PlaceOrder(order(&format!("o{}", attempts.get()), "u1", "mug")), once).await
    };
    let PlaceOrderOutcome::Placed(written) = assert_once(&data, place, async || {}).await else {
        panic!("there are points and pieces")
    };
    assert_eq!((written.order.id.as_str(), written.user_points.get()), ("o1", 900));
}

/// The response to a repeat is the first one, not "wrong step".
pub async fn a_keyed_step_is_taken_once(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 1_000).await;
    placed(&data, &order("o1", "u1", "mug")).await;
    let id = build::order_id("o1");
    let take = async |once| {
        data.execute(StepOrder { id: id.clone(), step: cancel("o1"), at: build::on_day(1) }, once).await
    };
    let outcome = assert_once(&data, take, async || {}).await;
    assert!(matches!(outcome, OrderStepOutcome::Done(written) if written.user_points.get() == 1_000));
}

/// The first decision stays, even when a new decision would differ.
pub async fn refusals_are_kept_like_any_answer(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 99).await;
    let mug = order("o1", "u1", "mug");
    let richer = async || {
        super::record_all(&data, &[recorded("u1", activity("more", 1_000))]).await;
    };
    let outcome =
        assert_once(&data, async |once| data.execute(PlaceOrder(mug.clone()), once).await, richer).await;
    assert_eq!(outcome, PlaceOrderOutcome::Refused(pointbook_domain::OrderRefusal::TooFewPoints));
    placed(&data, &mug).await;
}

/// The order may be placed later, but the kept response stays.
pub async fn an_unknown_order_is_a_kept_answer_too(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 1_000).await;
    let id = build::order_id("o1");
    let take = async |once| {
        data.execute(StepOrder { id: id.clone(), step: OrderStep::Fulfil, at: build::on_day(1) }, once).await
    };
    let appear = async || {
        placed(&data, &order("o1", "u1", "mug")).await;
    };
    assert_eq!(assert_once(&data, take, appear).await, OrderStepOutcome::Unknown);
    done(&data, "o1", &OrderStep::Fulfil).await;
}

/// A conflict adds no ledger row, but the row of its key is kept.
pub async fn an_activity_that_conflicts_is_a_kept_answer(database: Arc<dyn Database>) {
    use pointbook_app::ports::RecordActivityOutcome::Conflict;
    let data = super::add_tenant(&database, "acme").await;
    super::record_all(&data, &[recorded("u1", activity("s1", 4))]).await;
    let other = to_record("u1", activity("s1", 5));
    let record = async |once| data.execute(RecordActivity::new(other.clone(), build::noon()), once).await;
    assert_eq!(assert_once(&data, record, async || {}).await, Conflict);
}

/// Looks at something outside of the database, and finds it or not.
struct Look {
    finds: bool,
}

impl Command for Look {
    type Outcome = bool;

    const NAME: &'static str = "look";

    fn is_kept(&self, found: &bool) -> bool {
        *found
    }

    fn needs(&self, _: &mut Needs) {}

    fn decide(&self, _: &mut Facts) -> Result<bool, CommandError> {
        Ok(self.finds)
    }
}

/// So a client may repeat the request when the world has changed. An outcome that is kept comes first, as ever.
pub async fn an_outcome_that_is_not_kept_leaves_the_key_free(database: Arc<dyn Database>) {
    let data = super::add_tenant(&database, "acme").await;
    let look = async |finds, content| {
        data.execute(Look { finds }, once(request_key("k", content), build::noon())).await.unwrap()
    };
    for (finds, content) in [(false, 1), (false, 1), (false, 2), (true, 2)] {
        let execution = look(finds, content).await;
        assert!(matches!(execution, Execution::Executed(found) if found == finds), "{execution:?}");
    }
    assert!(matches!(look(false, 2).await, Execution::Replayed(_)));
    assert!(matches!(look(false, 1).await, Execution::KeyTaken));
}
