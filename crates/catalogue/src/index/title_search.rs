//! Looking for folded parts in folded titles.

use memchr::memmem::Finder;

use crate::index::fold::fold_title;
use crate::index::lists::Lists;
use crate::index::title_index::TitleIndex;

/// The parts of one search, of which a title needs one: folded, ascending, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TitleSearch {
    parts: Vec<String>,
}

impl TitleSearch {
    /// Folds the parts and drops those that fold to nothing; none when no part is left.
    pub(crate) fn new(parts: &[String]) -> Option<Self> {
        let mut parts: Vec<String> = parts.iter().map(|part| fold_title(part)).collect();
        parts.retain(|part| !part.is_empty());
        parts.sort_unstable();
        parts.dedup();
        (!parts.is_empty()).then_some(Self { parts })
    }

    /// A test whether a folded title holds one of the parts.
    pub(crate) fn matcher(&self) -> impl Fn(&[u8]) -> bool {
        let finders: Vec<Finder<'_>> = self.parts.iter().map(Finder::new).collect();
        move |title| finders.iter().any(|part| part.find(title).is_some())
    }

    /// The numbers of all titles that hold one of the parts, in any order. A title may come more than once.
    pub(crate) fn numbers(&self, titles: &Lists<u8>, index: Option<&TitleIndex>) -> Vec<u32> {
        let mut found = Vec::new();
        for part in &self.parts {
            let part = Finder::new(part);
            match index.and_then(|index| index.numbers_with(&part, titles)) {
                Some(numbers) => found.extend(numbers),
                None => scan_for(&part, titles, &mut found),
            }
            if found.len() > titles.len() {
                // Many parts of many titles take no more memory than two of them.
                found.sort_unstable();
                found.dedup();
            }
        }
        found
    }
}

/// Pushes the numbers of all texts that hold the part, ascending. Each text ends in a byte that no part holds, so the
/// texts are read as one.
pub(crate) fn scan_for(part: &Finder<'_>, texts: &Lists<u8>, found: &mut Vec<u32>) {
    let joined = texts.joined();
    let mut next = 0;
    while next < texts.len()
        && let Some(at) = joined.get(texts.start(next)..).and_then(|rest| part.find(rest))
    {
        let text = texts.index_at(texts.start(next) + at, next);
        let Ok(number) = u32::try_from(text) else { return };
        found.push(number);
        next = text + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(folded: &[&str]) -> Lists<u8> {
        let mut titles = Lists::default();
        for title in folded {
            titles.push_text(title.as_bytes());
        }
        titles
    }

    fn search(parts: &[&str]) -> Option<TitleSearch> {
        TitleSearch::new(&parts.iter().map(|&part| part.to_owned()).collect::<Vec<_>>())
    }

    fn found(parts: &[&str], titles: &Lists<u8>) -> Vec<u32> {
        search(parts).unwrap().numbers(titles, None)
    }

    #[test]
    fn a_scan_finds_each_title_once() {
        let titles = titles(&["tea tea", "", "coffee", "green tea", "te", "a"]);
        assert_eq!(found(&["tea"], &titles), [0, 3]);
        assert_eq!(found(&["TEE", "e t", "tea", "fee"], &titles), [2, 0, 3]);
        assert!(found(&["x"], &titles).is_empty());
    }

    #[test]
    fn parts_that_fold_to_nothing_are_dropped() {
        assert!(search(&[]).is_none());
        assert!(search(&["", "\u{301}"]).is_none());
        assert_eq!(found(&["\u{301}", "a"], &titles(&["b", "a"])), [1]);
    }
}
