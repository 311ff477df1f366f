//! Which titles hold a part, without reading all titles.
//!
//! Each distinct word of the titles is kept once, with the numbers of the titles that have it. A title that holds a
//! part has a word that holds the longest word of the part, so only distinct words are read, and then the titles that
//! have these words. The result is always the one of a scan of all titles.

use std::collections::HashMap;

use memchr::memmem::Finder;

use crate::index::lists::{Lists, TEXT_END};
use crate::index::title_search::scan_for;

/// Reading all titles in a row is this much cheaper, for each title, than jumping to it.
const TITLE_JUMP_COST: usize = 16;

#[derive(Debug)]
pub(crate) struct TitleIndex {
    words: Lists<u8>,
    /// By word: the numbers of the titles that have it, ascending.
    numbers: Lists<u32>,
}

impl TitleIndex {
    /// Takes the folded titles. None where words hardly repeat, because a scan of the titles is as good then: titles
    /// in scripts without spaces, for one.
    pub(crate) fn new(titles: &Lists<u8>) -> Option<Self> {
        Self::within(titles, titles.joined().len() / 4 * 3)
    }

    /// None when the distinct words have more bytes than that.
    fn within(titles: &Lists<u8>, max_bytes: usize) -> Option<Self> {
        // The hash has a random key, so no client who chooses titles can make its words collide.
        let mut known = HashMap::new();
        let mut words = Lists::default();
        let mut places = Vec::new();
        for (number, title) in (0..).zip(0..titles.len()) {
            for word in words_of(titles.get(title)) {
                let next = u32::try_from(words.len()).ok()?;
                let word = *known.entry(word).or_insert_with(|| {
                    words.push_text(word);
                    next
                });
                places.push((word, number));
            }
            if words.joined().len() > max_bytes {
                return None;
            }
        }
        words.shrink_to_fit();
        Some(Self { words, numbers: numbers_by_word(places) })
    }

    /// The numbers of the titles that hold a part, in any order; a title may come more than once. None where a scan
    /// of the titles is better.
    pub(crate) fn numbers_with(&self, part: &Finder<'_>, titles: &Lists<u8>) -> Option<Vec<u32>> {
        let longest = words_of(part.needle()).max_by_key(|word| word.len())?;
        let mut words = Vec::new();
        scan_for(&Finder::new(longest), &self.words, &mut words);
        let lists = || words.iter().map(|&word| self.numbers.get(word as usize));
        let is_word = longest.len() == part.needle().len();
        let count: usize = lists().map(<[u32]>::len).sum();
        let is_cheap = if is_word { count <= titles.len() } else { count * TITLE_JUMP_COST < titles.len() };
        is_cheap.then(|| {
            let mut numbers = Vec::with_capacity(count);
            lists().for_each(|list| numbers.extend_from_slice(list));
            numbers.retain(|&number| is_word || part.find(titles.get(number as usize)).is_some());
            numbers
        })
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.words.memory_bytes() + self.numbers.memory_bytes()
    }
}

/// Takes pairs of a word and a title. Every word up to the last has a title.
fn numbers_by_word(mut places: Vec<(u32, u32)>) -> Lists<u32> {
    places.sort_unstable();
    places.dedup();
    let mut numbers = Lists::default();
    let mut of_word = Vec::new();
    for of_one in places.chunk_by(|one, next| one.0 == next.0) {
        of_word.clear();
        of_word.extend(of_one.iter().map(|&(_, number)| number));
        numbers.push(&of_word);
    }
    numbers.shrink_to_fit();
    numbers
}

/// The stretches of ASCII letters and digits and of all characters beyond ASCII. Whether a byte is part of a word depends
/// on nothing but the byte, so a part has its words where the titles that hold it have them.
fn words_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_border = |byte: &u8| *byte == TEXT_END || byte.is_ascii() && !byte.is_ascii_alphanumeric();
    text.split(is_border).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
