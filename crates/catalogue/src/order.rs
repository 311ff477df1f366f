//! One sort of the listed products, with all that is needed to answer in it by counting.

use std::ops::Range;
use std::sync::Arc;

use crate::filter_sets::FilterSets;
use crate::memberships::Memberships;
use crate::ranking::Ranking;
use crate::wavelet::WaveletMatrix;

/// The products in one order, and how that order lies across another.
///
/// Prices and publication times are ranges of ranks in the orders that sort by them. An order that
/// sorts by one of the two is crossed with an order that sorts by the other, so that any pair of
/// ranges can be counted and paged in logarithmic time.
#[derive(Debug)]
pub(crate) struct Order {
    ranking: Arc<Ranking>,
    sets: FilterSets,
    /// By rank: the rank in the crossed order.
    crossed_ranks: Vec<u32>,
    /// By rank in the crossed order: the rank in this one.
    crossing: WaveletMatrix,
}

/// A stretch of an order, cut down to a stretch of the crossed order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Window {
    /// Ranks in the order itself.
    pub(crate) own: Range<u32>,
    /// Ranks in the crossed order.
    pub(crate) crossed: Range<u32>,
}

impl Order {
    /// Takes the products in order, their filters, and the order across.
    pub(crate) fn new(ranking: &Arc<Ranking>, memberships: &Memberships, crossed: &Ranking) -> Self {
        Self {
            ranking: Arc::clone(ranking),
            sets: FilterSets::new(ranking, memberships),
            crossed_ranks: ranking.ranks_in(crossed),
            crossing: WaveletMatrix::new(crossed.ranks_in(ranking)),
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

    fn is_across(&self, crossed: &Range<u32>, rank: u32) -> bool {
        let crossed_rank = self.crossed_ranks.get(rank as usize).copied();
        // One comparison for both ends: below the start it wraps around to a large number.
        crossed_rank.is_some_and(|found| found.wrapping_sub(crossed.start) < length(crossed))
    }

    /// Whether the crossed order leaves nothing out.
    pub(crate) fn is_uncrossed(&self, window: &Window) -> bool {
        window.crossed == (0..self.ranking.len())
    }

    /// How many products lie in a window.
    pub(crate) fn count(&self, window: &Window) -> u32 {
        if self.is_uncrossed(window) {
            return length(&window.own);
        }
        let below = |bound| self.crossing.count_below(window.crossed.clone(), bound);
        below(window.own.end).saturating_sub(below(window.own.start))
    }

    /// The ranks in a window, ascending, without the first `skip` and at most `take`.
    pub(crate) fn ranks(&self, window: &Window, skip: u32, take: usize) -> Vec<u32> {
        let Range { start, end } = window.own;
        if self.is_uncrossed(window) {
            return (start.saturating_add(skip)..end).take(take).collect();
        }
        let before = self.crossing.count_below(window.crossed.clone(), start);
        let left = self.count(window).saturating_sub(skip) as usize;
        self.crossing.smallest(window.crossed.clone(), before.saturating_add(skip), take.min(left))
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.ranking.memory_bytes()
            + self.sets.memory_bytes()
            + self.crossed_ranks.capacity() * size_of::<u32>()
            + self.crossing.memory_bytes()
    }
}

fn length(range: &Range<u32>) -> u32 {
    range.end.saturating_sub(range.start)
}
