//! A page of two selections of the same query, found by counting.

use crate::index::numbers::{Slice, narrow, partition_point};
use crate::index::recent::Lay;
use crate::index::selection::Selection;

/// What a query leaves of the base, without what is hidden there, and of what is recent. The base's
/// hits may be many and are only counted; the recent ones are few.
#[derive(Debug)]
pub(crate) struct Merged<'m> {
    base: &'m Selection<'m>,
    /// Hits of the base that are seen no more, as ranks there, ascending.
    hidden: Vec<u32>,
    /// Recent hits, as ranks in their own order.
    recent: Vec<u32>,
    lay: &'m Lay,
}

/// A hit as a rank in the order of its segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hit {
    Base(u32),
    Recent(u32),
}

impl<'m> Merged<'m> {
    pub(crate) fn new(base: &'m Selection<'m>, recent: &Selection<'_>, lay: &'m Lay) -> Self {
        let hidden = lay.hidden.iter().copied().filter(|&rank| base.contains(rank)).collect();
        let recent = recent.ranks(Slice::ALL);
        Self { base, hidden, recent, lay }
    }

    pub(crate) fn count(&self) -> u32 {
        self.base.count() - narrow(self.hidden.len()) + narrow(self.recent.len())
    }

    /// The hits in a slice, in order.
    pub(crate) fn hits(&self, slice: Slice) -> Vec<Hit> {
        // Each recent hit stands behind the recent ones before it and the base's below its place.
        let position = |hit: usize| narrow(hit) + self.shown_below(self.place(hit));
        let recent_before = partition_point(0..self.recent.len(), |hit| position(hit) < slice.skip);
        let base_skip = slice.skip.saturating_sub(narrow(recent_before));
        let base_end = base_skip.saturating_add(narrow(slice.take));
        let (skip, end) = (self.with_hidden(base_skip), self.with_hidden(base_end));
        let mut base = self.base.ranks(Slice { skip, take: end.saturating_sub(skip) as usize });
        base.retain(|rank| self.hidden.binary_search(rank).is_err());
        let mut hits = Vec::with_capacity(base.len());
        let mut base = base.into_iter().peekable();
        for hit in recent_before..self.recent.len() {
            let place = self.place(hit);
            while hits.len() < slice.take
                && let Some(rank) = base.next_if(|&rank| rank < place)
            {
                hits.push(Hit::Base(rank));
            }
            if hits.len() >= slice.take {
                return hits;
            }
            hits.extend(self.recent.get(hit).map(|&rank| Hit::Recent(rank)));
        }
        let left = slice.take - hits.len();
        hits.extend(base.take(left).map(Hit::Base));
        hits
    }

    /// The rank in the base that a recent hit stands right before.
    fn place(&self, hit: usize) -> u32 {
        let rank = self.recent.get(hit).copied().unwrap_or(u32::MAX);
        self.lay.places.get(rank as usize).copied().unwrap_or(u32::MAX)
    }

    /// How many of the base's hits below a rank are seen.
    fn shown_below(&self, rank: u32) -> u32 {
        let hidden = self.hidden.partition_point(|&hidden| hidden < rank);
        self.base.count_below(rank) - narrow(hidden)
    }

    /// So many of the base's hits stand before one that has `shown` before it which are seen.
    fn with_hidden(&self, shown: u32) -> u32 {
        let is_before = |place: usize| {
            let rank = self.hidden.get(place).copied().unwrap_or(u32::MAX);
            self.base.count_below(rank) - narrow(place) <= shown
        };
        shown.saturating_add(narrow(partition_point(0..self.hidden.len(), is_before)))
    }
}
