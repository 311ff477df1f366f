//! One sort of the listed products, with all that is needed to answer in it by counting.

use std::ops::Range;
use std::sync::Arc;

use crate::crossing::{Crossing, Window, length, narrow};
use crate::filter_sets::FilterSets;
use crate::memberships::Memberships;
use crate::ranking::Ranking;

/// So many products are passed by for each that is wanted before each is looked up: a product beside is seen at
/// once, and one far away is found in some hundred steps.
pub(crate) const WALK: u32 = 32;

/// The products in one order, and how that order lies across another.
///
/// Prices and publication times are ranges of ranks in the orders that sort by them. An order that
/// sorts by one of the two is crossed with an order that sorts by the other, so that any pair of
/// ranges can be counted and paged in logarithmic time.
#[derive(Debug)]
pub(crate) struct Order {
    ranking: Arc<Ranking>,
    sets: FilterSets,
    crossed_ranks: Vec<u32>,
    crossing: Crossing,
}

impl Order {
    /// Takes the products in order, their filters, and the order across.
    pub(crate) fn new(ranking: &Arc<Ranking>, memberships: &Memberships, crossed: &Ranking) -> Self {
        Self {
            ranking: Arc::clone(ranking),
            sets: FilterSets::new(ranking, memberships),
            crossed_ranks: ranking.ranks_in(crossed),
            crossing: Crossing::new(crossed.ranks_in(ranking)),
        }
    }

    pub(crate) fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    pub(crate) fn sets(&self) -> &FilterSets {
        &self.sets
    }

    /// Whether the product at `rank` lies in the window.
    pub(crate) fn is_in(&self, window: &Window, rank: u32) -> bool {
        window.own.contains(&rank) && self.is_across(&window.crossed, rank)
    }

    /// Those of the ranks that lie in the crossed stretch of the window. Every rank is written and
    /// the next one overwrites what does not count: a branch here would be a coin toss.
    pub(crate) fn across(&self, window: &Window, mut ranks: Vec<u32>) -> Vec<u32> {
        if self.crossing.is_uncrossed(window) {
            return ranks;
        }
        let mut kept = 0;
        for place in 0..ranks.len() {
            let rank = ranks[place];
            ranks[kept] = rank;
            kept += usize::from(self.is_across(&window.crossed, rank));
        }
        ranks.truncate(kept);
        ranks
    }

    /// The ranks at some places of a window, ascending: the first is looked up, and the others are mostly near.
    pub(crate) fn ranks_at(&self, window: &Window, places: Range<u32>) -> Vec<u32> {
        if self.crossing.is_uncrossed(window) {
            return self.crossing.ranks_at(window, places);
        }
        let mut ranks = Vec::with_capacity(places.len());
        if let Some(first) = self.crossing.rank_at(window, places.start) {
            let last = first.saturating_add(length(&places).saturating_mul(WALK));
            let near =
                (first..window.own.end.min(last)).filter(|&rank| self.is_across(&window.crossed, rank));
            ranks.extend(near.take(places.len()));
        }
        let far = places.end - (length(&places) - narrow(ranks.len()))..places.end;
        if !far.is_empty() {
            ranks.extend(self.crossing.ranks_at(window, far));
        }
        ranks
    }

    pub(crate) fn is_across(&self, crossed: &Range<u32>, rank: u32) -> bool {
        // One comparison for both ends: below the start it wraps around to a large number.
        self.crossed_rank(rank).is_some_and(|found| found.wrapping_sub(crossed.start) < length(crossed))
    }

    /// The rank in the crossed order of the product at `rank`.
    pub(crate) fn crossed_rank(&self, rank: u32) -> Option<u32> {
        self.crossed_ranks.get(rank as usize).copied()
    }

    /// All products, in terms of windows.
    pub(crate) fn crossing(&self) -> &Crossing {
        &self.crossing
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.ranking.memory_bytes()
            + self.sets.memory_bytes()
            + self.crossed_ranks.capacity() * size_of::<u32>()
            + self.crossing.memory_bytes()
    }
}
