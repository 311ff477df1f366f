//! What several sets of one order hold in common.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::gallop;
use crate::rank_bits::{Block, CountedBits, RankBits, blocks_of, count_ones, each_rank};
use crate::rank_set::RankSet;

/// Room for as many ranks as several sets often have in common.
const USUAL_COUNT: usize = 64;

/// A set that its order keeps, or one that was made for a query.
#[derive(Debug, Clone)]
pub(crate) enum Asked<'s> {
    Kept(&'s RankSet),
    Made(Arc<RankSet>),
}

impl Deref for Asked<'_> {
    type Target = RankSet;

    fn deref(&self) -> &RankSet {
        match self {
            Self::Kept(set) => set,
            Self::Made(set) => set,
        }
    }
}

impl Asked<'_> {
    fn list(&self) -> Option<&[u32]> {
        match &**self {
            RankSet::Sparse(ranks) => Some(ranks),
            RankSet::Dense(_) => None,
        }
    }

    fn bits(&self) -> Option<&RankBits> {
        match &**self {
            RankSet::Sparse(_) => None,
            RankSet::Dense(bits) => Some(bits),
        }
    }
}

/// The ranks in a range that all of these sets hold, ascending.
pub(crate) fn common_ranks(sets: &[Asked<'_>], range: &Range<u32>) -> Vec<u32> {
    let lists = || sets.iter().filter_map(Asked::list);
    let Some(shortest) = lists().min_by_key(|list| list.len()) else {
        return ranks_in_all_bits(sets, range);
    };
    let place = |rank| shortest.partition_point(|&member| member < rank);
    let inside = shortest.get(place(range.start)..place(range.end)).unwrap_or_default();
    let is_in_bits = |rank: &u32| sets.iter().filter_map(Asked::bits).all(|bits| bits.contains(*rank));
    let mut left = Vec::with_capacity(USUAL_COUNT.min(inside.len()));
    left.extend(inside.iter().copied().filter(is_in_bits));
    for list in lists().filter(|list| !std::ptr::eq(*list, shortest)) {
        retain_common(&mut left, list);
    }
    left
}

fn ranks_in_all_bits(sets: &[Asked<'_>], range: &Range<u32>) -> Vec<u32> {
    let mut ranks = Vec::with_capacity(USUAL_COUNT);
    for place in blocks_of(range) {
        let Some(block) = common_block(sets, place) else { break };
        each_rank(&block, place, |rank| {
            if range.contains(&rank) {
                ranks.push(rank);
            }
        });
    }
    ranks
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

/// A block of what all of these hold, which are bits; none beyond the last.
fn common_block(sets: &[Asked<'_>], place: usize) -> Option<Block> {
    let mut all = sets.iter().filter_map(Asked::bits);
    let mut block = all.next()?.block(place)?;
    all.for_each(|bits| bits.keep_in(&mut block, place));
    Some(block)
}

/// What sets of bits hold in common within a range: counted, but not written down.
#[derive(Debug)]
pub(crate) struct CommonBits<'s> {
    sets: Vec<Asked<'s>>,
    /// Of the blocks of the range; those before it have none.
    ones_before: Vec<u32>,
}

impl<'s> CommonBits<'s> {
    /// Gives the sets back where one of them is a list.
    pub(crate) fn new(sets: Vec<Asked<'s>>, range: &Range<u32>) -> Result<Self, Vec<Asked<'s>>> {
        if sets.iter().any(|set| set.bits().is_none()) {
            return Err(sets);
        }
        let blocks = blocks_of(range);
        let mut ones_before = Vec::with_capacity(blocks.end + 1);
        ones_before.resize(blocks.start, 0);
        let mut ones = 0;
        for block in blocks.map_while(|place| common_block(&sets, place)) {
            ones_before.push(ones);
            ones += count_ones(&block);
        }
        ones_before.push(ones);
        Ok(Self { sets, ones_before })
    }

    pub(crate) fn contains(&self, rank: u32) -> bool {
        self.sets.iter().all(|set| set.contains(rank))
    }
}

impl CountedBits for CommonBits<'_> {
    fn block(&self, place: usize) -> Option<Block> {
        common_block(&self.sets, place)
    }

    fn ones_before(&self) -> &[u32] {
        &self.ones_before
    }
}
