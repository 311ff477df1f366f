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

    /// How many products lie in a window.
    pub(crate) fn count(&self, window: &Window) -> u32 {
        if self.is_uncrossed(window) {
            return length(&window.own);
        }
        let below = |bound| self.ranks.count_below(window.crossed.clone(), bound);
        below(window.own.end).saturating_sub(below(window.own.start))
    }

    /// The ranks in a window, ascending, without the first `skip` and at most `take`.
    pub(crate) fn ranks(&self, window: &Window, skip: u32, take: usize) -> Vec<u32> {
        let Range { start, end } = window.own;
        if self.is_uncrossed(window) {
            return (start.saturating_add(skip)..end).take(take).collect();
        }
        let before = self.ranks.count_below(window.crossed.clone(), start);
        let left = self.count(window).saturating_sub(skip) as usize;
        self.ranks.smallest(window.crossed.clone(), before.saturating_add(skip), take.min(left))
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.ranks.memory_bytes()
    }
}

/// How many ranks a range has.
pub(crate) fn length(range: &Range<u32>) -> u32 {
    range.end.saturating_sub(range.start)
}
