//! A wavelet matrix: counting and picking the smallest values within any stretch of a sequence.
//!
//! The bits of all values, most significant first, one level for each bit. On every level the
//! values whose bit is 0 move to the front and the others behind them, both keeping their order;
//! so a stretch of the sequence stays a stretch on every level, and its next place follows from
//! counting ones. After the last level equal values stand together. 16 bytes for 64 bits: about
//! 5 MB for a million values of 20 bits.

use std::ops::Range;

use crate::index::numbers::{length, narrow};

/// A sequence of numbers that is asked for its smallest values between two positions.
#[derive(Debug, Default)]
pub(crate) struct WaveletMatrix {
    levels: Vec<Level>,
}

impl WaveletMatrix {
    pub(crate) fn new(mut values: Vec<u32>) -> Self {
        let bit_count = u32::BITS - values.iter().max().map_or(u32::BITS, |max| max.leading_zeros());
        let mut scratch = vec![0; values.len()];
        let levels = (0..bit_count)
            .rev()
            .map(|bit| {
                let level = Level::new(&values, bit);
                level.partition(&values, bit, &mut scratch);
                std::mem::swap(&mut values, &mut scratch);
                level
            })
            .collect();
        Self { levels }
    }

    /// How many values between these positions are below `bound`.
    pub(crate) fn count_below(&self, positions: Range<u32>, bound: u32) -> u32 {
        let bit_count = narrow(self.levels.len());
        if bound == 0 {
            return 0;
        }
        if bound.checked_shr(bit_count).unwrap_or_default() > 0 {
            return length(&positions);
        }
        let mut stretch = positions;
        let mut count = 0;
        for (level, bit) in self.levels.iter().zip((0..bit_count).rev()) {
            let (zeros, ones) = level.split(stretch);
            if bound >> bit & 1 == 1 {
                count += length(&zeros);
                stretch = ones;
            } else {
                stretch = zeros;
            }
        }
        count
    }

    /// The value between these positions that has so many before it in ascending order.
    pub(crate) fn nth(&self, positions: Range<u32>, place: u32) -> Option<u32> {
        if place >= length(&positions) {
            return None;
        }
        let (mut stretch, mut place, mut value) = (positions, place, 0);
        for level in &self.levels {
            let (zeros, ones) = level.split(stretch);
            let is_one = place >= length(&zeros);
            if is_one {
                place -= length(&zeros);
                stretch = ones;
            } else {
                stretch = zeros;
            }
            value = value << 1 | u32::from(is_one);
        }
        Some(value)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.levels.iter().map(|level| level.blocks.capacity() * size_of::<Block>()).sum()
    }
}

/// One bit of every value.
#[derive(Debug)]
struct Level {
    blocks: Vec<Block>,
    zero_count: u32,
    one_count: u32,
}

/// 64 bits, and how many ones stand before them on the level; side by side for the processor cache.
#[derive(Debug, Default)]
struct Block {
    bits: u64,
    ones_before: u32,
}

impl Level {
    fn new(values: &[u32], bit: u32) -> Self {
        let mut one_count = 0;
        let blocks = values.chunks(64).map(|chunk| {
            let ones_before = one_count;
            let set = |bits, (place, &value): (usize, &u32)| bits | u64::from(value >> bit & 1) << place;
            let bits = chunk.iter().enumerate().fold(0, set);
            one_count += bits.count_ones();
            Block { bits, ones_before }
        });
        let blocks = blocks.collect();
        let zero_count = narrow(values.len()) - one_count;
        Self { blocks, zero_count, one_count }
    }

    /// Moves the values to their places on the next level. Without a branch on the bit, which no
    /// processor can guess.
    fn partition(&self, values: &[u32], bit: u32, next_level: &mut [u32]) {
        let mut next = [0, self.zero_count as usize];
        for &value in values {
            let side = (value >> bit & 1) as usize;
            if let Some(place) = next_level.get_mut(next[side]) {
                *place = value;
            }
            next[side] += 1;
        }
    }

    /// Where the zeros and the ones of a stretch stand on the next level.
    fn split(&self, stretch: Range<u32>) -> (Range<u32>, Range<u32>) {
        let (from, to) = (self.ones_before(stretch.start), self.ones_before(stretch.end));
        (stretch.start - from..stretch.end - to, self.zero_count + from..self.zero_count + to)
    }

    fn ones_before(&self, position: u32) -> u32 {
        self.blocks.get(position as usize / 64).map_or(self.one_count, |block| {
            let before = (1_u64 << (position % 64)) - 1;
            block.ones_before + (block.bits & before).count_ones()
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_answers_as_sorting_would(
            values in vec(prop_oneof![0_u32..9, 0_u32..300, any::<u32>()], 0..300),
            cut in (0_u32..300, 0_u32..300),
            bound in prop_oneof![0_u32..9, any::<u32>()],
            place in 0_u32..300,
        ) {
            let last = u32::try_from(values.len()).unwrap();
            let (start, end) = (cut.0.min(cut.1).min(last), cut.0.max(cut.1).min(last));
            let matrix = WaveletMatrix::new(values.clone());
            let mut sorted = values[start as usize..end as usize].to_vec();
            sorted.sort_unstable();
            let below = sorted.iter().filter(|&&value| value < bound).count();
            prop_assert_eq!(matrix.count_below(start..end, bound) as usize, below);
            prop_assert_eq!(matrix.nth(start..end, place), sorted.get(place as usize).copied());
        }
    }

    #[test]
    fn an_empty_sequence_has_no_values() {
        let matrix = WaveletMatrix::new(vec![]);
        assert_eq!(matrix.count_below(0..0, 7), 0);
        assert_eq!(matrix.nth(0..0, 0), None);
    }
}
