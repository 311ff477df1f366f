//! For each word, the products whose titles have it.

use std::collections::BTreeMap;

use super::bits::Bits;
use super::number_set::NumberSet;
use crate::lists::Lists;

/// A word that more than one of so many titles have is kept as bits, which then are no larger.
const TITLES_PER_COMMON: usize = 32;

/// Short lists one after the other; the few common words have bits instead.
#[derive(Debug)]
pub(super) struct Postings {
    product_count: usize,
    /// Ascending for each word.
    numbers: Vec<u32>,
    /// By word: where its list ends in `numbers`. A common word's list is empty.
    ends: Vec<u32>,
    common: BTreeMap<u32, Bits>,
}

impl Postings {
    /// Takes the words of each title, each word once; none when there are more than can be counted.
    pub(super) fn new(words_by_title: &Lists<u32>, word_count: usize) -> Option<Self> {
        let mut postings = Self::with_room_for(words_by_title, word_count)?;
        for (number, title) in (0..).zip(0..words_by_title.len()) {
            words_by_title.get(title).iter().for_each(|&word| postings.push(word, number));
        }
        Some(postings)
    }

    /// Lists that are empty, each with room behind it: it ends where its first number goes.
    fn with_room_for(words_by_title: &Lists<u32>, word_count: usize) -> Option<Self> {
        let mut counts = vec![0_usize; word_count];
        for &word in words_by_title.joined() {
            counts[word as usize] += 1;
        }
        let product_count = words_by_title.len();
        let mut postings =
            Self { product_count, numbers: Vec::new(), ends: Vec::new(), common: BTreeMap::new() };
        postings.ends.reserve_exact(word_count);
        let mut room = 0;
        for (word, count) in (0..).zip(counts) {
            postings.ends.push(u32::try_from(room).ok()?);
            if count * TITLES_PER_COMMON > product_count {
                postings.common.insert(word, Bits::new(product_count));
            } else {
                room += count;
            }
        }
        postings.numbers = vec![0; room];
        Some(postings)
    }

    fn push(&mut self, word: u32, number: u32) {
        if let Some(bits) = self.common.get_mut(&word) {
            bits.insert(number);
            return;
        }
        let end = &mut self.ends[word as usize];
        self.numbers[*end as usize] = number;
        *end += 1;
    }

    /// The numbers of the products with one of these words.
    pub(super) fn numbers_of(&self, words: &[u32]) -> NumberSet {
        let rare = NumberSet::from_lists(words.iter().map(|&word| self.list(word)), self.product_count);
        // Every word has products, so a word without a list is a common one.
        let without_list = words.iter().filter(|&&word| self.list(word).is_empty());
        let mut common = without_list.filter_map(|word| self.common.get(word));
        let Some(first) = common.next() else { return rare };
        let mut bits = first.clone();
        common.for_each(|other| bits.insert_all(other));
        rare.union(NumberSet::Bits(bits), self.product_count)
    }

    /// A rare word's numbers; none for a common word.
    fn list(&self, word: u32) -> &[u32] {
        let end_of = |word: u32| self.ends.get(word as usize).map_or(0, |&end| end as usize);
        let start = word.checked_sub(1).map_or(0, end_of);
        self.numbers.get(start..end_of(word)).unwrap_or_default()
    }

    pub(super) fn product_count(&self) -> usize {
        self.product_count
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let lists = (self.numbers.capacity() + self.ends.capacity()) * size_of::<u32>();
        lists + self.common.values().map(Bits::memory_bytes).sum::<usize>()
    }
}
