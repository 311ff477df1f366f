//! All kinds of writes to a store.

use std::fmt::Debug;

use pointbook_catalogue::commands::{EditProduct, RetireProducts, UpsertProducts};
use pointbook_domain::{OrderId, ProductId, Timestamp};
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_points::earning::reverse_transaction::ReverseTransaction;
use pointbook_points::held::{HoldActivity, ReleaseActivity, VoidActivity};
use pointbook_points::ledger::Terms;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_points::orders::step::StepOrder;
use pointbook_store::StoreResult;
use pointbook_store::commands::Command;
use pointbook_store::ports::{
    ActivityToRecord, Execution, NewOrder, NewTransaction, OrderStep, ProductCondition, ProductEdit,
    ProductUpsert, RequestKey, TenantData,
};
use pointbook_store::schema::rows::HeldActivity;

use crate::build;

/// A write with all its ids. Releases and retirements have no key.
#[derive(Debug, Clone)]
pub(super) enum Write {
    Activity(ActivityToRecord),
    History(Vec<NewTransaction>),
    Reversal(ReverseTransaction),
    /// Whether the activity has its own time, too.
    Hold(HeldActivity, bool),
    Release(HeldActivity),
    Void(VoidActivity),
    Order(NewOrder),
    Step(OrderId, OrderStep),
    Product(Box<ProductUpsert>),
    Edit(ProductId, ProductEdit),
    Retirement(ProductId),
}

impl Write {
    /// Executes the write in the store. Returns its outcome in Rust's debug format, like the response of [`build::once`].
    pub(super) async fn execute(
        &self,
        data: &dyn TenantData,
        now: Timestamp,
        key: Option<&RequestKey>,
    ) -> StoreResult<Execution<String>> {
        let attempt = Attempt { data, now, key };
        match self.clone() {
            Self::Activity(activity) => attempt.of(RecordActivity::without_end(activity, now)).await,
            Self::History(rows) => attempt.of(RecordHistory::new(rows, now)).await,
            Self::Reversal(reversal) => attempt.of(reversal).await,
            Self::Hold(held, has_own_time) => {
                attempt
                    .of(HoldActivity {
                        held,
                        has_own_time,
                        has_own_release: false,
                        now,
                        due_at: now,
                        terms: Terms::default(),
                    })
                    .await
            }
            Self::Release(held) => {
                let release = ReleaseActivity::new(held, None, Terms::default(), now);
                Attempt { key: None, ..attempt }.of(release).await
            }
            Self::Void(void) => attempt.of(void).await,
            Self::Order(order) => attempt.of(PlaceOrder::without_end(order)).await,
            Self::Step(id, step) => attempt.of(StepOrder::without_end(id, step, now)).await,
            Self::Product(product) => attempt.of(UpsertProducts(vec![*product])).await,
            Self::Edit(id, edit) => {
                let condition = ProductCondition::None;
                attempt.of(EditProduct { id, edit, condition, at: now }).await
            }
            Self::Retirement(id) => {
                Attempt { key: None, ..attempt }.of(RetireProducts { ids: vec![id], at: now }).await
            }
        }
    }
}

struct Attempt<'a> {
    data: &'a dyn TenantData,
    now: Timestamp,
    key: Option<&'a RequestKey>,
}

impl Attempt<'_> {
    async fn of<C>(&self, command: C) -> StoreResult<Execution<String>>
    where
        C: Command<Outcome: Debug>,
    {
        let once = self.key.and_then(|key| build::once(key.clone(), self.now));
        Ok(self.data.execute(command, once).await?.map(|outcome| format!("{outcome:?}")))
    }
}
