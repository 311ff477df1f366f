//! What a query leaves of an order, and a page of it by the cheapest road.

use std::borrow::Cow;
use std::ops::Range;

use roaring::RoaringBitmap;

use crate::lists::Lists;
use crate::order::{Order, Window};
use crate::title_search::TitleSearch;

/// Going through the window and asking each product is this much cheaper than jumping to products.
const JUMP_COST: u64 = 16;

/// Reading all titles in a row is this much cheaper, for each title, than jumping to it.
const TITLE_JUMP_COST: u64 = 8;

/// A filter, in terms of one order.
#[derive(Debug)]
pub(crate) struct Selection<'s> {
    pub(crate) order: &'s Order,
    /// Where prices and publication times lie.
    pub(crate) window: Window,
    /// What flags and categories leave; none when they restrict nothing.
    pub(crate) set: Option<Cow<'s, RoaringBitmap>>,
    /// What the title must hold.
    pub(crate) search: Option<TitleSearch>,
}

/// The part of a list that is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slice {
    pub(crate) skip: u32,
    pub(crate) take: usize,
}

/// How many products there are, and the ranks of those in the slice.
#[derive(Debug)]
pub(crate) struct Hits {
    pub(crate) total: u64,
    pub(crate) ranks: Vec<u32>,
}

impl Selection<'_> {
    /// Answers; `titles` are the folded titles by product number.
    pub(crate) fn hits(&self, titles: &Lists<u8>, slice: Slice) -> Hits {
        match (&self.search, &self.set) {
            (Some(search), _) => self.hits_of_search(search, titles, slice),
            (None, None) => self.hits_of_window(slice),
            (None, Some(set)) if self.order.is_uncrossed(&self.window) => self.hits_of_set(set, slice),
            (None, Some(_)) => Hits::from_sorted(&self.candidates(), slice),
        }
    }

    /// Prices and times alone: nothing is looked at but the page.
    fn hits_of_window(&self, slice: Slice) -> Hits {
        Hits {
            total: u64::from(self.order.count(&self.window)),
            ranks: self.order.ranks(&self.window, slice.skip, slice.take),
        }
    }

    /// One set and a stretch of the order: the set counts by itself.
    fn hits_of_set(&self, set: &RoaringBitmap, slice: Slice) -> Hits {
        let own = self.window.own.clone();
        let before = set.range_cardinality(..own.start);
        let total = set.range_cardinality(own.clone());
        let first = before + u64::from(slice.skip);
        let first = u32::try_from(first).ok().and_then(|first| set.select(first));
        let ranks = match first.filter(|first| own.contains(first)) {
            Some(first) => set.range(first..own.end).take(slice.take).collect(),
            None => Vec::new(),
        };
        Hits { total, ranks }
    }

    fn hits_of_search(&self, search: &TitleSearch, titles: &Lists<u8>, slice: Slice) -> Hits {
        let ranking = self.order.ranking();
        if self.candidate_bound() * TITLE_JUMP_COST < titles.len() as u64 {
            let mut ranks = self.candidates();
            ranks.retain(|&rank| {
                let number = ranking.number_at(rank);
                number.is_some_and(|number| search.matches(titles.get(number as usize)))
            });
            return Hits::from_sorted(&ranks, slice);
        }
        let ranks = search.scan(titles).into_iter().filter_map(|number| ranking.rank_of(number));
        Hits::from_unsorted(ranks.filter(|&rank| self.is_candidate(rank)).collect(), slice)
    }

    fn is_candidate(&self, rank: u32) -> bool {
        self.order.is_in(&self.window, rank) && self.set.as_ref().is_none_or(|set| set.contains(rank))
    }

    /// No fewer than all other filters but the title leave.
    fn candidate_bound(&self) -> u64 {
        let in_window = u64::from(self.order.count(&self.window));
        self.set.as_ref().map_or(in_window, |set| in_window.min(set.len()))
    }

    /// The ranks that all other filters but the title leave, ascending.
    fn candidates(&self) -> Vec<u32> {
        let Self { order, window, set, .. } = self;
        let in_window = order.count(window);
        let in_own = set
            .as_ref()
            .map_or_else(|| window.own.len() as u64, |set| set.range_cardinality(window.own.clone()));
        if order.is_uncrossed(window) || u64::from(in_window) * JUMP_COST > in_own {
            let own = window.own.clone();
            let ranks = set.as_ref().map_or_else(|| own.clone().collect(), |set| members(set, own.clone()));
            return order.across(window, ranks);
        }
        let mut ranks = order.ranks(window, 0, in_window as usize);
        ranks.retain(|&rank| set.as_ref().is_none_or(|set| set.contains(rank)));
        ranks
    }
}

/// What a set holds within a range, read in one go.
fn members(set: &RoaringBitmap, range: Range<u32>) -> Vec<u32> {
    let count = usize::try_from(set.range_cardinality(range.clone())).unwrap_or_default();
    let mut members = vec![0; count];
    let read = set.range(range).next_many(&mut members).len();
    members.truncate(read);
    members
}

impl Hits {
    fn from_sorted(ranks: &[u32], slice: Slice) -> Self {
        let page = ranks.iter().copied().skip(slice.skip as usize).take(slice.take);
        Self { total: ranks.len() as u64, ranks: page.collect() }
    }

    /// Sorts no more than the slice.
    fn from_unsorted(mut ranks: Vec<u32>, slice: Slice) -> Self {
        let total = ranks.len() as u64;
        let skip = slice.skip as usize;
        if skip >= ranks.len() {
            return Self { total, ranks: Vec::new() };
        }
        ranks.select_nth_unstable(skip);
        let mut page = ranks.split_off(skip);
        if slice.take < page.len() {
            page.select_nth_unstable(slice.take);
            page.truncate(slice.take);
        }
        page.sort_unstable();
        Self { total, ranks: page }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_of_unsorted_ranks_is_the_slice_of_sorted_ones() {
        let ranks: Vec<u32> = (0..50).map(|place| place * 37 % 50).collect();
        let sorted: Vec<u32> = (0..50).collect();
        for (skip, take) in [(0, 0), (0, 7), (13, 15), (45, 15), (49, 1), (50, 3), (0, 50), (90, 9)] {
            let slice = Slice { skip, take };
            let hits = Hits::from_unsorted(ranks.clone(), slice);
            assert_eq!(hits.ranks, Hits::from_sorted(&sorted, slice).ranks, "{slice:?}");
            assert_eq!(hits.total, 50);
        }
    }
}
