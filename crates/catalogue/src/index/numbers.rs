//! Arithmetic of places and ranks, which are 32 bits wide.

use std::ops::Range;

/// A count or a place as a rank is stored. No catalogue has more products than 32 bits count.
pub(crate) fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

pub(crate) fn length(range: &Range<u32>) -> u32 {
    range.end.saturating_sub(range.start)
}

/// The first place in `range` where `is_before` no longer holds, or its end. All places where it holds come first.
pub(crate) fn partition_point(range: Range<usize>, is_before: impl Fn(usize) -> bool) -> usize {
    let Range { start: mut low, end: mut high } = range;
    while low < high {
        let middle = low.midpoint(high);
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The part of a list that is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slice {
    pub(crate) skip: u32,
    pub(crate) take: usize,
}

impl Slice {
    pub(crate) const ALL: Self = Self { skip: 0, take: usize::MAX };

    /// The same part of these places.
    pub(crate) fn of(self, places: &Range<u32>) -> Range<u32> {
        let start = places.start.saturating_add(self.skip).min(places.end);
        start..start.saturating_add(narrow(self.take)).min(places.end)
    }
}
