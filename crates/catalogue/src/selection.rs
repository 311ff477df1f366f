//! What a query leaves of an order, found by the cheapest road, and a page of it.

use std::ops::Range;
use std::sync::Arc;

use crate::common::{Asked, CommonBits, common_ranks};
use crate::crossing::{Window, length, narrow};
use crate::filter_sets::{asks_for_sets, only_flag};
use crate::flagged::FlagWindow;
use crate::order::Order;
use crate::orders::Orders;
use crate::query::ProductQuery;
use crate::rank_bits::CountedBits;
use crate::rank_set::RankSet;
use crate::rules::Rules;
use crate::slice::Slice;

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
    /// Prices, times and one flag: the flag's products are counted as all products are.
    Flagged(FlagWindow<'s>),
    /// One set and a stretch of the order: the set counts by itself.
    Set(Asked<'s>, Range<u32>),
    /// Several sets and a stretch of the order.
    Common(CommonBits<'s>, Range<u32>),
    /// One by one, ascending.
    Ranks(Vec<u32>),
}

impl<'s> Selection<'s> {
    pub(crate) fn new(filters: &Filters<'s, '_>) -> Self {
        let Filters { orders, query, rules, found } = filters;
        let (order, window) = (orders.order(query.sort), orders.window(query));
        if found.is_none() && !asks_for_sets(&query.filter) {
            let places = order.crossing().places(&window);
            return Self::Window(order, window, places);
        }
        let is_uncrossed = order.crossing().is_uncrossed(&window);
        if !is_uncrossed
            && found.is_none()
            && let Some(flag) = only_flag(&query.filter)
            && let Some(flagged) = orders.flag_window(query.sort, flag, window.clone())
        {
            return Self::Flagged(flagged);
        }
        if length(&window.crossed).saturating_mul(CROSSING_COST) < length(&window.own) {
            return Self::Ranks(filters.found_across(&window));
        }
        let mut sets = order.sets().asked(&query.filter, &rules.categories);
        sets.extend(found.clone().map(Asked::Made));
        if !is_uncrossed {
            return Self::Ranks(order.across(&window, common_ranks(&sets, &window.own)));
        }
        if sets.len() == 1
            && let Some(only) = sets.pop()
        {
            return Self::Set(only, window.own);
        }
        match CommonBits::new(sets, &window.own) {
            Ok(common) => Self::Common(common, window.own),
            Err(sets) => Self::Ranks(common_ranks(&sets, &window.own)),
        }
    }

    pub(crate) fn count(&self) -> u32 {
        match self {
            Self::Window(_, _, places) => length(places),
            Self::Flagged(flagged) => flagged.count(),
            Self::Set(set, own) => set.count(own),
            Self::Common(common, own) => common.count(own),
            Self::Ranks(ranks) => narrow(ranks.len()),
        }
    }

    /// How many of them are below this rank.
    pub(crate) fn count_below(&self, rank: u32) -> u32 {
        let until = |own: &Range<u32>| own.start..rank.clamp(own.start, own.end.max(own.start));
        match self {
            Self::Window(order, window, places) => {
                order.crossing().place_of(window, until(&window.own).end) - places.start
            }
            Self::Flagged(flagged) => flagged.count_below(rank),
            Self::Set(set, own) => set.count(&until(own)),
            Self::Common(common, own) => common.count(&until(own)),
            Self::Ranks(ranks) => narrow(ranks.partition_point(|&found| found < rank)),
        }
    }

    pub(crate) fn contains(&self, rank: u32) -> bool {
        match self {
            Self::Window(order, window, _) => order.is_in(window, rank),
            Self::Flagged(flagged) => flagged.contains(rank),
            Self::Set(set, own) => own.contains(&rank) && set.contains(rank),
            Self::Common(common, own) => own.contains(&rank) && common.contains(rank),
            Self::Ranks(ranks) => ranks.binary_search(&rank).is_ok(),
        }
    }

    /// The ranks in a slice, ascending.
    pub(crate) fn ranks(&self, slice: Slice) -> Vec<u32> {
        match self {
            Self::Window(order, window, places) => order.ranks_at(window, slice.of(places)),
            Self::Flagged(flagged) => flagged.ranks(slice),
            Self::Set(set, own) => set.members(own, slice.skip, slice.take),
            Self::Common(common, own) => common.members(own, slice.skip, slice.take),
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
