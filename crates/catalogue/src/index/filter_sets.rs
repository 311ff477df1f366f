//! For one order, the ranks of the products that each filter leaves.

use std::sync::Arc;

use pointbook_domain::CategoryId;

use crate::index::categories::Categories;
use crate::index::memberships::{FIRST_CATEGORY, LOW_STOCK, Memberships, ON_SALE, POPULAR};
use crate::index::query::ProductFilter;
use crate::index::rank_set::{MaybeKept, RankSet};
use crate::index::ranking::Ranking;

/// Three flags, categories, and what a search found.
const MOST_ASKED: usize = 5;

const NONE: &RankSet = &RankSet::NONE;

/// Sets of ranks, numbered as in [`Memberships`]. A category's set includes its descendants'.
#[derive(Debug)]
pub(crate) struct FilterSets {
    sets: Vec<RankSet>,
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
        let set = |ranks| RankSet::from_sorted(ranks, bound);
        Self { sets: sets.into_iter().map(set).collect(), bound }
    }

    /// The sets that flags and categories ask for: what all of them hold is left.
    pub(crate) fn asked(&self, filter: &ProductFilter, categories: &Categories) -> Vec<MaybeKept<'_>> {
        let mut sets = Vec::with_capacity(MOST_ASKED);
        sets.extend(flags_of(filter).map(|flag| MaybeKept::Kept(self.flag(flag))));
        sets.extend(filter.categories.as_ref().map(|ids| self.in_any(ids, categories)));
        sets
    }

    /// The set of a flag, which every order has.
    pub(crate) fn flag(&self, flag: usize) -> &RankSet {
        self.sets.get(flag).unwrap_or(NONE)
    }

    fn in_any(&self, ids: &[CategoryId], categories: &Categories) -> MaybeKept<'_> {
        let set_of = |id| self.sets.get(FIRST_CATEGORY + categories.index_of(id)?);
        if let [only] = ids {
            return MaybeKept::Kept(set_of(only).unwrap_or(NONE));
        }
        let known: Vec<&RankSet> = ids.iter().filter_map(set_of).collect();
        MaybeKept::Made(Arc::new(RankSet::union(&known, self.bound)))
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.sets.iter().map(RankSet::memory_bytes).sum()
    }
}

/// Whether a filter asks for flags or categories.
pub(crate) fn asks_for_sets(filter: &ProductFilter) -> bool {
    filter.low_stock || filter.on_sale || filter.popular || filter.categories.is_some()
}

/// The flags that a filter asks for.
fn flags_of(filter: &ProductFilter) -> impl Iterator<Item = usize> {
    let flags = [(filter.low_stock, LOW_STOCK), (filter.on_sale, ON_SALE), (filter.popular, POPULAR)];
    flags.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, flag)| flag)
}
