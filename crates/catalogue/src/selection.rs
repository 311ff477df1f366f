//! What a query leaves of an order, found by the cheapest road, and a page of it.

use std::ops::Range;
use std::sync::Arc;

use crate::crossing::Window;
use crate::flagged::FlagWindow;
use crate::lists::Lists;
use crate::order::Order;
use crate::rank_set::RankSet;
use crate::title_search::TitleSearch;

/// Going through the window and asking each product is this much cheaper than jumping to products.
const JUMP_COST: u64 = 16;

/// Reading all titles in a row is this much cheaper, for each title, than jumping to it.
const TITLE_JUMP_COST: u64 = 8;

/// All filters of a query but the title, in terms of one order.
#[derive(Debug)]
pub(crate) struct Filters<'s> {
    pub(crate) order: &'s Order,
    /// Where prices and publication times lie.
    pub(crate) window: Window,
    /// What flags and categories leave; none when they restrict nothing.
    pub(crate) set: Option<Arc<RankSet>>,
}

/// The part of a list that is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slice {
    pub(crate) skip: u32,
    pub(crate) take: usize,
}

/// The ranks of an order that match, as they can be counted.
#[derive(Debug)]
pub(crate) enum Selection<'s> {
    /// Prices and times alone: nothing is looked at but the page.
    Window(&'s Order, Window),
    /// Prices, times and one flag: the flag's products are counted as all products are.
    Flagged(FlagWindow<'s>),
    /// One set and a stretch of the order: the set counts by itself.
    Set(Arc<RankSet>, Range<u32>),
    /// One by one, ascending.
    Ranks(Vec<u32>),
}

impl<'s> Selection<'s> {
    pub(crate) fn new(filters: Filters<'s>) -> Self {
        match filters.set {
            None => Self::Window(filters.order, filters.window),
            Some(set) if filters.order.crossing().is_uncrossed(&filters.window) => {
                Self::Set(set, filters.window.own)
            }
            Some(_) => Self::Ranks(filters.candidates()),
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        match self {
            Self::Window(order, window) => order.crossing().count(window),
            Self::Flagged(flagged) => flagged.count(),
            Self::Set(set, own) => set.count(own),
            Self::Ranks(ranks) => narrow(ranks.len() as u64),
        }
    }

    /// How many of them are below this rank.
    pub(crate) fn count_below(&self, rank: u32) -> u32 {
        let until = |own: &Range<u32>| own.start..rank.clamp(own.start, own.end.max(own.start));
        match self {
            Self::Window(order, window) => {
                let window = Window { own: until(&window.own), crossed: window.crossed.clone() };
                order.crossing().count(&window)
            }
            Self::Flagged(flagged) => flagged.count_below(rank),
            Self::Set(set, own) => set.count(&until(own)),
            Self::Ranks(ranks) => narrow(ranks.partition_point(|&found| found < rank) as u64),
        }
    }

    pub(crate) fn contains(&self, rank: u32) -> bool {
        match self {
            Self::Window(order, window) => order.is_in(window, rank),
            Self::Flagged(flagged) => flagged.contains(rank),
            Self::Set(set, own) => own.contains(&rank) && set.contains(rank),
            Self::Ranks(ranks) => ranks.binary_search(&rank).is_ok(),
        }
    }

    /// The ranks in a slice, ascending.
    pub(crate) fn ranks(&self, slice: Slice) -> Vec<u32> {
        match self {
            Self::Window(order, window) => order.crossing().ranks(window, slice.skip, slice.take),
            Self::Flagged(flagged) => flagged.ranks(slice),
            Self::Set(set, own) => set.members(own, slice.skip, slice.take),
            Self::Ranks(ranks) => ranks.iter().copied().skip(slice.skip as usize).take(slice.take).collect(),
        }
    }
}

impl Filters<'_> {
    /// Whether so few are left that their titles are sooner read than all are searched.
    pub(crate) fn leave_few_of(&self, titles: &Lists<u8>) -> bool {
        self.candidate_bound() * TITLE_JUMP_COST < titles.len() as u64
    }

    /// Whether they leave all products of the order.
    pub(crate) fn leave_all(&self) -> bool {
        self.candidate_bound() == u64::from(self.order.ranking().len())
    }

    /// The ranks whose titles match too, ascending.
    pub(crate) fn search_each(&self, search: &TitleSearch, titles: &Lists<u8>) -> Vec<u32> {
        let mut ranks = self.candidates();
        ranks.retain(|&rank| {
            let number = self.order.ranking().number_at(rank);
            number.is_some_and(|number| search.matches(titles.get(number as usize)))
        });
        ranks
    }

    /// No fewer than these filters leave.
    fn candidate_bound(&self) -> u64 {
        let in_window = u64::from(self.order.crossing().count(&self.window));
        self.set.as_ref().map_or(in_window, |set| in_window.min(u64::from(set.len())))
    }

    /// The ranks that these filters leave, ascending.
    fn candidates(&self) -> Vec<u32> {
        let Self { order, window, set } = self;
        let in_window = order.crossing().count(window);
        let in_own =
            set.as_ref().map_or_else(|| window.own.len() as u64, |set| u64::from(set.count(&window.own)));
        if order.crossing().is_uncrossed(window) || u64::from(in_window) * JUMP_COST > in_own {
            let own = window.own.clone();
            let ranks =
                set.as_ref().map_or_else(|| own.clone().collect(), |set| set.members(&own, 0, usize::MAX));
            return order.across(window, ranks);
        }
        let mut ranks = order.crossing().ranks(window, 0, in_window as usize);
        ranks.retain(|&rank| set.as_ref().is_none_or(|set| set.contains(rank)));
        ranks
    }
}

/// Counts of ranks are 32 bits wide, as ranks are.
fn narrow(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
