//! A set of ranks that counts and picks its members by place.

use std::ops::Range;
use std::sync::Arc;

use crate::gallop;
use crate::rank_bits::RankBits;
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
        let first = self.count_below(range.start).saturating_add(skip);
        let end = self.count_below(range.end);
        let take = take.min(end.saturating_sub(first) as usize);
        match self {
            Self::Sparse(ranks) => {
                let first = first as usize;
                ranks.get(first..first.saturating_add(take)).unwrap_or_default().to_vec()
            }
            Self::Dense(bits) => bits.members(first, take),
        }
    }

    /// What all of these sets hold; none when there are no sets.
    pub(crate) fn intersection(mut sets: Vec<Arc<Self>>) -> Option<Arc<Self>> {
        if sets.len() < 2 {
            return sets.pop();
        }
        // The smallest first: each step then costs what is left.
        sets.sort_by_key(|set| set.len());
        let dense = sets.iter().filter_map(|set| match &**set {
            Self::Dense(bits) => Some(bits),
            Self::Sparse(_) => None,
        });
        let dense: Vec<&RankBits> = dense.collect();
        let mut sparse = sets.iter().filter_map(|set| match &**set {
            Self::Sparse(ranks) => Some(ranks),
            Self::Dense(_) => None,
        });
        let Some(smallest) = sparse.next() else {
            return Some(Arc::new(Self::Dense(RankBits::intersection(&dense))));
        };
        let mut left = smallest.clone();
        left.retain(|&rank| dense.iter().all(|bits| bits.contains(rank)));
        sparse.for_each(|ranks| retain_common(&mut left, ranks));
        Some(Arc::new(Self::Sparse(left)))
    }

    /// What any of these sets holds.
    pub(crate) fn union(sets: &[&Arc<Self>], bound: u32) -> Arc<Self> {
        if let [only] = sets {
            return Arc::clone(only);
        }
        let count: usize = sets.iter().map(|set| set.len() as usize).sum();
        if count > MAX_SORTED {
            return Arc::new(Self::Dense(union_of_bits(sets, bound)));
        }
        let mut ranks: Vec<u32> =
            sets.iter().flat_map(|set| set.members(&(0..bound), 0, usize::MAX)).collect();
        ranks.sort_unstable();
        ranks.dedup();
        Arc::new(Self::Sparse(ranks))
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + match self {
                Self::Sparse(ranks) => ranks.capacity() * size_of::<u32>(),
                Self::Dense(bits) => bits.memory_bytes(),
            }
    }
}

fn union_of_bits(sets: &[&Arc<RankSet>], bound: u32) -> RankBits {
    let mut words = RankBits::clear_words(bound);
    for set in sets {
        match &***set {
            RankSet::Sparse(ranks) => RankBits::insert_all(&mut words, ranks),
            RankSet::Dense(bits) => bits.insert_into(&mut words),
        }
    }
    RankBits::new(words)
}

/// Keeps what another ascending list holds too.
fn retain_common(ranks: &mut Vec<u32>, others: &[u32]) {
    let mut next = 0;
    ranks.retain(|rank| {
        next = gallop::partition_point(next..others.len(), |place| {
            others.get(place).is_some_and(|other| other < rank)
        });
        others.get(next) == Some(rank)
    });
}

/// Places among ranks are 32 bits wide, as ranks are.
fn place(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

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
        fn sets_meet_and_join_as_sets_do(several in vec(ranks(), 1..5)) {
            let sets: Vec<Arc<RankSet>> = several.iter().map(set).map(Arc::new).collect();
            let common = several.iter().cloned().reduce(|one, other| &one & &other);
            let met = RankSet::intersection(sets.clone()).unwrap();
            prop_assert_eq!(Some(met.len() as usize), common.as_ref().map(BTreeSet::len));
            prop_assert_eq!(Some(all(&met)), common);
            let any: BTreeSet<u32> = several.into_iter().flatten().collect();
            let joined = RankSet::union(&sets.iter().collect::<Vec<_>>(), BOUND);
            prop_assert_eq!(joined.len() as usize, any.len());
            prop_assert_eq!(all(&joined), any);
        }
    }

    #[test]
    fn no_sets_restrict_nothing_and_join_to_nothing() {
        assert!(RankSet::intersection(vec![]).is_none());
        assert_eq!(RankSet::union(&[], BOUND).len(), 0);
    }
}
