//! One tenant's catalogue as clients see it at one moment.

use std::sync::Arc;

use pointbook_domain::{CategoryTree, PageRequest, ProductId, Timestamp};

use crate::builder::{CategoryNumbers, SnapshotOptions};
use crate::categories::Categories;
use crate::memberships::{FlagRules, Memberships};
use crate::orders::Orders;
use crate::products::{Facts, Products};
use crate::query::{ProductPage, ProductQuery};
use crate::selection::{Selection, Slice};
use crate::title_search::TitleSearch;

/// The catalogue, ready to be asked. It never changes; a newer one takes its place.
#[derive(Debug)]
pub struct Snapshot {
    options: SnapshotOptions,
    products: Arc<Products>,
    category_numbers: CategoryNumbers,
    categories: Categories,
    orders: Orders,
    built_at: Timestamp,
    product_count: usize,
    rendered_bytes: usize,
    memory_bytes: usize,
    next_change_at: Option<Timestamp>,
}

impl Snapshot {
    pub(crate) fn new(
        options: SnapshotOptions,
        products: Arc<Products>,
        category_numbers: CategoryNumbers,
        tree: &CategoryTree,
        most_ordered: &[ProductId],
        built_at: Timestamp,
    ) -> Self {
        let categories = Categories::new(tree);
        let flags = FlagRules {
            low_stock_threshold: options.low_stock_threshold,
            most_ordered: products.numbers_of(most_ordered),
        };
        let memberships = Memberships::new(&products, &flags, &category_numbers, &categories);
        let visible = || products.facts().iter().filter(|facts| facts.is_visible_at(built_at));
        let orders = Orders::new(&products, &listed(&products, &options, built_at), &memberships);
        let rendered_bytes = products.rendered_bytes();
        let index_bytes = products.index_bytes() + orders.memory_bytes() + categories.memory_bytes();
        Self {
            orders,
            product_count: visible().count(),
            rendered_bytes: rendered_bytes + categories.json().len(),
            memory_bytes: rendered_bytes + index_bytes,
            next_change_at: next_publication(products.facts(), built_at),
            options,
            products,
            category_numbers,
            categories,
            built_at,
        }
    }

    /// What a later builder begins with.
    pub(crate) fn parts(&self) -> (&SnapshotOptions, &Arc<Products>, &CategoryNumbers) {
        (&self.options, &self.products, &self.category_numbers)
    }

    /// A page of the products that are listed and match.
    pub fn list(&self, query: &ProductQuery, page: PageRequest) -> ProductPage<'_> {
        let (order, window) = self.orders.window(query);
        let selection = Selection {
            order,
            window,
            set: order.sets().matching(&query.filter, &self.categories),
            search: query.filter.titles.as_deref().and_then(TitleSearch::new),
        };
        let slice = Slice {
            // No order has more products than that.
            skip: u32::try_from(page.offset()).unwrap_or(u32::MAX),
            take: page.size.get() as usize,
        };
        let hits = selection.hits(self.products.titles(), slice);
        let rendered = |&rank: &u32| self.products.rendered(order.ranking().number_at(rank)?);
        ProductPage { total: hits.total, items: hits.ranks.iter().filter_map(rendered).collect() }
    }

    /// The JSON of a product that exists for clients, also of one that is sold out and hidden from
    /// the list; none for any other id.
    pub fn product(&self, id: &str) -> Option<&[u8]> {
        let number = self.products.number_of(id)?;
        let facts = self.products.facts().get(number as usize)?;
        if facts.is_visible_at(self.built_at) { self.products.rendered(number) } else { None }
    }

    /// All categories as a JSON array, in the operator's order.
    pub fn categories(&self) -> &[u8] {
        self.categories.json()
    }

    /// A category's children as a JSON array, each with its own; none for an unknown id.
    pub fn children(&self, id: &str) -> Option<&[u8]> {
        self.categories.children(id)
    }

    /// How many products exist for clients, whether they are listed or not.
    pub fn product_count(&self) -> usize {
        self.product_count
    }

    /// The rendered JSON of all products and categories, in bytes.
    pub fn rendered_bytes(&self) -> usize {
        self.rendered_bytes
    }

    /// About what it holds in memory, the rendered JSON included, in bytes. What it shares with
    /// another snapshot counts for both.
    pub fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    /// When the next product becomes visible by itself; the snapshot is out of date from then on.
    pub fn next_change_at(&self) -> Option<Timestamp> {
        self.next_change_at
    }
}

/// The numbers of the products in the list.
fn listed(products: &Products, options: &SnapshotOptions, now: Timestamp) -> Vec<u32> {
    let is_listed =
        |facts: &Facts| facts.is_visible_at(now) && !(options.hide_sold_out && facts.is_sold_out());
    let numbered = products.numbers().zip(products.facts());
    numbered.filter(|(_, facts)| is_listed(facts)).map(|(number, _)| number).collect()
}

fn next_publication(facts: &[Facts], now: Timestamp) -> Option<Timestamp> {
    let waiting = facts.iter().filter(|facts| facts.active && facts.published_at > now);
    waiting.map(|facts| facts.published_at).min()
}
