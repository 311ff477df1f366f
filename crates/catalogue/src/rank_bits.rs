//! A bit for each rank, and how many ones stand before each stretch of them.

use std::ops::Range;

/// Ones are counted up to every so many words: 64 bytes, which the processor reads at once.
const BLOCK_WORDS: usize = 8;

/// The bits of neighbouring ranks, the lowest rank in the lowest bit of the first word.
pub(crate) type Block = [u64; BLOCK_WORDS];

const BLOCK_RANKS: usize = size_of::<Block>() * 8;

/// Bits whose ones are counted.
pub(crate) trait CountedBits {
    /// A block of bits; none beyond the last.
    fn block(&self, place: usize) -> Option<Block>;

    /// For each block the ones before it, and at the end all of them.
    fn ones_before(&self) -> &[u32];

    fn len(&self) -> u32 {
        self.ones_before().last().copied().unwrap_or_default()
    }

    fn count_below(&self, rank: u32) -> u32 {
        let place = rank as usize / BLOCK_RANKS;
        let (Some(block), Some(before)) = (self.block(place), self.ones_before().get(place)) else {
            return self.len();
        };
        let (word, bit) = (rank as usize % BLOCK_RANKS / 64, rank % 64);
        let whole: u32 = block.iter().take(word).map(|word| word.count_ones()).sum();
        before + whole + (block[word] & ((1 << bit) - 1)).count_ones()
    }

    /// Gives the members, ascending, from the one on that has `first` others before it, until it is enough.
    fn visit(&self, first: u32, mut is_enough: impl FnMut(u32) -> bool) {
        let place = self.ones_before().partition_point(|&ones| ones <= first).saturating_sub(1);
        let mut skip = first.saturating_sub(self.ones_before().get(place).copied().unwrap_or_default());
        for place in place.. {
            let Some(block) = self.block(place) else { return };
            for (word, base) in block.into_iter().zip((first_rank(place)..).step_by(64)) {
                let mut left = word;
                if skip > 0 {
                    let ones = word.count_ones();
                    if skip >= ones {
                        skip -= ones;
                        continue;
                    }
                    (0..std::mem::take(&mut skip)).for_each(|_| left &= left - 1);
                }
                while left != 0 {
                    if is_enough(base + left.trailing_zeros()) {
                        return;
                    }
                    left &= left - 1;
                }
            }
        }
    }

    /// How many members are in a range.
    fn count(&self, range: &Range<u32>) -> u32 {
        self.count_below(range.end).saturating_sub(self.count_below(range.start))
    }

    /// The members in a range, ascending, without the first `skip` and at most `take`.
    fn members(&self, range: &Range<u32>, skip: u32, take: usize) -> Vec<u32> {
        let first = self.count_below(range.start).saturating_add(skip);
        let count = take.min(self.count_below(range.end).saturating_sub(first) as usize);
        let mut members = Vec::with_capacity(count);
        if count > 0 {
            self.visit(first, |rank| {
                members.push(rank);
                members.len() == count
            });
        }
        members
    }
}

pub(crate) fn blocks_of(ranks: &Range<u32>) -> Range<usize> {
    ranks.start as usize / BLOCK_RANKS..(ranks.end as usize).div_ceil(BLOCK_RANKS)
}

/// The rank of the first bit of a block.
fn first_rank(place: usize) -> u32 {
    u32::try_from(place * BLOCK_RANKS).unwrap_or(u32::MAX)
}

/// Gives the ranks of a block, ascending.
pub(crate) fn each_rank(block: &Block, place: usize, mut take: impl FnMut(u32)) {
    for (&word, base) in block.iter().zip((first_rank(place)..).step_by(64)) {
        let mut left = word;
        while left != 0 {
            take(base + left.trailing_zeros());
            left &= left - 1;
        }
    }
}

pub(crate) fn count_ones(block: &Block) -> u32 {
    block.iter().map(|word| word.count_ones()).sum()
}

/// A set of ranks as bits.
#[derive(Debug, Clone)]
pub(crate) struct RankBits {
    /// Whole blocks.
    words: Vec<u64>,
    ones_before: Vec<u32>,
}

impl RankBits {
    /// Words for ranks below a bound, all zero.
    pub(crate) fn clear_words(bound: u32) -> Vec<u64> {
        vec![0; (bound as usize).div_ceil(BLOCK_RANKS) * BLOCK_WORDS]
    }

    /// Sets the bits of ranks below the bound.
    pub(crate) fn insert_all(words: &mut [u64], ranks: &[u32]) {
        for &rank in ranks {
            if let Some(word) = words.get_mut(rank as usize / 64) {
                *word |= 1 << (rank % 64);
            }
        }
    }

    /// Takes words as they are.
    pub(crate) fn new(mut words: Vec<u64>) -> Self {
        words.resize(words.len().next_multiple_of(BLOCK_WORDS), 0);
        let (blocks, _) = words.as_chunks::<BLOCK_WORDS>();
        let mut ones = 0;
        let mut ones_before = Vec::with_capacity(blocks.len() + 1);
        for block in blocks {
            ones_before.push(ones);
            ones += count_ones(block);
        }
        ones_before.push(ones);
        Self { words, ones_before }
    }

    /// Sets the same bits in words of the same bound.
    pub(crate) fn insert_into(&self, words: &mut [u64]) {
        words.iter_mut().zip(&self.words).for_each(|(word, own)| *word |= own);
    }

    pub(crate) fn contains(&self, rank: u32) -> bool {
        self.words.get(rank as usize / 64).is_some_and(|word| word >> (rank % 64) & 1 == 1)
    }

    /// Clears the bits of a block that this set lacks.
    pub(crate) fn keep_in(&self, block: &mut Block, place: usize) {
        let own = self.words.as_chunks().0.get(place).unwrap_or(&[0; BLOCK_WORDS]);
        *block = std::array::from_fn(|word| block[word] & own[word]);
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>() + self.ones_before.capacity() * size_of::<u32>()
    }
}

impl CountedBits for RankBits {
    fn block(&self, place: usize) -> Option<Block> {
        self.words.as_chunks().0.get(place).copied()
    }

    fn ones_before(&self) -> &[u32] {
        &self.ones_before
    }
}
