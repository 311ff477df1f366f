//! One tenant's catalogue as customers see it at one moment.

use std::sync::Arc;

use pointbook_domain::{CategoryId, CategoryTree, PageRequest, Timestamp};
use pointbook_store::content_key::ContentKey;

use crate::index::categories::SharedFragment;
use crate::index::changes::Changes;
use crate::index::merge::{Hit, Merged};
use crate::index::numbers::Slice;
use crate::index::products::Products;
use crate::index::query::{Fragment, ProductPage, ProductQuery};
use crate::index::recent::{Changed, Recent};
use crate::index::rules::Rules;
use crate::index::segment::{SOON_SEARCHED, Segment};
use crate::index::title_search::TitleSearch;

/// With more changes than this, compaction is worth its cost: each list and each further change gets slower with them.
const MAX_RECENT: usize = 512;

/// With more changes than this, a new base is built at once, even while a snapshot is being compacted. By then a change takes 10
/// ms, and a list that reads all of them up to 60 us.
const MAX_LAID_OVER: usize = 4_096;

// A search in the changes is always fast.
const _: () = assert!(MAX_LAID_OVER <= SOON_SEARCHED);

/// What filters know of a product, for those who show it. Each has the rule of its filter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a product may be any of these at once")]
pub struct Marks {
    pub is_sold_out: bool,
    pub is_low_stock: bool,
    pub is_new: bool,
    pub is_popular: bool,
}

/// The catalogue. It never changes; a newer snapshot replaces it. A clone shares everything.
#[derive(Debug, Clone)]
pub struct Snapshot {
    rules: Arc<Rules>,
    /// Nearly all products.
    base: Arc<Segment>,
    /// The changes since the base was built.
    recent: Arc<Recent>,
    built_at: Timestamp,
}

impl Snapshot {
    /// All products in one segment.
    pub(crate) fn of(products: Products, rules: Rules, now: Timestamp) -> Self {
        Self::over(Arc::new(products), Arc::new(rules), now)
    }

    fn over(products: Arc<Products>, rules: Arc<Rules>, now: Timestamp) -> Self {
        let base = Arc::new(Segment::new(products, &rules, now));
        let recent = Arc::new(Recent::laid_over(&base, Changed::default(), &rules, now));
        Self { rules, base, recent, built_at: now }
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The snapshot after these changes, by these rules, at `now`.
    pub(crate) fn with_changes(&self, changes: Changes, rules: Rules, now: Timestamp) -> Self {
        let moved = rules.popularity_changes(&self.rules);
        let newer = self.recent.with(changes, &moved, &self.base, now);
        let is_base_true = Arc::ptr_eq(&rules.categories, &self.rules.categories)
            && now >= self.built_at
            && newer.count() <= MAX_LAID_OVER.min(self.base.products().len() / 4);
        let rules = Arc::new(rules);
        if !is_base_true {
            return Self::over(newer.merged_into(&self.base), rules, now);
        }
        let recent = Arc::new(Recent::laid_over(&self.base, newer, &rules, now));
        Self { rules, base: Arc::clone(&self.base), recent, built_at: now }
    }

    /// Whether so much changed since the last compaction that the next one should begin.
    pub fn is_worth_compacting(&self) -> bool {
        self.recent.changed().count() > MAX_RECENT
    }

    /// The same catalogue with a new layout, in which lists and changes are fastest. The time grows with the number of products.
    #[must_use]
    pub fn compacted(&self) -> Self {
        Self::over(self.recent.changed().merged_into(&self.base), Arc::clone(&self.rules), self.built_at)
    }

    /// A page of the products that are listed and match.
    pub fn list(&self, query: &ProductQuery, page: PageRequest) -> ProductPage<'_> {
        let search = query.filter.titles.as_deref().and_then(TitleSearch::new);
        let slice = Slice {
            // No order has more products than this.
            skip: u32::try_from(page.offset()).unwrap_or(u32::MAX),
            take: page.size.get() as usize,
        };
        let base = self.base.select(query, search.as_ref(), &self.rules);
        let of_base = |rank| self.base.fragment_at(query.sort, rank);
        if self.recent.is_empty() {
            return page_of(base.count(), base.ranks(slice), of_base);
        }
        let recent = self.recent.segment().select(query, search.as_ref(), &self.rules);
        let merged = Merged::new(&base, &recent, self.recent.lays().get(query.sort));
        page_of(merged.count(), merged.hits(slice), |hit| match hit {
            Hit::Base(rank) => of_base(rank),
            Hit::Recent(rank) => self.recent.segment().fragment_at(query.sort, rank),
        })
    }

    /// Whether [`Self::list`] takes microseconds. The first search for a title in a large catalogue takes up to milliseconds, so
    /// another thread should do it. Its next pages are fast.
    pub fn lists_soon(&self, query: &ProductQuery) -> bool {
        let search = query.filter.titles.as_deref().and_then(TitleSearch::new);
        search.is_none_or(|search| self.base.finds_soon(query.sort, &search))
    }

    /// Whether searches for titles still read all of them.
    pub fn lacks_title_index(&self) -> bool {
        !self.base.has_title_index()
    }

    /// Makes title searches fast, in this snapshot and in those with a few more changes. It takes about as long as building the
    /// snapshot. Results do not change.
    pub fn index_titles(&self) {
        self.base.index_titles();
    }

    /// The JSON of a product that customers can see, also of a sold-out one that the list hides. `None` for any other id.
    pub fn product(&self, id: &str) -> Option<Fragment<'_>> {
        let (segment, number) = self.find(id)?;
        segment.fragment_of(number)
    }

    /// What a shop says of a product besides its JSON. A product is new when it was published after `new_since`. Nothing of a product
    /// that customers cannot see.
    pub fn marks(&self, id: &str, new_since: Timestamp) -> Marks {
        let facts = self.find(id).and_then(|(segment, number)| segment.visible_facts(number));
        facts.map_or_else(Marks::default, |facts| Marks {
            is_sold_out: facts.is_sold_out(),
            is_low_stock: facts.is_low_stock(self.rules.options.low_stock_threshold),
            is_new: facts.published_at > new_since,
            is_popular: facts.popular || self.rules.is_most_ordered(id),
        })
    }

    /// The categories of a product, by its id.
    pub fn categories_of(&self, id: &str) -> Vec<CategoryId> {
        let numbers = self.find(id).map(|(segment, number)| segment.products().categories(number));
        let ids =
            numbers.unwrap_or_default().iter().filter_map(|number| self.rules.category_numbers.id(*number));
        ids.cloned().collect()
    }

    /// The segment with the present state of a product, and its number there, also when customers cannot see it.
    fn find(&self, id: &str) -> Option<(&Segment, u32)> {
        let recent = self.recent.segment();
        if !self.recent.is_empty()
            && let Some(number) = recent.number_of(id.as_bytes())
        {
            return Some((recent, number));
        }
        let number = self.base.number_of(id.as_bytes())?;
        (!self.recent.hides(number)).then_some((&*self.base, number))
    }

    /// Nearly all products, and those that lie over some of them.
    pub(crate) fn segments(&self) -> (&Segment, &Segment) {
        (&self.base, self.recent.segment())
    }

    /// Whether a newer state of this product of the base, or its removal, lies over it.
    pub(crate) fn is_hidden(&self, number: u32) -> bool {
        self.recent.hides(number)
    }

    /// The key of its hashes.
    pub fn content_key(&self) -> &ContentKey {
        &self.rules.content_key
    }

    /// All categories as a JSON array, in the operator's order.
    pub fn categories(&self) -> SharedFragment {
        self.rules.categories.all()
    }

    /// All categories, in the operator's order.
    pub fn category_tree(&self) -> &CategoryTree {
        self.rules.categories.tree()
    }

    /// A category's children as a JSON array, with their children. `None` for an unknown id.
    pub fn children(&self, id: &str) -> Option<SharedFragment> {
        self.rules.categories.children(id)
    }

    /// The number of products that customers can see, listed or not.
    pub fn product_count(&self) -> usize {
        let hidden = self.recent.hidden().iter().filter(|&&number| self.base.is_visible(number)).count();
        self.base.visible_count() - hidden + self.recent.segment().visible_count()
    }

    /// The approximate memory, the rendered JSON included, in bytes. A part that two snapshots share counts for both.
    pub fn memory_bytes(&self) -> usize {
        self.base.memory_bytes() + self.recent.memory_bytes() + self.rules.categories.memory_bytes()
    }

    /// When the next product becomes visible. The snapshot is out of date from then on.
    pub fn next_change_at(&self) -> Option<Timestamp> {
        let first = |segment: &Segment, is_hidden: &dyn Fn(u32) -> bool| {
            segment.waiting().iter().find(|(_, number)| !is_hidden(*number)).map(|(at, _)| *at)
        };
        let base = first(&self.base, &|number| self.recent.hides(number));
        let recent = first(self.recent.segment(), &|_| false);
        base.into_iter().chain(recent).min()
    }
}

fn page_of<'s, H>(total: u32, hits: Vec<H>, fragment: impl Fn(H) -> Option<Fragment<'s>>) -> ProductPage<'s> {
    let mut items = Vec::with_capacity(hits.len());
    items.extend(hits.into_iter().filter_map(fragment));
    ProductPage { total: u64::from(total), items }
}
