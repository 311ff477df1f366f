//! How one order of some products lies across another order of the same products.

use std::ops::Range;

use crate::wavelet::WaveletMatrix;

/// A stretch of an order, cut down to a stretch of the crossed order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Window {
    /// Ranks in the order itself.
    pub(crate) own: Range<u32>,
    /// Ranks in the crossed order.
    pub(crate) crossed: Range<u32>,
}

/// Counts and picks the products in a window in logarithmic time.
#[derive(Debug)]
pub(crate) struct Crossing {
    /// By rank in the crossed order: the rank in the order itself.
    ranks: WaveletMatrix,
    count: u32,
}

impl Crossing {
    /// Takes, by rank in the crossed order, the rank in the order itself.
    pub(crate) fn new(ranks: Vec<u32>) -> Self {
        let count = u32::try_from(ranks.len()).unwrap_or(u32::MAX);
        Self { ranks: WaveletMatrix::new(ranks), count }
    }

    /// Whether the crossed order leaves nothing out.
    pub(crate) fn is_uncrossed(&self, window: &Window) -> bool {
        window.crossed == (0..self.count)
    }

    /// The places of a window's products among those of its crossed stretch, in this order.
    pub(crate) fn places(&self, window: &Window) -> Range<u32> {
        self.place_of(window, window.own.start)..self.place_of(window, window.own.end)
    }

    /// How many of the crossed stretch's products stand below a rank.
    pub(crate) fn place_of(&self, window: &Window, rank: u32) -> u32 {
        if rank >= self.count {
            return length(&window.crossed);
        }
        if self.is_uncrossed(window) { rank } else { self.ranks.count_below(window.crossed.clone(), rank) }
    }

    /// The rank of the product at a place of the crossed stretch.
    pub(crate) fn rank_at(&self, window: &Window, place: u32) -> Option<u32> {
        self.ranks.nth(window.crossed.clone(), place)
    }

    /// The ranks of products at places of the crossed stretch, ascending.
    pub(crate) fn ranks_at(&self, window: &Window, places: Range<u32>) -> Vec<u32> {
        if self.is_uncrossed(window) {
            return places.collect();
        }
        self.ranks.smallest(window.crossed.clone(), places.start, length(&places) as usize)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.ranks.memory_bytes()
    }
}

/// How many ranks a range has.
pub(crate) fn length(range: &Range<u32>) -> u32 {
    range.end.saturating_sub(range.start)
}

/// Counts of ranks are 32 bits wide, as ranks are.
pub(crate) fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
