//! Some of a tenant's products with all that is needed to filter, sort and page them.

use std::sync::{Arc, OnceLock};

use pointbook_domain::Timestamp;

use crate::index::facts::Facts;
use crate::index::id_index::IdIndex;
use crate::index::memberships::Memberships;
use crate::index::numbers::Slice;
use crate::index::orders::Orders;
use crate::index::products::{Products, id_bytes};
use crate::index::query::{Fragment, ProductQuery, ProductSort};
use crate::index::rank_set::RankSet;
use crate::index::rules::Rules;
use crate::index::searches::Searches;
use crate::index::selection::{Filters, Selection};
use crate::index::title_index::TitleIndex;
use crate::index::title_search::TitleSearch;

/// Reading all titles in a row is this much cheaper, for each title, than jumping to it.
const TITLE_JUMP_COST: u64 = 8;

/// In so many titles a search takes no longer than a request may hold up others.
pub(crate) const SOON_SEARCHED: usize = 20_000;

/// Products by id, and the orders of those that are listed. It never changes.
#[derive(Debug)]
pub(crate) struct Segment {
    products: Arc<Products>,
    ids: IdIndex,
    orders: Orders,
    built_at: Timestamp,
    visible_count: usize,
    /// When products become visible by themselves, and which; the next one first.
    waiting: Vec<(Timestamp, u32)>,
    /// Without what comes later.
    memory_bytes: usize,
    /// Comes later, so that a first list need not wait for it. No answer is another one by it. None inside where a
    /// scan of the titles is as good.
    title_index: OnceLock<Option<TitleIndex>>,
    searches: Searches,
}

impl Segment {
    pub(crate) fn new(products: Arc<Products>, rules: &Rules, built_at: Timestamp) -> Self {
        let most_ordered = products.numbers_of(id_bytes(&rules.most_ordered));
        let memberships = Memberships::new(&products, &most_ordered, rules);
        let orders = Orders::new(&products, &listed(&products, rules, built_at), &memberships);
        let ids = IdIndex::new(&products);
        let visible = products.facts().iter().filter(|facts| facts.is_visible_at(built_at));
        Self {
            visible_count: visible.count(),
            waiting: waiting(&products, built_at),
            memory_bytes: products.memory_bytes() + ids.memory_bytes() + orders.memory_bytes(),
            products,
            ids,
            orders,
            built_at,
            title_index: OnceLock::new(),
            searches: Searches::default(),
        }
    }

    pub(crate) fn products(&self) -> &Arc<Products> {
        &self.products
    }

    pub(crate) fn orders(&self) -> &Orders {
        &self.orders
    }

    pub(crate) fn number_of(&self, id: &[u8]) -> Option<u32> {
        self.ids.number_of(id, &self.products)
    }

    /// How many of the products clients can see.
    pub(crate) fn visible_count(&self) -> usize {
        self.visible_count
    }

    /// When products become visible by themselves, and which; the next one first.
    pub(crate) fn waiting(&self) -> &[(Timestamp, u32)] {
        &self.waiting
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let index_bytes = self.title_index().map_or(0, TitleIndex::memory_bytes);
        self.memory_bytes + index_bytes + self.searches.memory_bytes()
    }

    /// Whether clients can see a product.
    pub(crate) fn is_visible(&self, number: u32) -> bool {
        self.visible_facts(number).is_some()
    }

    /// The values of a product that clients can see.
    pub(crate) fn visible_facts(&self, number: u32) -> Option<&Facts> {
        self.products.facts_of(number).filter(|facts| facts.is_visible_at(self.built_at))
    }

    /// What clients see of a product, if they see it.
    pub(crate) fn fragment_of(&self, number: u32) -> Option<Fragment<'_>> {
        if self.is_visible(number) { self.products.fragment(number) } else { None }
    }

    /// The listed product at a rank.
    pub(crate) fn fragment_at(&self, sort: ProductSort, rank: u32) -> Option<Fragment<'_>> {
        self.products.fragment(self.orders.order(sort).ranking().number_at(rank)?)
    }

    /// The listed products that match, in the order that is asked for.
    pub(crate) fn select(
        &self,
        query: &ProductQuery,
        search: Option<&TitleSearch>,
        rules: &Rules,
    ) -> Selection<'_> {
        let known = search.and_then(|search| self.searches.get(query.sort, search));
        let mut filters = Filters { orders: &self.orders, query, rules, found: known };
        if let Some(search) = search.filter(|_| filters.found.is_none()) {
            let (others, listed) = (Selection::new(&filters), self.orders.order(query.sort).ranking().len());
            let titles = self.products.titles();
            let found = if u64::from(others.count()) * TITLE_JUMP_COST < titles.len() as u64 {
                let ranks = self.search_each(&others, query.sort, search);
                if others.count() < listed {
                    return Selection::Ranks(ranks);
                }
                RankSet::from_sorted(ranks, listed)
            } else {
                self.search(query.sort, search)
            };
            let found = Arc::new(found);
            self.searches.keep(query.sort, search, &found);
            filters.found = Some(found);
        }
        Selection::new(&filters)
    }

    /// Which of these products have the title, ascending.
    fn search_each(&self, among: &Selection<'_>, sort: ProductSort, search: &TitleSearch) -> Vec<u32> {
        let ranking = self.orders.order(sort).ranking();
        let matches = search.matcher();
        let has_title = |number| matches(self.products.titles().get(number as usize));
        let mut ranks = among.ranks(Slice::ALL);
        ranks.retain(|&rank| ranking.number_at(rank).is_some_and(has_title));
        ranks
    }

    /// Whether what a search finds is known, or soon found.
    pub(crate) fn finds_soon(&self, sort: ProductSort, search: &TitleSearch) -> bool {
        self.products.len() <= SOON_SEARCHED || self.searches.get(sort, search).is_some()
    }

    /// Looks through all titles, or through the words of all titles where they have an index.
    fn search(&self, sort: ProductSort, search: &TitleSearch) -> RankSet {
        let ranking = self.orders.order(sort).ranking();
        let mut found = search.numbers(self.products.titles(), self.title_index());
        // In place: the numbers become ranks.
        found.retain_mut(|number| {
            let rank = ranking.rank_of(*number);
            *number = rank.unwrap_or_default();
            rank.is_some()
        });
        RankSet::from_unsorted(found, ranking.len())
    }

    fn title_index(&self) -> Option<&TitleIndex> {
        self.title_index.get().and_then(Option::as_ref)
    }

    /// Makes the index of titles, unless it is there; until then searches read all titles.
    pub(crate) fn index_titles(&self) {
        self.title_index.get_or_init(|| TitleIndex::new(self.products.titles()));
    }

    pub(crate) fn has_title_index(&self) -> bool {
        self.title_index.get().is_some()
    }
}

/// The numbers of the products in the list.
fn listed(products: &Products, rules: &Rules, now: Timestamp) -> Vec<u32> {
    let is_listed =
        |facts: &Facts| facts.is_visible_at(now) && !(rules.options.hide_sold_out && facts.is_sold_out());
    let numbered = products.numbers().zip(products.facts());
    numbered.filter(|(_, facts)| is_listed(facts)).map(|(number, _)| number).collect()
}

fn waiting(products: &Products, now: Timestamp) -> Vec<(Timestamp, u32)> {
    let numbered = products.numbers().zip(products.facts());
    let waiting = numbered.filter(|(_, facts)| facts.is_waiting_at(now));
    let mut waiting: Vec<_> = waiting.map(|(number, facts)| (facts.published_at, number)).collect();
    waiting.sort_unstable();
    waiting
}
