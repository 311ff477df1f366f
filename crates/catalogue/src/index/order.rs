//! One sort of the listed products, with all that is needed to answer in it by counting.

use std::ops::Range;
use std::sync::Arc;

use crate::index::filter_sets::FilterSets;
use crate::index::memberships::Memberships;
use crate::index::numbers::{length, narrow};
use crate::index::ranking::Ranking;
use crate::index::wavelet::WaveletMatrix;

/// So many products are passed by for each that is wanted before each is looked up: a product beside is seen at
/// once, and one far away is found in some hundred steps.
const WALK: u32 = 32;

/// A stretch of an order, cut down to a stretch of the crossed order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Window {
    /// Ranks in the order itself.
    pub(crate) own: Range<u32>,
    /// Ranks in the crossed order.
    pub(crate) crossed: Range<u32>,
}

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
    /// By rank in the crossed order: the rank in the order itself.
    own_ranks: WaveletMatrix,
}

impl Order {
    /// Takes the products in order, their filters, and the order across.
    pub(crate) fn new(ranking: &Arc<Ranking>, memberships: &Memberships, crossed: &Ranking) -> Self {
        Self {
            ranking: Arc::clone(ranking),
            sets: FilterSets::new(ranking, memberships),
            crossed_ranks: ranking.ranks_in(crossed),
            own_ranks: WaveletMatrix::new(crossed.ranks_in(ranking)),
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
        if self.is_uncrossed(window) {
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

    /// Whether the crossed order leaves nothing out.
    pub(crate) fn is_uncrossed(&self, window: &Window) -> bool {
        window.crossed == (0..self.ranking.len())
    }

    /// The places of a window's products among those of its crossed stretch, in this order.
    pub(crate) fn places(&self, window: &Window) -> Range<u32> {
        self.place_of(window, window.own.start)..self.place_of(window, window.own.end)
    }

    /// How many of the crossed stretch's products stand below a rank.
    pub(crate) fn place_of(&self, window: &Window, rank: u32) -> u32 {
        if rank >= self.ranking.len() {
            length(&window.crossed)
        } else if self.is_uncrossed(window) {
            rank
        } else {
            self.own_ranks.count_below(window.crossed.clone(), rank)
        }
    }

    /// The ranks at some places of a window, ascending: the first is looked up, and the others are mostly near.
    pub(crate) fn ranks_at(&self, window: &Window, places: Range<u32>) -> Vec<u32> {
        if self.is_uncrossed(window) {
            return places.collect();
        }
        let rank_at = |place| self.own_ranks.nth(window.crossed.clone(), place);
        let mut ranks = Vec::with_capacity(places.len());
        if let Some(first) = rank_at(places.start) {
            let last = first.saturating_add(length(&places).saturating_mul(WALK));
            let near =
                (first..window.own.end.min(last)).filter(|&rank| self.is_across(&window.crossed, rank));
            ranks.extend(near.take(places.len()));
        }
        let far = places.start + narrow(ranks.len())..places.end;
        ranks.extend(far.filter_map(rank_at));
        ranks
    }

    fn is_across(&self, crossed: &Range<u32>, rank: u32) -> bool {
        // One comparison for both ends: below the start it wraps around to a large number.
        let crossed_rank = self.crossed_ranks.get(rank as usize);
        crossed_rank.is_some_and(|found| found.wrapping_sub(crossed.start) < length(crossed))
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.ranking.memory_bytes()
            + self.sets.memory_bytes()
            + self.crossed_ranks.capacity() * size_of::<u32>()
            + self.own_ranks.memory_bytes()
    }
}
