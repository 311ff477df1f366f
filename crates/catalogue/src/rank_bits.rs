//! A bit for each rank, and how many ones stand before each stretch of them.

/// Ones are counted up to every so many words: 64 bytes, which the processor reads at once.
const BLOCK_WORDS: usize = 8;

/// A set of ranks as bits.
#[derive(Debug, Clone)]
pub(crate) struct RankBits {
    words: Vec<u64>,
    /// For each block the ones before it, and at the end all of them.
    ones_before: Vec<u32>,
}

impl RankBits {
    /// Words for ranks below a bound, all zero.
    pub(crate) fn clear_words(bound: u32) -> Vec<u64> {
        vec![0; (bound as usize).div_ceil(64)]
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
    pub(crate) fn new(words: Vec<u64>) -> Self {
        let mut ones = 0;
        let mut ones_before = Vec::with_capacity(words.len().div_ceil(BLOCK_WORDS) + 1);
        for block in words.chunks(BLOCK_WORDS) {
            ones_before.push(ones);
            ones += block.iter().map(|word| word.count_ones()).sum::<u32>();
        }
        ones_before.push(ones);
        Self { words, ones_before }
    }

    /// What all of these hold, which are of one bound.
    pub(crate) fn intersection(all: &[&Self]) -> Self {
        let Some((first, others)) = all.split_first() else { return Self::new(Vec::new()) };
        let mut words = first.words.clone();
        for other in others {
            words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
        }
        Self::new(words)
    }

    /// Sets the same bits in words of the same bound.
    pub(crate) fn insert_into(&self, words: &mut [u64]) {
        words.iter_mut().zip(&self.words).for_each(|(word, own)| *word |= own);
    }

    pub(crate) fn len(&self) -> u32 {
        self.ones_before.last().copied().unwrap_or_default()
    }

    pub(crate) fn contains(&self, rank: u32) -> bool {
        self.words.get(rank as usize / 64).is_some_and(|word| word >> (rank % 64) & 1 == 1)
    }

    pub(crate) fn count_below(&self, rank: u32) -> u32 {
        let word = rank as usize / 64;
        let Some(&last) = self.words.get(word) else { return self.len() };
        let block = word / BLOCK_WORDS;
        let whole = self.words.get(block * BLOCK_WORDS..word).unwrap_or_default();
        let before = self.ones_before.get(block).copied().unwrap_or_default();
        let below = last & ((1 << (rank % 64)) - 1);
        before + whole.iter().map(|word| word.count_ones()).sum::<u32>() + below.count_ones()
    }

    /// The members from the one on that has `first` others before it, at most `take`.
    pub(crate) fn members(&self, first: u32, take: usize) -> Vec<u32> {
        let mut members = Vec::with_capacity(take.min(self.len() as usize));
        let block = self.ones_before.partition_point(|&ones| ones <= first).saturating_sub(1);
        let mut skip = first.saturating_sub(self.ones_before.get(block).copied().unwrap_or_default());
        for (place, &word) in self.words.iter().enumerate().skip(block * BLOCK_WORDS) {
            let ones = word.count_ones();
            if skip >= ones {
                skip -= ones;
                continue;
            }
            let mut word = word;
            for _ in 0..std::mem::take(&mut skip) {
                word &= word - 1;
            }
            let base = u32::try_from(place * 64).unwrap_or(u32::MAX);
            while word != 0 {
                if members.len() == take {
                    return members;
                }
                members.push(base + word.trailing_zeros());
                word &= word - 1;
            }
        }
        members
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>() + self.ones_before.capacity() * size_of::<u32>()
    }
}
