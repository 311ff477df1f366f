//! Numbers that look random and are always the same for a seed.

/// A sequence of numbers (the finaliser of splitmix64).
pub struct Numbers(u64);

impl Numbers {
    /// Starts the sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number below a bound.
    pub fn next(&mut self, below: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((mixed >> 33) % u64::from(below)).unwrap_or_default()
    }

    /// True for one of this many calls, on average.
    pub fn one_in(&mut self, many: u32) -> bool {
        self.next(many) == 0
    }

    /// A place in a list of this length, which is not 0.
    pub fn place(&mut self, length: usize) -> usize {
        self.next(u32::try_from(length).unwrap_or(u32::MAX)) as usize
    }

    /// One of these words, which are at least one.
    pub fn pick<'w, T: ?Sized>(&mut self, words: &[&'w T]) -> &'w T {
        words[self.place(words.len())]
    }
}
