//! All distinct words, as one text.

use std::hash::{BuildHasher, RandomState};

use memchr::memmem::Finder;

use super::words::{EDGE, Piece};
use crate::lists::Lists;
use crate::title_search::scan_for;

/// Each distinct word once, between two edges; its number is its place.
#[derive(Debug)]
pub(super) struct Dictionary {
    words: Lists<u8>,
}

impl Dictionary {
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// How long the joined words are.
    pub(super) fn text_bytes(&self) -> usize {
        self.words.joined().len()
    }

    /// The numbers of the words that hold a piece, ascending.
    pub(super) fn words_with(&self, piece: &Piece<'_>) -> Vec<u32> {
        let mut needle = Vec::with_capacity(piece.text.len() + 2);
        needle.extend(piece.begins_word.then_some(EDGE));
        needle.extend_from_slice(piece.text.as_bytes());
        needle.extend(piece.ends_word.then_some(EDGE));
        let mut found = Vec::new();
        scan_for(&Finder::new(&needle), &self.words, &mut found);
        found
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.words.memory_bytes()
    }
}

/// Numbers words as they come.
///
/// A hash table of numbers with open addressing: the words themselves stand in the dictionary only,
/// and as each slot keeps a hash, they are hardly ever looked at in vain. The hash has a random key, so that no client
/// who chooses titles can make all words want one slot.
#[derive(Debug, Default)]
pub(super) struct DictionaryBuilder {
    words: Lists<u8>,
    /// A power of two of them, at least half of them empty.
    slots: Vec<Option<Slot>>,
    hashes: RandomState,
    /// The word at hand between its edges.
    edged: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    hash: u32,
    word: u32,
}

impl DictionaryBuilder {
    /// The number of a word, a new one if need be; none when there are no more numbers.
    pub(super) fn number_of(&mut self, word: &str) -> Option<u32> {
        if self.words.len() * 2 >= self.slots.len() {
            self.grow();
        }
        self.edged.clear();
        self.edged.push(EDGE);
        self.edged.extend_from_slice(word.as_bytes());
        self.edged.push(EDGE);
        let hash = half_of(self.hashes.hash_one(word));
        let is_word = |slot: Slot| slot.hash == hash && self.words.get(slot.word as usize) == self.edged;
        let place = place_of(&self.slots, hash, is_word);
        if let Some(slot) = self.slots[place] {
            return Some(slot.word);
        }
        let number = u32::try_from(self.words.len()).ok()?;
        self.slots[place] = Some(Slot { hash, word: number });
        self.words.push(&self.edged);
        Some(number)
    }

    fn grow(&mut self) {
        let mut slots = vec![None; (self.slots.len() * 2).max(1024)];
        for slot in self.slots.iter().flatten() {
            let place = place_of(&slots, slot.hash, |_| false);
            slots[place] = Some(*slot);
        }
        self.slots = slots;
    }

    /// How long the joined words are.
    pub(super) fn text_bytes(&self) -> usize {
        self.words.joined().len()
    }

    /// The words in buffers that have no room to spare.
    pub(super) fn finish(self) -> Dictionary {
        let mut words = Lists::default();
        words.reserve_for(&self.words, &Lists::default());
        words.extend(&self.words, 0..self.words.len());
        Dictionary { words }
    }
}

/// Half of a good hash is a good hash.
fn half_of(hash: u64) -> u32 {
    let [a, b, c, d, ..] = hash.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Where what is looked for stands, or the empty slot where it belongs.
fn place_of(slots: &[Option<Slot>], hash: u32, is_it: impl Fn(Slot) -> bool) -> usize {
    let mask = slots.len() - 1;
    let mut place = hash as usize & mask;
    while slots[place].is_some_and(|slot| !is_it(slot)) {
        place = (place + 1) & mask;
    }
    place
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Words that want one slot of one dictionary are spread in the next one, so that no choice of
    /// titles makes the building of an index slow.
    #[test]
    fn words_that_collide_in_one_dictionary_do_not_in_another() {
        const SLOTS: u32 = 1_024;
        let (known, other) = (DictionaryBuilder::default(), DictionaryBuilder::default());
        let place = |builder: &DictionaryBuilder, word: &str| half_of(builder.hashes.hash_one(word)) % SLOTS;
        let words = (0..).map(|number| format!("w{number}"));
        let chosen: Vec<String> = words.filter(|word| place(&known, word) == 0).take(64).collect();
        let places: HashSet<u32> = chosen.iter().map(|word| place(&other, word)).collect();
        assert!(places.len() > 32, "{} places for 64 words", places.len());
    }

    #[test]
    fn each_word_has_one_number_however_many_there_are() {
        let mut builder = DictionaryBuilder::default();
        for _ in 0..2 {
            for number in 0..5_000 {
                assert_eq!(builder.number_of(&format!("w{number}")), Some(number));
            }
        }
        let dictionary = builder.finish();
        assert_eq!(dictionary.len(), 5_000);
        let found =
            |text, begins_word, ends_word| dictionary.words_with(&Piece { text, begins_word, ends_word });
        assert_eq!(found("w4999", false, false), [4_999]);
        assert_eq!(found("w499", true, true), [499]);
        assert!(found("499", true, false).is_empty());
        assert_eq!(found("999", false, true), [999, 1_999, 2_999, 3_999, 4_999]);
    }
}
