//! Facts of writes with a request key: each happens once. The ledger model repeats writes of every kind with keys.

use std::fmt::Debug;
use std::sync::Arc;

use pointbook_domain::Product;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_store::StoreResult;
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::{Database, Execution, Once, PlaceOrderOutcome, TenantData};

use super::orders::{placed, shop};
use super::state::tenant_state;
use crate::build;
use crate::build::{activity, once, order, product, recorded, request_key};

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

/// A retry generates new ids.
pub async fn a_keyed_order_is_placed_once(database: Arc<dyn Database>) {
    let data = shop(&database, Product { stock: Some(9), ..product("mug") }, 1_000).await;
    let attempts = std::cell::Cell::new(0);
    let place = async |once| {
        attempts.set(attempts.get() + 1);
        data.execute(PlaceOrder::without_end(order(&format!("o{}", attempts.get()), "u1", "mug")), once).await
    };
    let PlaceOrderOutcome::Placed(written) = assert_once(&data, place, async || {}).await else {
        panic!("there are points and pieces")
    };
    assert_eq!((written.order.id.as_str(), written.user_points.get()), ("o1", 900));
}

/// The first decision stays, even when a new decision would differ.
pub async fn refusals_are_kept_like_any_answer(database: Arc<dyn Database>) {
    let data = shop(&database, product("mug"), 99).await;
    let mug = order("o1", "u1", "mug");
    let richer = async || {
        super::record_all(&data, &[recorded("u1", activity("more", 1_000))]).await;
    };
    let outcome = assert_once(
        &data,
        async |once| data.execute(PlaceOrder::without_end(mug.clone()), once).await,
        richer,
    )
    .await;
    assert_eq!(outcome, PlaceOrderOutcome::Refused(pointbook_domain::OrderRefusal::TooFewPoints));
    placed(&data, &mug).await;
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
