//! Products as they come from outside. Their descriptions are cleaned, and the originals kept.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pointbook_domain::{CategoryId, FieldChange, Product, ProductId, ProductPatch, Timestamp};
use pointbook_store::background::in_background;
use pointbook_store::ports::ProductUpsert;
use pointbook_store::{StoreError, StoreResult};
use tokio::sync::OwnedSemaphorePermit;

/// A product to create or to replace. A field that it does not name gets its default, but stock and publication stay as they are
/// stored: an import without stocks returns no sold pieces.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProductDraft {
    /// Unique in the tenant.
    pub id: ProductId,
    fields: ProductPatchDraft,
}

/// The fields of a product that a write names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ProductPatchDraft {
    /// Untrusted HTML. `None` keeps the description.
    pub description: Option<String>,
    /// All other fields.
    pub others: ProductPatch,
}

impl ProductDraft {
    /// `None` without what every product has: `sku`, `title` and `regular_price`.
    pub fn new(id: ProductId, fields: ProductPatchDraft) -> Option<Self> {
        let ProductPatch { sku, title, regular_price, .. } = &fields.others;
        let is_whole = sku.is_some() && title.is_some() && regular_price.is_some();
        is_whole.then_some(Self { id, fields })
    }

    pub fn fields(&self) -> &ProductPatchDraft {
        &self.fields
    }

    pub fn categories(&self) -> &[CategoryId] {
        self.fields.others.categories.as_deref().unwrap_or_default()
    }

    /// The product with a safe description.
    fn into_upsert(self, now: Timestamp) -> ProductUpsert {
        let Self { id, fields: ProductPatchDraft { description, others } } = self;
        let description = description.map(|html| (crate::html::clean(&html), html));
        ProductUpsert {
            keep_published_at: others.published_at.is_none(),
            keep_stock: others.stock == FieldChange::Keep,
            product: ProductPatch { description, ..others }.applied_to(Product::blank(id, now)),
        }
    }
}

/// The products of these drafts, in order. When the caller stops waiting, the work ends after the product that is being cleaned.
/// Until then it holds the permits.
pub async fn cleaned(
    drafts: Vec<ProductDraft>,
    now: Timestamp,
    permits: impl Send + 'static,
) -> StoreResult<Vec<ProductUpsert>> {
    let given_up = Abandoned::default();
    let is_given_up = given_up.0.clone();
    let work = move || {
        let _permits = permits;
        let clean =
            |draft: ProductDraft| (!is_given_up.load(Ordering::Relaxed)).then(|| draft.into_upsert(now));
        drafts.into_iter().map(clean).collect::<Option<Vec<_>>>()
    };
    let cleaned = in_background(work).await?;
    cleaned.ok_or_else(|| StoreError::Unavailable("the request was given up".into()))
}

/// A safe description, and its original HTML. The work holds the permit until it ends.
pub async fn cleaned_description(
    html: String,
    permit: OwnedSemaphorePermit,
) -> StoreResult<(String, String)> {
    let work = move || {
        let _permit = permit;
        (crate::html::clean(&html), html)
    };
    in_background(work).await
}

/// Tells the work that the caller stopped waiting.
#[derive(Default)]
struct Abandoned(Arc<AtomicBool>);

impl Drop for Abandoned {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The position of the first repeated id: a product is in a category once.
pub fn first_repeated<T: Eq + Hash>(ids: &[T]) -> Option<usize> {
    let mut seen = HashSet::new();
    ids.iter().position(|id| !seen.insert(id))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::Semaphore;

    use super::*;

    fn draft(description: String) -> ProductDraft {
        let fields = ProductPatchDraft { description: Some(description), ..ProductPatchDraft::default() };
        ProductDraft { id: ProductId::new("p").unwrap(), fields }
    }

    #[tokio::test]
    async fn work_that_was_given_up_ends_soon_and_holds_its_permit_until_then() {
        let now = Timestamp::from_micros(0).unwrap();
        let permits = Arc::new(Semaphore::new(1));
        // Each takes some hundredths of a second.
        let drafts = vec![draft("<p>text</p>".repeat(5_000)); 1_000];
        let permit = permits.clone().try_acquire_owned().unwrap();
        tokio::select! {
            biased;
            _ = cleaned(drafts, now, permit) => panic!("it has hardly begun"),
            () = tokio::task::yield_now() => assert_eq!(permits.available_permits(), 0, "the work holds it"),
        }
        let given_back = tokio::time::timeout(Duration::from_secs(10), permits.acquire()).await;
        assert!(given_back.is_ok(), "the work ended behind the product that it was at");
    }

    #[test]
    fn a_repeated_category_is_told_by_its_place() {
        let repeated = |ids: &[&str]| {
            first_repeated(&ids.iter().map(|id| CategoryId::new(*id).unwrap()).collect::<Vec<_>>())
        };
        assert_eq!(repeated(&["a", "b", "A"]), None);
        assert_eq!(repeated(&["a", "b", "b", "a"]), Some(2));
    }
}
