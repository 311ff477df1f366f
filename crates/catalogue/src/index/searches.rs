//! What title searches found in one segment, kept for their next pages.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::index::query::ProductSort;
use crate::index::rank_set::RankSet;
use crate::index::title_search::TitleSearch;

/// How many are kept: each request looks through all of them, and each takes a bit of memory for each product at most.
const MAX_COUNT: usize = 64;

/// The last searches, in each order, with the ranks that they found; the least recently used first.
#[derive(Debug, Default)]
pub(crate) struct Searches(Mutex<VecDeque<Kept>>);

#[derive(Debug)]
struct Kept {
    sort: ProductSort,
    search: TitleSearch,
    found: Arc<RankSet>,
}

impl Searches {
    /// What this search found the last time.
    pub(crate) fn get(&self, sort: ProductSort, search: &TitleSearch) -> Option<Arc<RankSet>> {
        let mut kept = self.lock();
        let place = kept.iter().rposition(|kept| kept.sort == sort && kept.search == *search)?;
        let found = kept.remove(place)?;
        let ranks = Arc::clone(&found.found);
        kept.push_back(found);
        Some(ranks)
    }

    /// Keeps what a search found. Equal searches that were made at the same moment stand twice for a while.
    pub(crate) fn keep(&self, sort: ProductSort, search: &TitleSearch, found: &Arc<RankSet>) {
        let mut kept = self.lock();
        if kept.len() == MAX_COUNT {
            kept.pop_front();
        }
        kept.push_back(Kept { sort, search: search.clone(), found: Arc::clone(found) });
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.lock().iter().map(|kept| size_of::<Kept>() + kept.found.memory_bytes()).sum()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        // No holder of the lock can panic in the middle of a change.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
        let length = |sort, part: &str| searches.get(sort, &search(part)).map(|ranks| ranks.count(&(0..9)));
        assert_eq!(length(ProductSort::Newest, "TEA"), Some(3));
        assert_eq!(length(ProductSort::PriceAscending, "tea"), None);
        assert_eq!(length(ProductSort::Newest, "te"), None);
    }

    #[test]
    fn the_least_recently_used_leave_first() {
        let searches = Searches::default();
        let keep =
            |number: usize| searches.keep(ProductSort::Newest, &search(&number.to_string()), &found(1));
        let is_kept =
            |number: usize| searches.get(ProductSort::Newest, &search(&number.to_string())).is_some();
        (0..MAX_COUNT).for_each(keep);
        assert!(is_kept(0));
        keep(MAX_COUNT);
        assert!(is_kept(0) && !is_kept(1) && is_kept(2));
    }
}
