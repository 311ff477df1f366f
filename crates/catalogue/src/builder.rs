//! Collects products, then builds a snapshot of them.

use std::collections::HashMap;
use std::sync::Arc;

use pointbook_domain::{CategoryId, CategoryTree, Product, ProductId, Timestamp};

use crate::fold::fold_title;
use crate::products::{Changes, Facts, Products, Row};
use crate::render::render_product;
use crate::snapshot::Snapshot;

/// How clients see the catalogue; a change makes a new snapshot from all products.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotOptions {
    /// Limited stock at or below this many pieces, and not sold out, is low.
    pub low_stock_threshold: u32,
    /// Whether sold-out products leave the list. They can still be looked at one by one.
    pub hide_sold_out: bool,
}

/// Collects products one by one, each rendered and folded at once, so that the caller need not hold
/// them all.
///
/// What it holds is of the same size as the snapshot, and grows with every change; it is made for
/// one load or one round of changes.
#[derive(Debug)]
pub struct SnapshotBuilder {
    options: SnapshotOptions,
    base: Arc<Products>,
    category_numbers: CategoryNumbers,
    changes: Changes,
    /// The JSON of the product at hand, so that each product allocates once.
    json: Vec<u8>,
}

/// A number for each category id that a product ever named, whether the tree has it or not.
pub(crate) type CategoryNumbers = HashMap<CategoryId, u32>;

impl SnapshotBuilder {
    /// Begins without products.
    pub fn new(options: SnapshotOptions) -> Self {
        Self::from_parts(options, Arc::default(), CategoryNumbers::default())
    }

    /// Begins with the products of a snapshot, its hidden ones included, and its options. Products
    /// are shared with it, not copied.
    pub fn from_snapshot(previous: &Snapshot) -> Self {
        let (options, products, category_numbers) = previous.parts();
        Self::from_parts(options.clone(), Arc::clone(products), category_numbers.clone())
    }

    fn from_parts(options: SnapshotOptions, base: Arc<Products>, category_numbers: CategoryNumbers) -> Self {
        Self { options, base, category_numbers, changes: Changes::default(), json: Vec::new() }
    }

    /// Adds a product, or replaces the one with its id.
    pub fn upsert(&mut self, product: &Product) {
        self.json.clear();
        render_product(product, &mut self.json);
        let categories = self.numbers_of(&product.categories);
        self.changes.upsert(Row {
            id: product.id.as_str(),
            folded_title: &fold_title(&product.title),
            categories: &categories,
            facts: Facts::of(product),
            rendered: Arc::from(self.json.as_slice()),
        });
    }

    /// Takes a product out; an id that nothing has is fine.
    pub fn remove(&mut self, id: &ProductId) {
        self.changes.remove(id.as_str());
    }

    /// Builds what clients see at `now`. Products that are inactive or not yet published are kept
    /// for later snapshots. The most ordered ones, in any order, are popular whether they are marked
    /// so or not; an id that nothing has is fine.
    pub fn build(self, categories: &CategoryTree, most_ordered: &[ProductId], now: Timestamp) -> Snapshot {
        let Self { options, base, category_numbers, changes, json: _ } = self;
        let products = if changes.is_empty() { base } else { Arc::new(base.with_changes(&changes)) };
        drop(changes);
        Snapshot::new(options, products, category_numbers, categories, most_ordered, now)
    }

    fn numbers_of(&mut self, categories: &[CategoryId]) -> Vec<u32> {
        let numbers = &mut self.category_numbers;
        let mut number_of = |id: &CategoryId| {
            if let Some(&number) = numbers.get(id) {
                return number;
            }
            let number = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            numbers.insert(id.clone(), number);
            number
        };
        categories.iter().map(&mut number_of).collect()
    }
}
