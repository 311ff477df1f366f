//! Collects products, then builds a snapshot of them.

use std::sync::Arc;

use pointbook_domain::{CategoryId, CategoryTree, Product, ProductId, Timestamp};
use pointbook_store::content_key::ContentKey;

use crate::index::categories::Categories;
use crate::index::changes::Changes;
use crate::index::facts::Facts;
use crate::index::fold::fold_title;
use crate::index::products::Row;
use crate::index::query::Fragment;
use crate::index::render::render_product;
use crate::index::rules::{CategoryNumbers, Rules, SnapshotOptions};
use crate::index::snapshot::Snapshot;

/// Collects products one by one. It renders and folds each at once, so that the caller need not hold them all.
///
/// Its memory grows with every change. Use it for one load or one round of changes.
#[derive(Debug)]
pub struct SnapshotBuilder {
    options: SnapshotOptions,
    key: Arc<ContentKey>,
    previous: Option<Snapshot>,
    category_numbers: Arc<CategoryNumbers>,
    changes: Changes,
    /// The JSON of the present product. The buffer is reused.
    json: Vec<u8>,
}

impl SnapshotBuilder {
    /// A builder without products. It hashes the rendered JSON under this key.
    pub fn new(options: SnapshotOptions, key: Arc<ContentKey>) -> Self {
        Self::from_parts(options, key, None, Arc::default())
    }

    /// A builder with the products of a snapshot, the hidden ones included, and its options. It shares products with the
    /// snapshot.
    pub fn from_snapshot(previous: &Snapshot) -> Self {
        let Rules { options, content_key, category_numbers, .. } = previous.rules();
        let (key, numbers) = (Arc::clone(content_key), Arc::clone(category_numbers));
        Self::from_parts(options.clone(), key, Some(previous.clone()), numbers)
    }

    fn from_parts(
        options: SnapshotOptions,
        key: Arc<ContentKey>,
        previous: Option<Snapshot>,
        category_numbers: Arc<CategoryNumbers>,
    ) -> Self {
        Self { options, key, previous, category_numbers, changes: Changes::default(), json: Vec::new() }
    }

    /// Adds a product, or replaces the one with its id.
    pub fn upsert(&mut self, product: &Product) {
        self.json.clear();
        render_product(product, &mut self.json);
        let categories: Vec<u32> = product.categories.iter().map(|id| self.number_of(id)).collect();
        self.changes.upsert(Row {
            id: product.id.as_str(),
            folded_title: &fold_title(&product.title),
            categories: &categories,
            facts: Facts::of(product),
            rendered: Fragment { json: &self.json, hash: self.key.hash(&self.json) },
        });
    }

    /// Removes a product. An unknown id is fine.
    pub fn remove(&mut self, id: &ProductId) {
        self.changes.remove(id.as_str());
    }

    /// Builds the snapshot that customers see at `now`. It keeps inactive and unpublished products for later snapshots. The most
    /// ordered products are popular, marked or not; unknown ids are fine.
    ///
    /// A few changes cost about as much as all changes since the last [`Snapshot::compacted`]. Many changes, another category
    /// tree or an earlier time cost as much as all products.
    pub fn build(self, categories: &CategoryTree, most_ordered: &[ProductId], now: Timestamp) -> Snapshot {
        let Self { options, key, previous, category_numbers, changes, json: _ } = self;
        let known = previous.as_ref().map(Snapshot::rules);
        let rules = Rules {
            options,
            categories: known
                .map(|rules| &rules.categories)
                .filter(|known| known.tree() == categories)
                .map_or_else(|| Arc::new(Categories::new(categories, &key)), Arc::clone),
            content_key: key,
            category_numbers,
            most_ordered: in_order(known.map(|rules| &rules.most_ordered), most_ordered),
        };
        match previous {
            Some(previous) => previous.with_changes(changes, rules, now),
            None => Snapshot::of(changes.into_upserted(), rules, now),
        }
    }

    fn number_of(&mut self, id: &CategoryId) -> u32 {
        let known = self.category_numbers.get(id);
        known.unwrap_or_else(|| Arc::make_mut(&mut self.category_numbers).insert(id))
    }
}

/// The sorted ids without repeats. The known ones when they are the same.
fn in_order(known: Option<&Arc<[ProductId]>>, ids: &[ProductId]) -> Arc<[ProductId]> {
    if let Some(known) = known.filter(|known| ***known == *ids) {
        return Arc::clone(known);
    }
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    ids.into()
}
