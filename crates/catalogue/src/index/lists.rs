//! Many short lists in one buffer, without an allocation for each.

use std::ops::Range;

use crate::index::numbers::partition_point;

/// Stands behind each text of joined texts. No UTF-8 text holds it, so no match crosses two texts.
pub(crate) const TEXT_END: u8 = 0xFF;

/// Lists of `T` one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Lists<T> {
    items: Vec<T>,
    /// Where each list ends in `items`.
    ends: Vec<usize>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { items: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Copy> Lists<T> {
    /// The list at `index`; empty beyond the last.
    pub(crate) fn get(&self, index: usize) -> &[T] {
        let end = self.ends.get(index).copied().unwrap_or_default();
        self.items.get(self.start(index)..end).unwrap_or_default()
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn joined(&self) -> &[T] {
        &self.items
    }

    /// Where the list at `index` begins in [`Lists::joined`].
    pub(crate) fn start(&self, index: usize) -> usize {
        index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default()
    }

    /// The list that holds the joined item at `offset`; looked for from the list at `from` on.
    pub(crate) fn index_at(&self, offset: usize, from: usize) -> usize {
        partition_point(from..self.len(), |index| self.ends.get(index).is_some_and(|&end| end <= offset))
    }

    pub(crate) fn push(&mut self, list: &[T]) {
        self.items.extend_from_slice(list);
        self.ends.push(self.items.len());
    }

    /// Appends these lists of another.
    pub(crate) fn extend(&mut self, other: &Self, range: Range<usize>) {
        let (from, to) = (other.start(range.start), other.start(range.end));
        let base = self.items.len();
        self.items.extend_from_slice(other.items.get(from..to).unwrap_or_default());
        let ends = other.ends.get(range).unwrap_or_default();
        self.ends.extend(ends.iter().map(|end| base + end - from));
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.items.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        size_of::<T>() * self.items.capacity() + size_of::<usize>() * self.ends.capacity()
    }
}

impl Lists<u8> {
    /// Pushes a text with [`TEXT_END`] behind it.
    pub(crate) fn push_text(&mut self, text: &[u8]) {
        self.items.extend_from_slice(text);
        self.push(&[TEXT_END]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(texts: &[&str]) -> Lists<u8> {
        let mut lists = Lists::default();
        for text in texts {
            lists.push(text.as_bytes());
        }
        lists
    }

    #[test]
    fn each_list_is_found_again() {
        let lists = lists(&["ab", "", "c"]);
        assert_eq!((lists.get(0), lists.get(1), lists.get(2)), (&b"ab"[..], &b""[..], &b"c"[..]));
        assert_eq!(lists.get(3), b"");
    }

    #[test]
    fn an_offset_belongs_to_the_list_around_it() {
        let lists = lists(&["ab", "", "c"]);
        assert_eq!([0, 1, 2].map(|offset| lists.index_at(offset, 0)), [0, 0, 2]);
        assert_eq!(lists.index_at(2, 1), 2);
    }

    #[test]
    fn a_part_of_another_is_appended() {
        let mut long = lists(&["x"]);
        long.extend(&lists(&["ab", "", "c", "d"]), 1..3);
        assert_eq!((long.len(), long.get(1), long.get(2)), (3, &b""[..], &b"c"[..]));
    }
}
