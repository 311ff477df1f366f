//! A bit for each rank, and how many ones stand before each stretch of them.

use std::ops::Range;

use crate::index::numbers::narrow;

/// Ones are counted up to every so many words: 64 bytes, which the processor reads at once.
const BLOCK_WORDS: usize = 8;

/// The bits of neighbouring ranks, the lowest rank in the lowest bit of the first word.
pub(crate) type Block = [u64; BLOCK_WORDS];

const WORD_RANKS: u32 = u64::BITS;
const BLOCK_RANKS: usize = size_of::<Block>() * 8;

/// A set of ranks as bits.
#[derive(Debug, Clone)]
pub(crate) struct RankBits {
    /// Whole blocks.
    words: Vec<u64>,
    /// For each block the ones before it, and at the end all of them.
    ones_before: Vec<u32>,
}

impl RankBits {
    /// Words for ranks below a bound, all zero.
    pub(crate) fn clear_words(bound: u32) -> Vec<u64> {
        vec![0; bound.div_ceil(WORD_RANKS) as usize]
    }

    /// Sets the bits of ranks below the bound.
    pub(crate) fn insert_all(words: &mut [u64], ranks: &[u32]) {
        for &rank in ranks {
            if let Some(word) = words.get_mut((rank / WORD_RANKS) as usize) {
                *word |= 1 << (rank % WORD_RANKS);
            }
        }
    }

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

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// A block of bits; none beyond the last.
    pub(crate) fn block(&self, place: usize) -> Option<&Block> {
        self.words.as_chunks().0.get(place)
    }

    pub(crate) fn len(&self) -> u32 {
        self.ones_before.last().copied().unwrap_or_default()
    }

    pub(crate) fn contains(&self, rank: u32) -> bool {
        let word = self.words.get((rank / WORD_RANKS) as usize);
        word.is_some_and(|word| word >> (rank % WORD_RANKS) & 1 == 1)
    }

    /// How many members are below a rank.
    pub(crate) fn count_below(&self, rank: u32) -> u32 {
        let place = (rank / WORD_RANKS) as usize;
        let Some(word) = self.words.get(place) else { return self.len() };
        let block = place / BLOCK_WORDS;
        let whole = self.words.get(block * BLOCK_WORDS..place).unwrap_or_default();
        let before = word & ((1 << (rank % WORD_RANKS)) - 1);
        self.ones_before[block] + count_ones(whole) + before.count_ones()
    }

    /// The members in a range, ascending, without the first `skip` and at most `take`.
    pub(crate) fn members(&self, range: &Range<u32>, skip: u32, take: usize) -> Vec<u32> {
        let first = self.count_below(range.start).saturating_add(skip);
        let count = take.min(self.count_below(range.end).saturating_sub(first) as usize);
        let mut members = Vec::with_capacity(count);
        if let Some(start) = self.nth(first).filter(|_| count > 0) {
            let word = start / WORD_RANKS;
            let words = self.words.get(word as usize..).unwrap_or_default();
            push_ones(words, word * WORD_RANKS, &(start..range.end), count, &mut members);
        }
        members
    }

    /// The member that has so many others before it.
    fn nth(&self, place: u32) -> Option<u32> {
        let block = self.ones_before.partition_point(|&ones| ones <= place).checked_sub(1)?;
        let mut left = place - self.ones_before[block];
        let first_word = block * BLOCK_WORDS;
        for (place, &word) in (first_word..).zip(self.words.get(first_word..)?) {
            let ones = word.count_ones();
            if left < ones {
                let rest = (0..left).fold(word, |rest, _| rest & (rest - 1));
                return Some(narrow(place) * WORD_RANKS + rest.trailing_zeros());
            }
            left -= ones;
        }
        None
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>() + self.ones_before.capacity() * size_of::<u32>()
    }
}

/// Which blocks hold the bits of a range.
pub(crate) fn blocks_of(ranks: &Range<u32>) -> Range<usize> {
    ranks.start as usize / BLOCK_RANKS..(ranks.end as usize).div_ceil(BLOCK_RANKS)
}

/// Pushes the ranks of a range that a block holds, ascending.
pub(crate) fn push_block(block: &Block, place: usize, range: &Range<u32>, ranks: &mut Vec<u32>) {
    push_ones(block, narrow(place * BLOCK_RANKS), range, usize::MAX, ranks);
}

/// Pushes the ranks of a range whose bits are set, ascending, until there are `max_count`. The words begin with this rank.
fn push_ones(words: &[u64], first_rank: u32, range: &Range<u32>, max_count: usize, ranks: &mut Vec<u32>) {
    for (&word, base) in words.iter().zip((first_rank..).step_by(WORD_RANKS as usize)) {
        let mut left = word;
        while left != 0 {
            let rank = base + left.trailing_zeros();
            if rank >= range.end || ranks.len() >= max_count {
                return;
            }
            if rank >= range.start {
                ranks.push(rank);
            }
            left &= left - 1;
        }
    }
}

fn count_ones(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}
