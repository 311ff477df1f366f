//! For one order, the ranks of the products that each filter leaves.

use std::borrow::Cow;

use pointbook_domain::CategoryId;
use roaring::{MultiOps, RoaringBitmap};

use crate::categories::Categories;
use crate::memberships::{FIRST_CATEGORY, LOW_STOCK, Memberships, ON_SALE, POPULAR};
use crate::query::ProductFilter;
use crate::ranking::Ranking;

/// Sets of ranks, numbered as in [`Memberships`]. A category's set includes its descendants'.
#[derive(Debug)]
pub(crate) struct FilterSets {
    sets: Vec<RoaringBitmap>,
}

impl FilterSets {
    pub(crate) fn new(ranking: &Ranking, memberships: &Memberships) -> Self {
        let mut sets = vec![RoaringBitmap::new(); memberships.set_count()];
        for (rank, &number) in (0..).zip(ranking.numbers()) {
            for &set in memberships.sets_of(number) {
                if let Some(set) = sets.get_mut(set) {
                    // Ranks ascend, so a push is never refused.
                    let _pushed = set.try_push(rank);
                }
            }
        }
        Self { sets }
    }

    /// What the flags and categories of a filter leave together; none when they restrict nothing.
    pub(crate) fn matching(
        &self,
        filter: &ProductFilter,
        categories: &Categories,
    ) -> Option<Cow<'_, RoaringBitmap>> {
        let flags = [(filter.low_stock, LOW_STOCK), (filter.on_sale, ON_SALE), (filter.popular, POPULAR)];
        let asked = flags.into_iter().filter(|(is_asked, _)| *is_asked);
        let mut sets: Vec<_> = asked.filter_map(|(_, set)| self.sets.get(set)).map(Cow::Borrowed).collect();
        if let Some(ids) = &filter.categories {
            sets.push(self.in_any(ids, categories));
        }
        // Small sets first: each step then costs what is left.
        sets.sort_by_key(|set| set.len());
        sets.into_iter().reduce(|left, next| Cow::Owned(&*left & &*next))
    }

    fn in_any(&self, ids: &[CategoryId], categories: &Categories) -> Cow<'_, RoaringBitmap> {
        let set_of = |id| self.sets.get(FIRST_CATEGORY + categories.index_of(id)?);
        let known: Vec<&RoaringBitmap> = ids.iter().filter_map(set_of).collect();
        match known.as_slice() {
            [only] => Cow::Borrowed(only),
            _ => Cow::Owned(known.union()),
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.sets.iter().map(set_bytes).sum()
    }
}

fn set_bytes(set: &RoaringBitmap) -> usize {
    /// What a container costs besides its values.
    const CONTAINER_BYTES: usize = 40;
    let containers = set.statistics();
    let values = containers.n_bytes_array_containers
        + containers.n_bytes_run_containers
        + containers.n_bytes_bitset_containers;
    size_of::<RoaringBitmap>()
        + CONTAINER_BYTES * containers.n_containers as usize
        + usize::try_from(values).unwrap_or(usize::MAX)
}
