//! The commands of a tenant, by name.

use pointbook_domain::{CategoryTree, OrderId, ProductId, Timestamp, TokenHash, TokenKind, TokenRecord};

use crate::StoreResult;
use crate::commands::execute;
use crate::edit_catalogue::{EditProduct, ReplaceCategories, RetireProducts, UpsertProducts};
use crate::issue_token::StoreToken;
use crate::place_order::PlaceOrder;
use crate::ports::{
    ActivityToRecord, Execution, InsertTokenOutcome, NewOrder, NewTransaction, Once, OrderStep,
    OrderStepOutcome, PlaceOrderOutcome, ProductCondition, ProductEdit, ProductEditOutcome, ProductUpsert,
    PutUser, RecordActivityOutcome, RecordOutcome, TenantData, UpsertOutcome, UserChange, UserProfile,
};
use crate::put_user::{ChangeUser, ImportUsers};
use crate::record_activities::RecordHistory;
use crate::record_activity::RecordActivity;
use crate::revoke_token::{RevokeToken, RevokeTokensOf};
use crate::step_order::StepOrder;

/// Each method executes one command, in one commit. It fails when the store does; then nothing was saved, or
/// the request's key tells.
#[expect(clippy::missing_errors_doc, reason = "the errors are those of every store")]
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

    /// `record_history_once` without a key.
    pub async fn record_history(
        &self,
        transactions: &[NewTransaction],
        recorded_at: Timestamp,
    ) -> StoreResult<Vec<RecordOutcome>> {
        self.record_history_once(transactions.to_vec(), recorded_at, None).await?.without_key()
    }

    /// Creates or changes a user.
    pub async fn put_user(&self, change: &UserChange, now: Timestamp) -> StoreResult<PutUser> {
        execute(self, ChangeUser { change: change.clone(), now }, None).await?.without_key()
    }

    /// Creates users, or replaces their profiles.
    pub async fn upsert_users(
        &self,
        profiles: &[UserProfile],
        now: Timestamp,
    ) -> StoreResult<Vec<UpsertOutcome>> {
        execute(self, ImportUsers { profiles: profiles.to_vec(), now }, None).await?.without_key()
    }

    /// Stores a token.
    pub async fn insert_token_once(
        &self,
        token: &TokenRecord,
        once: Option<Once<InsertTokenOutcome>>,
    ) -> StoreResult<Execution<InsertTokenOutcome>> {
        execute(self, StoreToken(token.clone()), once).await
    }

    /// `insert_token_once` without a key.
    pub async fn insert_token(&self, token: &TokenRecord) -> StoreResult<InsertTokenOutcome> {
        self.insert_token_once(token, None).await?.without_key()
    }

    /// Revokes a token; false when there is none or it was revoked before.
    pub async fn revoke_token(&self, hash: &TokenHash, at: Timestamp) -> StoreResult<bool> {
        let customer = self.find_token(hash).await?.and_then(|found| found.record.kind.user().cloned());
        execute(self, RevokeToken { hash: *hash, customer, at }, None).await?.without_key()
    }

    /// Revokes all tokens of a user, or of the back office; gives those that were good before.
    pub async fn revoke_tokens_of(&self, owner: &TokenKind, at: Timestamp) -> StoreResult<Vec<TokenHash>> {
        execute(self, RevokeTokensOf { owner: owner.clone(), at }, None).await?.without_key()
    }

    /// Replaces the whole category tree.
    pub async fn replace_categories(&self, tree: &CategoryTree) -> StoreResult<UpsertOutcome> {
        execute(self, ReplaceCategories(tree.clone()), None).await?.without_key()
    }

    /// Creates or replaces products, all or none.
    pub async fn upsert_products_once(
        &self,
        products: &[ProductUpsert],
        once: Option<Once<Vec<UpsertOutcome>>>,
    ) -> StoreResult<Execution<Vec<UpsertOutcome>>> {
        execute(self, UpsertProducts(products.to_vec()), once).await
    }

    /// `upsert_products_once` without a key.
    pub async fn upsert_products(&self, products: &[ProductUpsert]) -> StoreResult<Vec<UpsertOutcome>> {
        self.upsert_products_once(products, None).await?.without_key()
    }

    /// Changes a product at this time, if the condition holds.
    pub async fn edit_product(
        &self,
        id: &ProductId,
        edit: &ProductEdit,
        condition: &ProductCondition,
        at: Timestamp,
        once: Option<Once<ProductEditOutcome>>,
    ) -> StoreResult<Execution<ProductEditOutcome>> {
        let (id, edit, condition) = (id.clone(), edit.clone(), condition.clone());
        execute(self, EditProduct { id, edit, condition, at }, once).await
    }

    /// Retires products; gives how many were not retired before.
    pub async fn retire_products(&self, ids: &[ProductId], at: Timestamp) -> StoreResult<u64> {
        execute(self, RetireProducts { ids: ids.to_vec(), at }, None).await?.without_key()
    }
}
