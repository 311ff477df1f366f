//! Generated words for titles. Each word is in a known share of all titles.

use std::collections::BTreeSet;

use xtask::operate::numbers::Numbers;

/// The share of titles that have a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Frequency {
    /// 23 % of all titles.
    Common,
    /// 1.6 %.
    Uncommon,
    /// 0.03 %.
    Rare,
}

/// The share of titles with such a word, from common to rare.
pub(crate) const FREQUENCIES: [Frequency; 3] = [Frequency::Common, Frequency::Uncommon, Frequency::Rare];

/// The shortest searched piece of a word, in letters.
const PIECE_MIN: usize = 5;
const SYLLABLES: u32 = 5;

impl Frequency {
    /// How many of 10,000 titles have one word of this frequency.
    pub(super) fn of_ten_thousand(self) -> u32 {
        match self {
            Self::Common => 2_300,
            Self::Uncommon => 160,
            Self::Rare => 3,
        }
    }

    /// The share as tables show it.
    pub(crate) fn percent(self) -> &'static str {
        match self {
            Self::Common => "23 %",
            Self::Uncommon => "1.6 %",
            Self::Rare => "0.03 %",
        }
    }

    fn count(self) -> usize {
        match self {
            Self::Common => 14,
            Self::Uncommon | Self::Rare => 40,
        }
    }
}

/// The words of each frequency.
pub(crate) struct Words(Vec<(Frequency, Vec<String>)>);

impl Words {
    /// Generates the words, which are the same in every run.
    pub(crate) fn new() -> Self {
        let (mut numbers, mut taken) = (Numbers::new(0x776f_7264), BTreeSet::new());
        let mut word = || loop {
            let word = make(&mut numbers);
            if taken.insert(word.clone()) {
                break word;
            }
        };
        Self(
            FREQUENCIES.map(|frequency| (frequency, (0..frequency.count()).map(|_| word()).collect())).into(),
        )
    }

    /// The words grouped by frequency.
    pub(super) fn by_frequency(&self) -> impl Iterator<Item = (Frequency, &[String])> {
        self.0.iter().map(|(frequency, words)| (*frequency, words.as_slice()))
    }

    /// Searches that find as many titles as a word of this frequency: the words, and every piece of them that is in no
    /// other word. All searches differ. The longest come first.
    pub(crate) fn searches(&self, frequency: Frequency) -> Vec<String> {
        let all: Vec<&String> = self.0.iter().flat_map(|(_, words)| words).collect();
        let words = self.by_frequency().filter(|(of, _)| *of == frequency).flat_map(|(_, words)| words);
        let pieces: BTreeSet<&str> = words.flat_map(|word| pieces(word)).collect();
        let is_of_one = |piece: &&str| all.iter().filter(|word| word.contains(piece)).count() == 1;
        let mut pieces: Vec<String> = pieces.into_iter().filter(is_of_one).map(str::to_owned).collect();
        pieces.sort_by_key(|piece| std::cmp::Reverse(piece.len()));
        pieces
    }
}

/// A word of alternating consonants and vowels, as in `bakelomiru`.
fn make(numbers: &mut Numbers) -> String {
    let mut word = String::new();
    for _ in 0..SYLLABLES {
        word.push_str(numbers.pick(&["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z"]));
        word.push_str(numbers.pick(&["a", "e", "i", "o", "u"]));
    }
    word
}

fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let starts = 0..=word.len() - PIECE_MIN;
    starts.flat_map(move |from| (from + PIECE_MIN..=word.len()).map(move |to| &word[from..to]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frequency_has_enough_different_searches() {
        let words = Words::new();
        for frequency in FREQUENCIES {
            let searches = words.searches(frequency);
            let different: BTreeSet<&String> = searches.iter().collect();
            assert_eq!(different.len(), searches.len());
            assert!(searches.len() >= 256, "{} of {frequency:?}", searches.len());
        }
    }

    #[test]
    fn search_finds_the_titles_of_one_word_only() {
        let words = Words::new();
        let all: Vec<&String> = words.by_frequency().flat_map(|(_, words)| words).collect();
        for search in words.searches(Frequency::Common) {
            assert_eq!(all.iter().filter(|word| word.contains(&search)).count(), 1, "{search}");
        }
    }

    #[test]
    fn pieces_of_a_word_have_five_letters_or_more() {
        assert_eq!(pieces("balomi").collect::<Vec<_>>(), ["balom", "balomi", "alomi"]);
    }
}
