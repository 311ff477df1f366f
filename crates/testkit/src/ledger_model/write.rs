//! A write to a store, whichever it is.

use std::fmt::Debug;
use std::slice;

use pointbook_app::StoreResult;
use pointbook_app::ports::{
    ActivityToRecord, Execution, NewOrder, NewTransaction, Once, OrderStep, ProductCondition, ProductEdit,
    ProductUpsert, RequestKey, TenantData,
};
use pointbook_domain::{OrderId, ProductId, Timestamp};

use crate::build;

/// A write with all its ids.
#[derive(Debug)]
pub(super) enum Write {
    Activity(ActivityToRecord),
    History(Vec<NewTransaction>),
    Order(NewOrder),
    Step(OrderId, OrderStep),
    Product(Box<ProductUpsert>),
    Edit(ProductId, ProductEdit),
    /// The only one without a key.
    Retirement(ProductId),
}

impl Write {
    /// Has the store do it; gives what it came to as Rust prints it, as [`build::once`] answers.
    pub(super) async fn execute(
        &self,
        data: &dyn TenantData,
        now: Timestamp,
        key: Option<&RequestKey>,
    ) -> StoreResult<Execution<String>> {
        Ok(match self {
            Self::Activity(activity) => {
                printed(data.record_activity(activity.clone(), now, once(key, now)).await?)
            }
            Self::History(rows) => {
                printed(data.record_history_once(rows.clone(), now, once(key, now)).await?)
            }
            Self::Order(order) => printed(data.place_order(order.clone(), once(key, now)).await?),
            Self::Step(id, step) => printed(data.step_order(id, step, now, once(key, now)).await?),
            Self::Product(product) => {
                let products = slice::from_ref(&**product);
                printed(data.upsert_products_once(products, once(key, now)).await?)
            }
            Self::Edit(id, edit) => {
                let edited =
                    data.edit_product(id, edit, &ProductCondition::None, now, once(key, now)).await?;
                printed(edited)
            }
            Self::Retirement(id) => {
                printed(Execution::Executed(data.retire_products(slice::from_ref(id), now).await?))
            }
        })
    }
}

fn once<T: Debug>(key: Option<&RequestKey>, now: Timestamp) -> Option<Once<T>> {
    key.and_then(|key| build::once(key.clone(), now))
}

fn printed<T: Debug>(execution: Execution<T>) -> Execution<String> {
    match execution {
        Execution::Executed(outcome) => Execution::Executed(format!("{outcome:?}")),
        Execution::Replayed(answer) => Execution::Replayed(answer),
        Execution::KeyTaken => Execution::KeyTaken,
        Execution::TooManyKeys => Execution::TooManyKeys,
    }
}
