//! Which titles hold a part, without reading all titles.
//!
//! Titles are cut into words, and each distinct word is kept once, with the numbers of the products
//! whose titles have it. A part that has no border inside can only lie within a word, so it is looked
//! for in the words. Any other part is cut as titles are: its pieces name the titles that may hold it,
//! and these are read. The answer is always the one that a scan of all titles gives.

mod bits;
mod dictionary;
mod number_set;
mod postings;
mod words;

use memchr::memmem::Finder;

use self::dictionary::{Dictionary, DictionaryBuilder};
use self::postings::Postings;
use self::words::{Piece, pieces, words};
use crate::lists::Lists;
use crate::title_search::scan_for;

pub(crate) use self::number_set::NumberSet;

/// Reading all titles in a row is this much cheaper, for each title, than jumping to it.
const TITLE_JUMP_COST: usize = 16;

/// While one title is read, this many bytes of distinct words are looked through.
const BYTES_PER_TITLE: usize = 256;

/// No more pieces of a part are looked for: each costs a look through all words, however long a part is.
const MAX_PIECES: usize = 4;

/// The words of all titles; none where a scan of the titles is as good.
#[derive(Debug)]
pub(crate) struct TitleIndex {
    words: Option<WordIndex>,
}

#[derive(Debug)]
struct WordIndex {
    dictionary: Dictionary,
    postings: Postings,
}

impl TitleIndex {
    /// Takes the folded titles, each with a last byte that no text holds. Where words hardly repeat,
    /// looking through them saves nothing, and nothing is kept.
    pub(crate) fn new(titles: &Lists<u8>) -> Self {
        let all_bytes = titles.joined().len();
        let is_in_vain = |read_bytes: usize, word_bytes: usize| {
            word_bytes > all_bytes / 4 * 3 || read_bytes > all_bytes / 8 && word_bytes > read_bytes
        };
        Self { words: WordIndex::new(titles, is_in_vain) }
    }

    /// The numbers of the titles that hold one of the folded parts. These are the titles that the
    /// index was made of.
    pub(crate) fn search(&self, parts: &[Finder<'_>], titles: &Lists<u8>) -> NumberSet {
        let sets = parts.iter().map(|part| self.numbers_with(part, titles));
        sets.reduce(|one, other| one.union(other, titles.len())).unwrap_or_default()
    }

    fn numbers_with(&self, part: &Finder<'_>, titles: &Lists<u8>) -> NumberSet {
        let found = self.words.as_ref().and_then(|words| words.numbers_with(part, titles));
        found.unwrap_or_else(|| {
            let mut scanned = Vec::new();
            scan_for(part, titles, &mut scanned);
            NumberSet::List(scanned)
        })
    }

    /// What it holds in memory, in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let bytes = |words: &WordIndex| words.dictionary.memory_bytes() + words.postings.memory_bytes();
        self.words.as_ref().map_or(0, bytes)
    }
}

impl WordIndex {
    /// Gives up when told so, by the bytes of the titles read so far and of their distinct words.
    fn new(titles: &Lists<u8>, is_in_vain: impl Fn(usize, usize) -> bool) -> Option<Self> {
        let mut dictionary = DictionaryBuilder::default();
        let mut words_by_title = Lists::default();
        let mut of_title = Vec::new();
        for title in 0..titles.len() {
            if is_in_vain(titles.start(title), dictionary.text_bytes()) {
                return None;
            }
            of_title.clear();
            for word in words(text_of(titles.get(title))) {
                of_title.push(dictionary.number_of(word)?);
            }
            of_title.sort_unstable();
            of_title.dedup();
            words_by_title.push(&of_title);
        }
        let dictionary = dictionary.finish();
        let postings = Postings::new(&words_by_title, dictionary.len())?;
        Some(Self { dictionary, postings })
    }

    /// None where a scan of the titles is better.
    fn numbers_with(&self, part: &Finder<'_>, titles: &Lists<u8>) -> Option<NumberSet> {
        let mut pieces: Vec<Piece<'_>> = pieces(text_of(part.needle())).collect();
        if let [only] = pieces.as_slice()
            && only.is_open()
        {
            return Some(self.numbers_of(only));
        }
        // The longest are in the fewest titles.
        pieces.sort_by_key(|piece| std::cmp::Reverse(piece.text.len()));
        let candidates = self.numbers_of_all(&pieces)?;
        let is_cheap = candidates.len() * TITLE_JUMP_COST < titles.len();
        is_cheap.then(|| candidates.filtered(|number| part.find(titles.get(number as usize)).is_some()))
    }

    /// The titles that have a word for each piece, or some more of them; none without a piece.
    fn numbers_of_all(&self, pieces: &[Piece<'_>]) -> Option<NumberSet> {
        let (longest, others) = pieces.split_first()?;
        let mut left = self.numbers_of(longest);
        for piece in others.iter().take(MAX_PIECES - 1) {
            if self.are_soon_read(&left) {
                break;
            }
            left = left.intersection(&self.numbers_of(piece));
        }
        Some(left)
    }

    /// Whether reading these titles costs less than looking for one more piece.
    fn are_soon_read(&self, titles: &NumberSet) -> bool {
        titles.is_few(self.postings.product_count())
            || titles.len() * BYTES_PER_TITLE < self.dictionary.text_bytes()
    }

    fn numbers_of(&self, piece: &Piece<'_>) -> NumberSet {
        self.postings.numbers_of(&self.dictionary.words_with(piece))
    }
}

/// Titles and parts are UTF-8 but for the ending.
fn text_of(title: &[u8]) -> &str {
    let text = title.strip_suffix(&[words::EDGE]).unwrap_or(title);
    std::str::from_utf8(text).unwrap_or_default()
}

#[cfg(test)]
mod tests;
