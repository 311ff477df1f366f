//! Some of a tenant's products with all that is needed to filter, sort and page them.

use std::sync::{Arc, OnceLock};

use pointbook_domain::Timestamp;

use crate::facts::Facts;
use crate::filter_sets::only_flag;
use crate::fragments::Fragment;
use crate::memberships::{FlagRules, Memberships};
use crate::orders::Orders;
use crate::products::{Products, id_bytes};
use crate::query::{ProductQuery, ProductSort};
use crate::rank_set::RankSet;
use crate::rules::Rules;
use crate::searches::Searches;
use crate::selection::{Filters, Selection};
use crate::title_index::TitleIndex;
use crate::title_search::TitleSearch;

/// In so many titles a search takes no longer than a request may hold up others.
pub(crate) const SOON_SEARCHED: usize = 20_000;

/// Products by id, and the orders of those that are listed. It never changes.
#[derive(Debug)]
pub(crate) struct Segment {
    products: Arc<Products>,
    orders: Orders,
    built_at: Timestamp,
    visible_count: usize,
    /// When products become visible by themselves, and which; the next one first.
    waiting: Vec<(Timestamp, u32)>,
    rendered_bytes: usize,
    /// Without what comes later.
    memory_bytes: usize,
    /// Comes later, so that a first list need not wait for it. No answer is another one by it.
    title_index: OnceLock<TitleIndex>,
    searches: Searches,
}

impl Segment {
    pub(crate) fn new(products: Arc<Products>, rules: &Rules, built_at: Timestamp) -> Self {
        let flags = FlagRules {
            low_stock_threshold: rules.options.low_stock_threshold,
            most_ordered: products.numbers_of(id_bytes(&rules.most_ordered)),
        };
        let memberships = Memberships::new(&products, &flags, rules);
        let orders = Orders::new(&products, &listed(&products, rules, built_at), &memberships);
        let visible = products.facts().iter().filter(|facts| facts.is_visible_at(built_at));
        Self {
            visible_count: visible.count(),
            waiting: waiting(&products, built_at),
            rendered_bytes: products.rendered_bytes(),
            memory_bytes: products.memory_bytes() + orders.memory_bytes(),
            products,
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

    /// How many of the products clients can see.
    pub(crate) fn visible_count(&self) -> usize {
        self.visible_count
    }

    /// When products become visible by themselves, and which; the next one first.
    pub(crate) fn waiting(&self) -> &[(Timestamp, u32)] {
        &self.waiting
    }

    pub(crate) fn rendered_bytes(&self) -> usize {
        self.rendered_bytes
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let index_bytes = self.title_index.get().map_or(0, TitleIndex::memory_bytes);
        self.memory_bytes + index_bytes + self.searches.memory_bytes()
    }

    /// Whether clients can see a product.
    pub(crate) fn is_visible(&self, number: u32) -> bool {
        self.products.facts_of(number).is_some_and(|facts| facts.is_visible_at(self.built_at))
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
        let (order, window) = self.orders.window(query);
        if search.is_none()
            && !order.crossing().is_uncrossed(&window)
            && let Some(flag) = only_flag(&query.filter)
            && let Some(flagged) = self.orders.flag_window(query.sort, flag, window.clone())
        {
            return Selection::Flagged(flagged);
        }
        let mut sets = order.sets().asked(&query.filter, &rules.categories);
        let known = search.and_then(|search| self.searches.get(query.sort, search));
        let is_known = known.is_some();
        sets.extend(known);
        let mut filters = Filters { order, window, set: RankSet::intersection(sets) };
        if let Some(search) = search.filter(|_| !is_known) {
            let titles = self.products.titles();
            let found = if filters.leave_few_of(titles) {
                let found = filters.search_each(search, titles);
                if !filters.leave_all() {
                    return Selection::Ranks(found);
                }
                RankSet::from_sorted(found, order.ranking().len())
            } else {
                self.search(query.sort, search)
            };
            let found = Arc::new(found);
            self.searches.keep(query.sort, search, &found);
            filters.set = RankSet::intersection(filters.set.into_iter().chain([found]).collect());
        }
        Selection::new(filters)
    }

    /// Whether what a search finds is known, or soon found.
    pub(crate) fn finds_soon(&self, sort: ProductSort, search: &TitleSearch) -> bool {
        self.products.len() <= SOON_SEARCHED || self.searches.get(sort, search).is_some()
    }

    /// Looks through all titles.
    fn search(&self, sort: ProductSort, search: &TitleSearch) -> RankSet {
        let titles = self.products.titles();
        let ranking = self.orders.order(sort).ranking();
        if let Some(index) = self.title_index.get() {
            let numbers = index.search(search.parts(), titles);
            RankSet::from_found(numbers.ranks(ranking.ranks(), ranking.len()))
        } else {
            let numbers = search.scan(titles).into_iter();
            let ranks = numbers.filter_map(|number| ranking.rank_of(number));
            RankSet::from_unsorted(ranks.collect(), ranking.len())
        }
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
