//! Collects products, then builds a snapshot of them.

use std::sync::Arc;

use pointbook_domain::{CategoryId, CategoryTree, Product, ProductId, Timestamp};

use crate::categories::Categories;
use crate::changes::Changes;
use crate::content_key::ContentKey;
use crate::facts::Facts;
use crate::fold::fold_title;
use crate::products::Row;
use crate::query::Fragment;
use crate::render::render_product;
use crate::rules::{CategoryNumbers, Rules, SnapshotOptions};
use crate::snapshot::Snapshot;

/// Collects products one by one, each rendered and folded at once, so that the caller need not hold
/// them all.
///
/// What it holds grows with every change; it is made for one load or one round of changes.
#[derive(Debug)]
pub struct SnapshotBuilder {
    options: SnapshotOptions,
    key: Arc<ContentKey>,
    previous: Option<Snapshot>,
    category_numbers: Arc<CategoryNumbers>,
    changes: Changes,
    /// The JSON of the product at hand, so that no product allocates for it.
    json: Vec<u8>,
}

impl SnapshotBuilder {
    /// Begins without products. What clients see is hashed under this key.
    pub fn new(options: SnapshotOptions, key: Arc<ContentKey>) -> Self {
        Self::from_parts(options, key, None, Arc::default())
    }

    /// Begins with the products of a snapshot, its hidden ones included, and its options. Products
    /// are shared with it, not copied.
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

    /// Takes a product out; an id that nothing has is fine.
    pub fn remove(&mut self, id: &ProductId) {
        self.changes.remove(id.as_str());
    }

    /// Builds what clients see at `now`. Products that are inactive or not yet published are kept
    /// for later snapshots. The most ordered ones, in any order, are popular whether they are marked
    /// so or not; an id that nothing has is fine.
    ///
    /// A few changes cost about as much as there were since the last [`Snapshot::compacted`]. Many of them, another
    /// tree of categories, or an earlier time than before cost as much as there are products.
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

/// The ids by id, each once; the known ones when they are the same.
fn in_order(known: Option<&Arc<[ProductId]>>, ids: &[ProductId]) -> Arc<[ProductId]> {
    if let Some(known) = known.filter(|known| ***known == *ids) {
        return Arc::clone(known);
    }
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    ids.into()
}
