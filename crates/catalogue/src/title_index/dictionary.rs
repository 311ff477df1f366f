//! All distinct words, as one text.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

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
#[derive(Debug)]
pub(super) struct DictionaryBuilder<'t> {
    numbers: HashMap<&'t str, u32>,
    words: Lists<u8>,
    /// How long the joined words may become.
    limit_bytes: usize,
    /// The word at hand between its edges.
    edged: Vec<u8>,
}

impl<'t> DictionaryBuilder<'t> {
    pub(super) fn new(limit_bytes: usize) -> Self {
        Self { numbers: HashMap::new(), words: Lists::default(), limit_bytes, edged: Vec::new() }
    }

    /// The number of a word, a new one if need be; none when there is no room for it.
    pub(super) fn number_of(&mut self, word: &'t str) -> Option<u32> {
        let entry = match self.numbers.entry(word) {
            Entry::Occupied(entry) => return Some(*entry.get()),
            Entry::Vacant(entry) => entry,
        };
        self.edged.clear();
        self.edged.push(EDGE);
        self.edged.extend_from_slice(word.as_bytes());
        if self.words.joined().len() + self.edged.len() >= self.limit_bytes {
            return None;
        }
        let number = *entry.insert(u32::try_from(self.words.len()).ok()?);
        self.words.push_joined(&self.edged, EDGE);
        Some(number)
    }

    /// The words in buffers that have no room to spare.
    pub(super) fn finish(self) -> Dictionary {
        let mut words = Lists::default();
        words.reserve_for(&self.words, &Lists::default());
        words.extend(&self.words, 0..self.words.len());
        Dictionary { words }
    }
}
