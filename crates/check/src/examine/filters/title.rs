//! The search by title, and how exact it is.

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

use super::super::Examiner;
use super::{Single, TITLE};
use crate::client::Halt;
use crate::rule::{FILTERS_TITLE, FILTERS_TITLE_FOLD, FILTERS_TITLE_PART, Rule};

/// The shortest word of which a part is searched, in characters.
const WORD_CHARS: usize = 5;

/// One word, so that a search for any of several words finds nothing by it either.
const MEANINGLESS: &str = "qxzvkwjpbf";

impl Examiner<'_> {
    pub(super) fn examine_titles(&mut self) -> Result<Option<Single>, Halt> {
        self.examine_whole_title()?;
        let Some(word) = self.telling_word() else {
            let rules: [&'static Rule; 2] = [&FILTERS_TITLE_PART, &FILTERS_TITLE_FOLD];
            self.book.untried(&rules, "no title has a word of five letters");
            return Ok(None);
        };
        let part = inner(&word);
        let Some(found) = self.find_by(&FILTERS_TITLE_PART, &[(TITLE, &part)])? else { return Ok(None) };
        // Whether case matters is the next question: between both answers everything is right.
        let (exact, folded) = (part.clone(), fold(&part));
        let extra = self.difference(&found, |product| {
            fold(&product.title).contains(&folded)
                && (product.title.contains(&exact) || found.ids.contains(&product.id))
        });
        let is_part = extra.is_none();
        self.judge_found(&FILTERS_TITLE_PART, &found, extra);
        if is_part {
            self.examine_folding(&word)?;
        } else {
            self.note_words(&word)?;
        }
        Ok(found.is_whole.then_some((TITLE, part, found.ids)))
    }

    fn examine_whole_title(&mut self) -> Result<(), Halt> {
        // A comma may separate several titles.
        let plain =
            |title: &str| !title.contains(',') && title.chars().count() < 200 && title.trim() == title;
        let product = self.store.products.iter().find(|product| plain(&product.title));
        if let Some(product) = product.cloned()
            && let Some(found) = self.find(&[(TITLE, &product.title)])?
        {
            let fits = found.ids.contains(&product.id) || !found.is_whole;
            self.book.expect(&FILTERS_TITLE, &found.request, fits, || {
                (format!("{} among what is found", product.id), format!("{} others", found.ids.len()))
            });
        }
        if let Some(found) = self.find(&[(TITLE, MEANINGLESS)])? {
            let difference = self.difference(&found, |_| false);
            self.judge_found(&FILTERS_TITLE, &found, difference);
        }
        Ok(())
    }

    /// Says what fits where parts of words are not found.
    fn note_words(&mut self, word: &str) -> Result<(), Halt> {
        let Some(found) = self.find(&[(TITLE, word)])? else { return Ok(()) };
        let mut titles = self.store.products.iter().filter(|product| product.title.contains(word));
        let finds_words = titles.all(|product| found.ids.contains(&product.id) || !found.is_whole);
        let what = if finds_words { "whole words" } else { "neither parts of titles nor all words of them" };
        self.book.note(&format!("filter[title] finds {what}"));
        Ok(())
    }

    fn examine_folding(&mut self, word: &str) -> Result<(), Halt> {
        let shouted: String = fold(word).to_uppercase();
        if let Some(found) = self.find_by(&FILTERS_TITLE_FOLD, &[(TITLE, &shouted)])? {
            let folded = fold(word);
            let difference = self.difference(&found, |product| fold(&product.title).contains(&folded));
            self.judge_found(&FILTERS_TITLE_FOLD, &found, difference);
        }
        Ok(())
    }

    /// A word of a title, with an accent if there is one.
    fn telling_word(&self) -> Option<String> {
        let titles = self.store.products.iter().map(|product| product.title.as_str());
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
