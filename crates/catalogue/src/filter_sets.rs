//! For one order, the ranks of the products that each filter leaves.

use std::sync::Arc;

use pointbook_domain::CategoryId;

use crate::categories::Categories;
use crate::memberships::{FIRST_CATEGORY, LOW_STOCK, Memberships, ON_SALE, POPULAR};
use crate::query::ProductFilter;
use crate::rank_set::RankSet;
use crate::ranking::Ranking;

/// Sets of ranks, numbered as in [`Memberships`]. A category's set includes its descendants'.
#[derive(Debug)]
pub(crate) struct FilterSets {
    sets: Vec<Arc<RankSet>>,
    /// How many ranks the order has.
    bound: u32,
}

impl FilterSets {
    pub(crate) fn new(ranking: &Ranking, memberships: &Memberships) -> Self {
        let mut sets = vec![Vec::new(); memberships.set_count()];
        for (rank, &number) in (0..).zip(ranking.numbers()) {
            for &set in memberships.sets_of(number) {
                if let Some(set) = sets.get_mut(set) {
                    set.push(rank);
                }
            }
        }
        let bound = ranking.len();
        let set = |ranks| Arc::new(RankSet::from_sorted(ranks, bound));
        Self { sets: sets.into_iter().map(set).collect(), bound }
    }

    /// The sets that flags and categories ask for: what all of them hold is left.
    pub(crate) fn asked(&self, filter: &ProductFilter, categories: &Categories) -> Vec<Arc<RankSet>> {
        let mut sets: Vec<_> =
            flags_of(filter).filter_map(|flag| self.sets.get(flag)).map(Arc::clone).collect();
        if let Some(ids) = &filter.categories {
            sets.push(self.in_any(ids, categories));
        }
        sets
    }

    /// The set of a flag, which every order has.
    pub(crate) fn flag(&self, flag: usize) -> &RankSet {
        const NONE: &RankSet = &RankSet::NONE;
        self.sets.get(flag).map_or(NONE, |set| set)
    }

    fn in_any(&self, ids: &[CategoryId], categories: &Categories) -> Arc<RankSet> {
        let set_of = |id| self.sets.get(FIRST_CATEGORY + categories.index_of(id)?);
        let known: Vec<&Arc<RankSet>> = ids.iter().filter_map(set_of).collect();
        RankSet::union(&known, self.bound)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.sets.iter().map(|set| set.memory_bytes()).sum()
    }
}

/// The flags that a filter asks for.
pub(crate) fn flags_of(filter: &ProductFilter) -> impl Iterator<Item = usize> {
    let flags = [(filter.low_stock, LOW_STOCK), (filter.on_sale, ON_SALE), (filter.popular, POPULAR)];
    flags.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, flag)| flag)
}

/// The flag, where a filter asks for one and for no other set.
pub(crate) fn only_flag(filter: &ProductFilter) -> Option<usize> {
    let mut flags = flags_of(filter);
    let first = flags.next().filter(|_| filter.categories.is_none());
    if flags.next().is_some() { None } else { first }
}
