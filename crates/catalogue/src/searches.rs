//! What title searches found in one segment, kept for their next pages.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::query::ProductSort;
use crate::rank_set::RankSet;
use crate::title_search::TitleSearch;

/// How much may be kept: some thirty searches that found much among a million products.
const MAX_BYTES: usize = 4 << 20;

/// How many may be kept, however little they found: each request looks through all of them.
const MAX_COUNT: usize = 64;

/// The last searches, in each order, with the ranks that they found.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    /// Least recently used first.
    kept: Mutex<VecDeque<Kept>>,
}

#[derive(Debug)]
struct Kept {
    sort: ProductSort,
    search: TitleSearch,
    found: Arc<RankSet>,
}

impl Kept {
    fn is_of(&self, sort: ProductSort, search: &TitleSearch) -> bool {
        self.sort == sort && self.search.is_same(search)
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.search.memory_bytes() + self.found.memory_bytes()
    }
}

impl Searches {
    /// What this search found the last time.
    pub(crate) fn get(&self, sort: ProductSort, search: &TitleSearch) -> Option<Arc<RankSet>> {
        let mut kept = self.lock();
        let place = kept.iter().rposition(|kept| kept.is_of(sort, search))?;
        let found = kept.remove(place)?;
        let ranks = Arc::clone(&found.found);
        kept.push_back(found);
        Some(ranks)
    }

    /// Keeps what a search found, unless it is too much to be kept.
    pub(crate) fn keep(&self, sort: ProductSort, search: &TitleSearch, found: &Arc<RankSet>) {
        let new = Kept { sort, search: search.clone(), found: Arc::clone(found) };
        if new.bytes() > MAX_BYTES / 4 {
            return;
        }
        let mut kept = self.lock();
        kept.retain(|kept| !kept.is_of(sort, search));
        kept.push_back(new);
        while kept.len() > MAX_COUNT || kept.iter().map(Kept::bytes).sum::<usize>() > MAX_BYTES {
            kept.pop_front();
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.lock().iter().map(Kept::bytes).sum()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        // Nobody who holds it can end in the middle.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(part: &str) -> TitleSearch {
        TitleSearch::new(&[part.to_owned()]).unwrap()
    }

    fn found(ranks: u32) -> Arc<RankSet> {
        Arc::new(RankSet::from_sorted((0..ranks).collect(), u32::MAX))
    }

    #[test]
    fn a_search_is_found_again_in_its_own_order_only() {
        let searches = Searches::default();
        searches.keep(ProductSort::Newest, &search("tea"), &found(3));
        let length = |sort, part: &str| searches.get(sort, &search(part)).map(|ranks| ranks.len());
        assert_eq!(length(ProductSort::Newest, "TEA"), Some(3));
        assert_eq!(length(ProductSort::PriceAscending, "tea"), None);
        assert_eq!(length(ProductSort::Newest, "te"), None);
    }

    #[test]
    fn the_least_recently_used_leave_first() {
        let searches = Searches::default();
        let keep = |number: usize, ranks| {
            searches.keep(ProductSort::Newest, &search(&number.to_string()), &found(ranks));
        };
        let is_kept =
            |number: usize| searches.get(ProductSort::Newest, &search(&number.to_string())).is_some();
        (0..MAX_COUNT).for_each(|number| keep(number, 1));
        assert!(is_kept(0));
        keep(MAX_COUNT, 1);
        assert!(is_kept(0) && !is_kept(1) && is_kept(2));
        (0..5).for_each(|number| keep(1_000 + number, 220_000));
        assert!(searches.memory_bytes() <= MAX_BYTES);
        assert!(is_kept(1_004) && !is_kept(1_000) && !is_kept(0));
    }
}
