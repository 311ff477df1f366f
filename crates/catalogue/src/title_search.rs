//! Looking for folded parts in folded titles.

use memchr::memmem::Finder;

use crate::fold::fold_title;
use crate::lists::Lists;

/// The parts of one search, of which a title needs one.
#[derive(Debug, Clone)]
pub(crate) struct TitleSearch {
    parts: Vec<Finder<'static>>,
}

impl TitleSearch {
    /// Folds the parts and drops those that fold to nothing; none when no part is left.
    pub(crate) fn new(parts: &[String]) -> Option<Self> {
        let mut folded: Vec<String> = parts.iter().map(|part| fold_title(part)).collect();
        folded.retain(|part| !part.is_empty());
        folded.sort_unstable();
        folded.dedup();
        let parts: Vec<_> = folded.iter().map(|part| Finder::new(part).into_owned()).collect();
        (!parts.is_empty()).then_some(Self { parts })
    }

    /// The folded parts, ascending, each once.
    pub(crate) fn parts(&self) -> &[Finder<'static>] {
        &self.parts
    }

    /// Whether both find the same.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.parts.iter().map(Finder::needle).eq(other.parts.iter().map(Finder::needle))
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.parts.iter().map(|part| part.needle().len() + size_of::<Finder<'_>>()).sum()
    }

    /// Whether a folded title holds one of the parts.
    pub(crate) fn matches(&self, title: &[u8]) -> bool {
        self.parts.iter().any(|part| part.find(title).is_some())
    }

    /// The places of all titles that hold one of the parts, ascending. The titles end in a byte
    /// that no part holds, so they are read as one text.
    pub(crate) fn scan(&self, titles: &Lists<u8>) -> Vec<u32> {
        let mut found = Vec::new();
        for part in &self.parts {
            scan_for(part, titles, &mut found);
        }
        if self.parts.len() > 1 {
            found.sort_unstable();
            found.dedup();
        }
        found
    }
}

/// Pushes the places of all texts that hold the part, ascending. Each text ends in a byte that the
/// part holds at its end at most, so that no match lies across two texts.
pub(crate) fn scan_for(part: &Finder<'_>, titles: &Lists<u8>, found: &mut Vec<u32>) {
    let text = titles.joined();
    let mut next = 0;
    while next < titles.len()
        && let Some(at) = text.get(titles.start(next)..).and_then(|rest| part.find(rest))
    {
        let title = titles.index_at(titles.start(next) + at, next);
        let Ok(number) = u32::try_from(title) else { return };
        found.push(number);
        next = title + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(folded: &[&str]) -> Lists<u8> {
        let mut titles = Lists::default();
        for title in folded {
            titles.push_joined(title.as_bytes(), 0xFF);
        }
        titles
    }

    fn search(parts: &[&str]) -> Option<TitleSearch> {
        TitleSearch::new(&parts.iter().map(|&part| part.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_scan_finds_each_title_once() {
        let titles = titles(&["tea tea", "", "coffee", "green tea", "te", "a"]);
        assert_eq!(search(&["tea"]).unwrap().scan(&titles), [0, 3]);
        assert_eq!(search(&["TEE", "e t", "tea", "fee"]).unwrap().scan(&titles), [0, 2, 3]);
        assert!(search(&["x"]).unwrap().scan(&titles).is_empty());
    }

    #[test]
    fn parts_that_fold_to_nothing_are_dropped() {
        assert!(search(&[]).is_none());
        assert!(search(&["", "\u{301}"]).is_none());
        assert_eq!(search(&["\u{301}", "a"]).unwrap().scan(&titles(&["b", "a"])), [1]);
    }
}
