//! A dense set of numbers: one bit for each number that there may be.

/// Numbers below a bound that is set at the beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bits {
    blocks: Vec<u64>,
}

impl Bits {
    /// The empty set with room for numbers below `bound`.
    pub(super) fn new(bound: usize) -> Self {
        Self { blocks: vec![0; bound.div_ceil(64)] }
    }

    /// Adds a number; one beyond the bound is left out.
    pub(super) fn insert(&mut self, number: u32) {
        if let Some(block) = self.blocks.get_mut(number as usize / 64) {
            *block |= 1 << (number % 64);
        }
    }

    pub(super) fn contains(&self, number: u32) -> bool {
        self.blocks.get(number as usize / 64).is_some_and(|block| block >> (number % 64) & 1 == 1)
    }

    /// Adds all of another set with the same bound.
    pub(super) fn insert_all(&mut self, other: &Self) {
        self.blocks.iter_mut().zip(&other.blocks).for_each(|(block, other)| *block |= other);
    }

    /// Drops what another set lacks.
    pub(super) fn retain_all(&mut self, other: &Self) {
        self.blocks.iter_mut().zip(&other.blocks).for_each(|(block, other)| *block &= other);
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.count_ones() as usize).sum()
    }

    /// Gives all numbers, ascending.
    pub(super) fn for_each(&self, mut take: impl FnMut(u32)) {
        for (first, &block) in (0..).step_by(64).zip(&self.blocks) {
            let mut left = block;
            while left != 0 {
                take(first + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }

    /// The bits, the lowest number in the lowest bit of the first block.
    pub(crate) fn into_blocks(self) -> Vec<u64> {
        self.blocks
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<u64>()
    }
}
