//! Imports products as they come from outside.

use std::sync::Arc;

use pointbook_store::commands::Trial;
use pointbook_store::ports::{Execution, UpsertOutcome};
use pointbook_store::{Context, StoreError, StoreResult};

use crate::cache::PendingChange;
use crate::commands::UpsertProducts;
use crate::products::cleaning::permit_to_clean;
use crate::products::draft::{ProductDraft, cleaned};

/// Creates or replaces products, all or none. Returns one outcome per product, in order. The work holds the permit until it
/// ends, even when the caller stops waiting.
///
/// # Errors
/// When the store fails: nothing was changed, or the key of the request tells.
pub async fn put_products(
    context: &Context<Vec<UpsertOutcome>>,
    drafts: Vec<ProductDraft>,
    permit: Arc<impl Send + Sync + 'static>,
) -> StoreResult<Execution<Vec<UpsertOutcome>>> {
    let cleaning = permit_to_clean(&context.tenant).await?;
    let products = cleaned(drafts, context.now, (cleaning, permit.clone())).await?;
    let _given_up = PendingChange::of(context);
    let context = context.clone();
    let write = tokio::spawn(async move {
        let _permit = permit;
        let _ended = PendingChange::of(&context);
        context.execute(UpsertProducts(products)).await
    });
    write.await.map_err(|error| StoreError::Failed(Box::new(error)))?
}

/// Creates or replaces products, all or none. One outcome per product, in order.
///
/// # Errors
/// When the store fails; then nothing was changed.
pub async fn import_products(
    context: &Context,
    drafts: Vec<ProductDraft>,
) -> StoreResult<Vec<UpsertOutcome>> {
    let products = cleaned(drafts, context.now, ()).await?;
    context.write(UpsertProducts(products)).await
}

/// The outcomes that [`put_products`] would have. Stores nothing. The cleaning of the descriptions holds the
/// permit until it ends.
///
/// # Errors
/// When the store fails.
pub async fn try_products<T>(
    context: &Context<T>,
    drafts: Vec<ProductDraft>,
    permit: impl Send + 'static,
) -> StoreResult<Vec<UpsertOutcome>> {
    let products = cleaned(drafts, context.now, permit).await?;
    context.tenant.data.execute(Trial(UpsertProducts(products)), None).await?.without_key()
}
