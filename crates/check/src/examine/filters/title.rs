//! The search by title, and how exact it is.

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

use super::super::{DOCUMENTED, Examiner};
use super::{Single, TITLE};
use crate::read::Product;
use crate::rule::{FILTERS_TITLE, FILTERS_TITLE_FOLD, FILTERS_TITLE_PART};

/// The shortest word of which a part is searched, in characters.
const WORD_CHARS: usize = 5;

/// One word, so that a search for any of several words finds nothing by it either.
const MEANINGLESS: &str = "qxzvkwjpbf";

impl Examiner<'_> {
    pub(super) fn examine_titles(&mut self) -> Option<Single> {
        self.examine_whole_title();
        let Some(word) = self.telling_word() else {
            self.untried(&[&FILTERS_TITLE_PART, &FILTERS_TITLE_FOLD], "no title has a word of five letters");
            return None;
        };
        let part = inner(&word);
        let found = self.find(&[(TITLE, &part)], Some(&FILTERS_TITLE_PART))?;
        let folded = fold(&part);
        // Whether case matters is the next question: between both results everything is right.
        let is_part = self.judge_found(&FILTERS_TITLE_PART, &found, |Product { id, title, .. }| {
            fold(title).contains(&folded) && (title.contains(&part) || found.ids.contains(id))
        });
        if is_part {
            self.examine_folding(&word);
        } else {
            self.note_words(&word);
        }
        found.is_whole.then_some((TITLE, part, found.ids))
    }

    fn examine_whole_title(&mut self) {
        // A comma may separate several titles.
        let plain =
            |title: &str| !title.contains(',') && title.chars().count() < 200 && title.trim() == title;
        let product = self.store.products().find(|product| plain(&product.title)).cloned();
        if let Some(Product { id, title, .. }) = product
            && let Some(found) = self.find(&[(TITLE, &title)], DOCUMENTED)
        {
            let fits = found.ids.contains(&id) || !found.is_whole;
            let came = format!("{} others", found.ids.len());
            let wanted = format!("{id} among what is found");
            self.book.expect(&FILTERS_TITLE, &found.request, fits, wanted, came);
        }
        if let Some(found) = self.find(&[(TITLE, MEANINGLESS)], DOCUMENTED) {
            self.judge_found(&FILTERS_TITLE, &found, |_| false);
        }
    }

    /// Says what fits where parts of words are not found.
    fn note_words(&mut self, word: &str) {
        let Some(found) = self.find(&[(TITLE, word)], DOCUMENTED) else { return };
        let mut titles = self.store.products().filter(|product| product.title.contains(word));
        let finds_words = titles.all(|product| found.ids.contains(&product.id) || !found.is_whole);
        let what = if finds_words { "whole words" } else { "neither parts of titles nor all words of them" };
        self.book.note(&format!("filter[title] finds {what}"));
    }

    fn examine_folding(&mut self, word: &str) {
        let folded = fold(word);
        if let Some(found) = self.find(&[(TITLE, &folded.to_uppercase())], Some(&FILTERS_TITLE_FOLD)) {
            self.judge_found(&FILTERS_TITLE_FOLD, &found, |product| fold(&product.title).contains(&folded));
        }
    }

    /// A word of a title, with an accent if there is one.
    fn telling_word(&self) -> Option<String> {
        let titles = self.store.products().map(|product| product.title.as_str());
        let words = titles.flat_map(|title| title.split(|found: char| !found.is_alphabetic()));
        let long: Vec<&str> = words.filter(|word| word.chars().count() >= WORD_CHARS).collect();
        let accented = long.iter().find(|word| !word.is_ascii());
        accented.or(long.first()).map(|word| (*word).to_owned())
    }
}

/// A word without its first and last letter.
fn inner(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    letters.get(1..letters.len() - 1).unwrap_or_default().iter().collect()
}

/// A text without case and accents.
fn fold(text: &str) -> String {
    let bare = text.nfkd().filter(|found| !('\u{300}'..='\u{36f}').contains(found));
    bare.default_case_fold().nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_leaves_case_and_accents_out() {
        assert_eq!(fold("Caf\u{e9} STRASSE"), fold("CAFE stra\u{df}e"));
        assert_eq!(inner("Stone"), "ton");
    }
}
