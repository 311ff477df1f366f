//! A set of ranks that counts and picks its members by place.

use std::ops::Range;

use crate::rank_bits::{CountedBits, RankBits};
use crate::title_index::NumberSet;

/// A set with more than one rank in so many is a bit for each rank, any other a list. So no set takes
/// more than as many bits for each of its members.
const DENSE_SHARE: usize = 32;

/// A union of at most so many members is sorted; clearing and counting bits costs more.
const MAX_SORTED: usize = 2_048;

/// Ranks below a bound that all sets of an order share.
#[derive(Debug, Clone)]
pub(crate) enum RankSet {
    /// Ascending, each once.
    Sparse(Vec<u32>),
    Dense(RankBits),
}

impl RankSet {
    /// Without members.
    pub(crate) const NONE: Self = Self::Sparse(Vec::new());

    /// Takes ascending ranks, each once.
    pub(crate) fn from_sorted(mut ranks: Vec<u32>, bound: u32) -> Self {
        if ranks.len() * DENSE_SHARE > bound as usize {
            let mut words = RankBits::clear_words(bound);
            RankBits::insert_all(&mut words, &ranks);
            return Self::Dense(RankBits::new(words));
        }
        ranks.shrink_to_fit();
        Self::Sparse(ranks)
    }

    /// Takes ranks in any order, each once.
    pub(crate) fn from_unsorted(mut ranks: Vec<u32>, bound: u32) -> Self {
        if ranks.len() * DENSE_SHARE <= bound as usize {
            // Where they are many, they become bits, and these need no order.
            ranks.sort_unstable();
        }
        Self::from_sorted(ranks, bound)
    }

    /// Takes the ranks of what a search found.
    pub(crate) fn from_found(ranks: NumberSet) -> Self {
        match ranks {
            NumberSet::List(ranks) => Self::Sparse(ranks),
            NumberSet::Bits(bits) => Self::Dense(RankBits::new(bits.into_blocks())),
        }
    }

    pub(crate) fn len(&self) -> u32 {
        match self {
            Self::Sparse(ranks) => place(ranks.len()),
            Self::Dense(bits) => bits.len(),
        }
    }

    pub(crate) fn contains(&self, rank: u32) -> bool {
        match self {
            Self::Sparse(ranks) => ranks.binary_search(&rank).is_ok(),
            Self::Dense(bits) => bits.contains(rank),
        }
    }

    /// How many members are below a rank.
    pub(crate) fn count_below(&self, rank: u32) -> u32 {
        match self {
            Self::Sparse(ranks) => place(ranks.partition_point(|&member| member < rank)),
            Self::Dense(bits) => bits.count_below(rank),
        }
    }

    /// How many members are in a range.
    pub(crate) fn count(&self, range: &Range<u32>) -> u32 {
        self.count_below(range.end).saturating_sub(self.count_below(range.start))
    }

    /// The members in a range, ascending, without the first `skip` and at most `take`.
    pub(crate) fn members(&self, range: &Range<u32>, skip: u32, take: usize) -> Vec<u32> {
        match self {
            Self::Sparse(ranks) => {
                let first = self.count_below(range.start).saturating_add(skip) as usize;
                let inside = ranks.get(first..self.count_below(range.end) as usize).unwrap_or_default();
                inside.iter().copied().take(take).collect()
            }
            Self::Dense(bits) => bits.members(range, skip, take),
        }
    }

    /// Gives the members, ascending, from the one on that has `first` others before it, until it is enough.
    pub(crate) fn visit(&self, first: u32, mut is_enough: impl FnMut(u32) -> bool) {
        match self {
            Self::Sparse(ranks) => {
                let ranks = ranks.get(first as usize..).unwrap_or_default();
                let _ = ranks.iter().any(|&rank| is_enough(rank));
            }
            Self::Dense(bits) => bits.visit(first, is_enough),
        }
    }

    /// What any of these sets holds.
    pub(crate) fn union(sets: &[&Self], bound: u32) -> Self {
        let count: usize = sets.iter().map(|set| set.len() as usize).sum();
        if count > MAX_SORTED {
            return Self::Dense(union_of_bits(sets, bound));
        }
        let mut ranks: Vec<u32> =
            sets.iter().flat_map(|set| set.members(&(0..bound), 0, usize::MAX)).collect();
        ranks.sort_unstable();
        ranks.dedup();
        Self::Sparse(ranks)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + match self {
                Self::Sparse(ranks) => ranks.capacity() * size_of::<u32>(),
                Self::Dense(bits) => bits.memory_bytes(),
            }
    }
}

fn union_of_bits(sets: &[&RankSet], bound: u32) -> RankBits {
    let mut words = RankBits::clear_words(bound);
    for set in sets {
        match set {
            RankSet::Sparse(ranks) => RankBits::insert_all(&mut words, ranks),
            RankSet::Dense(bits) => bits.insert_into(&mut words),
        }
    }
    RankBits::new(words)
}

/// Places among ranks are 32 bits wide, as ranks are.
fn place(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;
    use crate::common::{Asked, CommonBits, common_ranks};

    const BOUND: u32 = 3_000;

    fn ranks() -> impl Strategy<Value = BTreeSet<u32>> {
        prop_oneof![btree_set(0..BOUND, 0..80), btree_set(0..BOUND, 200..1_500), Just((100..BOUND).collect())]
    }

    fn set(ranks: &BTreeSet<u32>) -> RankSet {
        RankSet::from_sorted(ranks.iter().copied().collect(), BOUND)
    }

    fn all(set: &RankSet) -> BTreeSet<u32> {
        set.members(&(0..BOUND), 0, usize::MAX).into_iter().collect()
    }

    proptest! {
        #[test]
        fn it_counts_and_picks_as_a_sorted_list_does(
            ranks in ranks(),
            cut in (0..BOUND, 0..=BOUND),
            (skip, take) in (0_u32..200, 0_usize..300),
        ) {
            let set = set(&ranks);
            let range = cut.0.min(cut.1)..cut.0.max(cut.1);
            let inside: Vec<u32> = ranks.range(range.clone()).copied().collect();
            prop_assert_eq!(set.len() as usize, ranks.len());
            prop_assert_eq!(set.count(&range) as usize, inside.len());
            prop_assert_eq!(set.contains(cut.0), ranks.contains(&cut.0));
            let page: Vec<u32> = inside.into_iter().skip(skip as usize).take(take).collect();
            prop_assert_eq!(set.members(&range, skip, take), page);
            let reversed = RankSet::from_unsorted(ranks.iter().rev().copied().collect(), BOUND);
            prop_assert_eq!(all(&reversed), ranks);
        }

        #[test]
        fn sets_meet_and_join_as_sets_do(
            several in vec(ranks(), 1..5),
            cut in (0..BOUND, 0..=BOUND),
            (skip, take) in (0_u32..200, 0_usize..300),
        ) {
            let sets: Vec<RankSet> = several.iter().map(set).collect();
            let range = cut.0.min(cut.1)..cut.0.max(cut.1);
            let common = several.iter().cloned().reduce(|one, other| &one & &other).unwrap();
            let common: Vec<u32> = common.range(range.clone()).copied().collect();
            let asked: Vec<Asked<'_>> = sets.iter().map(Asked::Kept).collect();
            prop_assert_eq!(&common_ranks(&asked, &range), &common);
            if let Ok(bits) = CommonBits::new(asked, &range) {
                prop_assert_eq!(bits.count(&range) as usize, common.len());
                let middle = range.start.midpoint(range.end);
                let below = common.partition_point(|&rank| rank < middle);
                prop_assert_eq!(bits.count(&(range.start..middle)) as usize, below);
                prop_assert_eq!(bits.contains(middle), several.iter().all(|set| set.contains(&middle)));
                let page: Vec<u32> = common.into_iter().skip(skip as usize).take(take).collect();
                prop_assert_eq!(bits.members(&range, skip, take), page);
            }
            let any: BTreeSet<u32> = several.into_iter().flatten().collect();
            let joined = RankSet::union(&sets.iter().collect::<Vec<_>>(), BOUND);
            prop_assert_eq!(joined.len() as usize, any.len());
            prop_assert_eq!(all(&joined), any);
        }

        #[test]
        fn a_walk_begins_anywhere(ranks in ranks(), first in 0_u32..1_600, count in 1_usize..40) {
            let mut met = Vec::new();
            set(&ranks).visit(first, |rank| {
                met.push(rank);
                met.len() == count
            });
            let page: Vec<u32> = ranks.into_iter().skip(first as usize).take(count).collect();
            prop_assert_eq!(met, page);
        }
    }

    #[test]
    fn no_sets_join_to_nothing() {
        assert_eq!(RankSet::union(&[], BOUND).len(), 0);
    }

    #[test]
    fn a_set_that_was_made_meets_others() {
        let (even, few) = (set(&(0..BOUND).step_by(2).collect()), set(&[3, 4, 5, 8, 2_999].into()));
        let sets = [Asked::Made(Arc::new(even)), Asked::Kept(&few), Asked::Kept(&few)];
        assert_eq!(common_ranks(&sets, &(4..BOUND)), [4, 8]);
    }
}
