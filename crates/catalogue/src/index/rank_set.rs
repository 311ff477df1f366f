//! Sets of ranks that count and pick their members by place, and what several of them have in common.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::index::numbers::narrow;
use crate::index::rank_bits::{Block, RankBits, blocks_of, push_block};

/// A set with more than one rank in so many is a bit for each rank, any other a list. So no set takes
/// more than as many bits for each of its members.
const DENSE_SHARE: usize = 32;

/// Up to so many unsorted ranks, and up to one in so many of all ranks, are sorted: more are sooner put into bits.
const FEW: usize = 8;
const RANKS_PER_SORTED: usize = 1_024;

/// Room for as many ranks as several sets often have in common.
const USUAL_COUNT: usize = 64;

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
            return Self::bits_of(&ranks, bound);
        }
        ranks.shrink_to_fit();
        Self::Sparse(ranks)
    }

    /// Takes ranks in any order, also more than once.
    pub(crate) fn from_unsorted(mut ranks: Vec<u32>, bound: u32) -> Self {
        if ranks.len() > FEW.max(bound as usize / RANKS_PER_SORTED) {
            return Self::bits_of(&ranks, bound);
        }
        ranks.sort_unstable();
        ranks.dedup();
        Self::Sparse(ranks)
    }

    fn bits_of(ranks: &[u32], bound: u32) -> Self {
        let mut words = RankBits::clear_words(bound);
        RankBits::insert_all(&mut words, ranks);
        Self::Dense(RankBits::new(words))
    }

    /// What any of these sets holds.
    pub(crate) fn union(sets: &[&Self], bound: u32) -> Self {
        let mut words = RankBits::clear_words(bound);
        for set in sets {
            match set {
                Self::Sparse(ranks) => RankBits::insert_all(&mut words, ranks),
                Self::Dense(bits) => words.iter_mut().zip(bits.words()).for_each(|(word, own)| *word |= own),
            }
        }
        Self::Dense(RankBits::new(words))
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
            Self::Sparse(ranks) => narrow(ranks.partition_point(|&member| member < rank)),
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

    fn list(&self) -> Option<&[u32]> {
        match self {
            Self::Sparse(ranks) => Some(ranks),
            Self::Dense(_) => None,
        }
    }

    fn bits(&self) -> Option<&RankBits> {
        match self {
            Self::Sparse(_) => None,
            Self::Dense(bits) => Some(bits),
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + match self {
                Self::Sparse(ranks) => ranks.capacity() * size_of::<u32>(),
                Self::Dense(bits) => bits.memory_bytes(),
            }
    }
}

/// A set that its order keeps, or one that was made for a query.
#[derive(Debug, Clone)]
pub(crate) enum MaybeKept<'s> {
    Kept(&'s RankSet),
    Made(Arc<RankSet>),
}

impl Deref for MaybeKept<'_> {
    type Target = RankSet;

    fn deref(&self) -> &RankSet {
        match self {
            Self::Kept(set) => set,
            Self::Made(set) => set,
        }
    }
}

/// The ranks in a range that all of these sets hold, ascending.
pub(crate) fn common_ranks(sets: &[MaybeKept<'_>], range: &Range<u32>) -> Vec<u32> {
    let Some(shortest) = sets.iter().filter_map(|set| set.list()).min_by_key(|list| list.len()) else {
        let mut ranks = Vec::with_capacity(USUAL_COUNT);
        for place in blocks_of(range) {
            let Some(block) = common_block(sets, place) else { break };
            push_block(&block, place, range, &mut ranks);
        }
        return ranks;
    };
    let place = |rank| shortest.partition_point(|&member| member < rank);
    let inside = shortest.get(place(range.start)..place(range.end)).unwrap_or_default();
    inside.iter().copied().filter(|rank| sets.iter().all(|set| set.contains(*rank))).collect()
}

/// What all of these sets hold; none where one of them is a list, which is sooner gone through.
pub(crate) fn common_bits(sets: &[MaybeKept<'_>], bound: u32) -> Option<RankSet> {
    let are_bits = sets.iter().all(|set| set.bits().is_some());
    let blocks = blocks_of(&(0..bound)).map_while(|place| common_block(sets, place));
    are_bits.then(|| RankSet::Dense(RankBits::new(blocks.flatten().collect())))
}

/// A block of what all of these sets hold, which are bits; none beyond the last.
fn common_block(sets: &[MaybeKept<'_>], place: usize) -> Option<Block> {
    let mut all = sets.iter().filter_map(|set| set.bits());
    let mut common = *all.next()?.block(place)?;
    for bits in all {
        let own = bits.block(place)?;
        common = std::array::from_fn(|word| common[word] & own[word]);
    }
    Some(common)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

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
            prop_assert_eq!(set.count(&range) as usize, inside.len());
            prop_assert_eq!(set.contains(cut.0), ranks.contains(&cut.0));
            let page: Vec<u32> = inside.into_iter().skip(skip as usize).take(take).collect();
            prop_assert_eq!(set.members(&range, skip, take), page);
            let reversed = RankSet::from_unsorted(ranks.iter().chain(&ranks).rev().copied().collect(), BOUND);
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
            let asked: Vec<MaybeKept<'_>> = sets.iter().map(MaybeKept::Kept).collect();
            prop_assert_eq!(&common_ranks(&asked, &range), &common);
            if let Some(bits) = common_bits(&asked, BOUND) {
                let page: Vec<u32> = common.into_iter().skip(skip as usize).take(take).collect();
                prop_assert_eq!(bits.members(&range, skip, take), page);
            }
            let any: BTreeSet<u32> = several.into_iter().flatten().collect();
            let joined = RankSet::union(&sets.iter().collect::<Vec<_>>(), BOUND);
            prop_assert_eq!(all(&joined), any);
        }
    }

    #[test]
    fn no_sets_join_to_nothing() {
        assert!(all(&RankSet::union(&[], BOUND)).is_empty());
    }

    #[test]
    fn a_set_that_was_made_meets_others() {
        let (even, few) = (set(&(0..BOUND).step_by(2).collect()), set(&[3, 4, 5, 8, 2_999].into()));
        let sets = [MaybeKept::Made(Arc::new(even)), MaybeKept::Kept(&few), MaybeKept::Kept(&few)];
        assert_eq!(common_ranks(&sets, &(4..BOUND)), [4, 8]);
    }
}
