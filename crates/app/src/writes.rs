//! The commands of a tenant, by name.

use pointbook_domain::{OrderId, Timestamp};

use crate::StoreResult;
use crate::commands::execute;
use crate::place_order::PlaceOrder;
use crate::ports::{
    ActivityToRecord, Execution, NewOrder, NewTransaction, Once, OrderStep, OrderStepOutcome,
    PlaceOrderOutcome, RecordActivityOutcome, RecordOutcome, TenantData,
};
use crate::record_activities::RecordHistory;
use crate::record_activity::RecordActivity;
use crate::step_order::StepOrder;

/// Each method executes one command, in one commit. It fails when the store does; then nothing was saved, or
/// the request's key tells.
#[allow(clippy::missing_errors_doc, reason = "the errors are those of every store")]
impl dyn TenantData + '_ {
    /// Takes points and stock for an order, or does nothing.
    pub async fn place_order(
        &self,
        order: NewOrder,
        once: Option<Once<PlaceOrderOutcome>>,
    ) -> StoreResult<Execution<PlaceOrderOutcome>> {
        execute(self, PlaceOrder(order), once).await
    }

    /// Fulfils or cancels an order.
    pub async fn step_order(
        &self,
        id: &OrderId,
        step: &OrderStep,
        at: Timestamp,
        once: Option<Once<OrderStepOutcome>>,
    ) -> StoreResult<Execution<OrderStepOutcome>> {
        execute(self, StepOrder { id: id.clone(), step: step.clone(), at }, once).await
    }

    /// Records what a back office reports of a user.
    pub async fn record_activity(
        &self,
        activity: ActivityToRecord,
        recorded_at: Timestamp,
        once: Option<Once<RecordActivityOutcome>>,
    ) -> StoreResult<Execution<RecordActivityOutcome>> {
        execute(self, RecordActivity::new(activity, recorded_at), once).await
    }

    /// Records a piece of history, of one user or of many.
    pub async fn record_history_once(
        &self,
        transactions: Vec<NewTransaction>,
        recorded_at: Timestamp,
        once: Option<Once<Vec<RecordOutcome>>>,
    ) -> StoreResult<Execution<Vec<RecordOutcome>>> {
        execute(self, RecordHistory::new(transactions, recorded_at), once).await
    }

    /// [`Self::record_history_once`] without a key.
    pub async fn record_history(
        &self,
        transactions: &[NewTransaction],
        recorded_at: Timestamp,
    ) -> StoreResult<Vec<RecordOutcome>> {
        self.record_history_once(transactions.to_vec(), recorded_at, None).await?.without_key()
    }
}
