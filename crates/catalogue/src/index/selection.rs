//! What a query leaves of an order, found by the cheapest road, and a page of it.

use std::ops::Range;
use std::sync::Arc;

use crate::index::filter_sets::asks_for_sets;
use crate::index::numbers::{Slice, length, narrow};
use crate::index::order::{Order, Window};
use crate::index::orders::Orders;
use crate::index::query::ProductQuery;
use crate::index::rank_set::{MaybeKept, RankSet, common_bits, common_ranks};
use crate::index::rules::Rules;

/// A crossed stretch that is so much narrower is sooner searched than the order's own, although what is found there
/// has to be sorted.
const CROSSING_COST: u32 = 4;

/// All filters of a query, in terms of the orders.
#[derive(Debug)]
pub(crate) struct Filters<'s, 'q> {
    pub(crate) orders: &'s Orders,
    pub(crate) query: &'q ProductQuery,
    pub(crate) rules: &'q Rules,
    /// What a search for the title found, if that is to be asked for here, in the order of the query.
    pub(crate) found: Option<Arc<RankSet>>,
}

/// The ranks of an order that match, as they can be counted.
#[derive(Debug)]
pub(crate) enum Selection<'s> {
    /// Prices and times alone, and the places among all products of these times or prices: nothing is looked at but
    /// the page.
    Window(&'s Order, Window, Range<u32>),
    /// A set, which counts, and a stretch of the order.
    Set(MaybeKept<'s>, Range<u32>),
    /// One by one, ascending.
    Ranks(Vec<u32>),
}

impl<'s> Selection<'s> {
    pub(crate) fn new(filters: &Filters<'s, '_>) -> Self {
        let Filters { orders, query, rules, found } = filters;
        let (order, window) = (orders.order(query.sort), orders.window(query));
        if found.is_none() && !asks_for_sets(&query.filter) {
            let places = order.places(&window);
            return Self::Window(order, window, places);
        }
        if length(&window.crossed).saturating_mul(CROSSING_COST) < length(&window.own) {
            return Self::Ranks(filters.found_across(&window));
        }
        let mut sets = order.sets().asked(&query.filter, &rules.categories);
        sets.extend(found.clone().map(MaybeKept::Made));
        if !order.is_uncrossed(&window) {
            return Self::Ranks(order.across(&window, common_ranks(&sets, &window.own)));
        }
        if let [only] = &*sets {
            return Self::Set(only.clone(), window.own);
        }
        match common_bits(&sets, order.ranking().len()) {
            Some(common) => Self::Set(MaybeKept::Made(Arc::new(common)), window.own),
            None => Self::Ranks(common_ranks(&sets, &window.own)),
        }
    }

    pub(crate) fn count(&self) -> u32 {
        match self {
            Self::Window(_, _, places) => length(places),
            Self::Set(set, own) => set.count(own),
            Self::Ranks(ranks) => narrow(ranks.len()),
        }
    }

    /// How many of them are below this rank.
    pub(crate) fn count_below(&self, rank: u32) -> u32 {
        let until = |own: &Range<u32>| own.start..rank.clamp(own.start, own.end.max(own.start));
        match self {
            Self::Window(order, window, places) => {
                order.place_of(window, until(&window.own).end) - places.start
            }
            Self::Set(set, own) => set.count(&until(own)),
            Self::Ranks(ranks) => narrow(ranks.partition_point(|&found| found < rank)),
        }
    }

    pub(crate) fn contains(&self, rank: u32) -> bool {
        match self {
            Self::Window(order, window, _) => order.is_in(window, rank),
            Self::Set(set, own) => own.contains(&rank) && set.contains(rank),
            Self::Ranks(ranks) => ranks.binary_search(&rank).is_ok(),
        }
    }

    /// The ranks in a slice, ascending.
    pub(crate) fn ranks(&self, slice: Slice) -> Vec<u32> {
        match self {
            Self::Window(order, window, places) => order.ranks_at(window, slice.of(places)),
            Self::Set(set, own) => set.members(own, slice.skip, slice.take),
            Self::Ranks(ranks) => ranks.iter().copied().skip(slice.skip as usize).take(slice.take).collect(),
        }
    }
}

impl Filters<'_, '_> {
    /// The ranks that match, ascending, found in the stretch of the crossed order.
    fn found_across(&self, window: &Window) -> Vec<u32> {
        let Self { orders, query, rules, found } = self;
        let (ranking, across) = (orders.order(query.sort).ranking(), orders.across(query.sort));
        let sets = across.sets().asked(&query.filter, &rules.categories);
        let rank_of = |rank| ranking.rank_of(across.ranking().number_at(rank)?);
        let is_left = |rank: &u32| window.own.contains(rank) && found.iter().all(|set| set.contains(*rank));
        let crossed = match &*sets {
            [] => window.crossed.clone().collect(),
            sets => common_ranks(sets, &window.crossed),
        };
        let mut ranks: Vec<u32> = crossed.into_iter().filter_map(rank_of).filter(is_left).collect();
        ranks.sort_unstable();
        ranks
    }
}
