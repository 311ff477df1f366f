//! The part of a list that is asked for.

use std::ops::Range;

use crate::crossing::narrow;

/// How many entries of a list are passed over, and how many are taken after them.
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
