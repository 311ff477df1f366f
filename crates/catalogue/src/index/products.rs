//! Products by columns; a product's number is its place.

use std::ops::Range;
use std::sync::Arc;

use pointbook_domain::ProductId;

use crate::index::facts::Facts;
use crate::index::lists::Lists;
use crate::index::numbers::{narrow, partition_point};
use crate::index::query::Fragment;

/// The columns. In a segment the ids ascend; in a builder they stand as they came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Products {
    ids: Lists<u8>,
    titles: Lists<u8>,
    categories: Lists<u32>,
    facts: Vec<Facts>,
    rendered: Vec<Rendered>,
}

/// The JSON that clients see, shared by all snapshots that have the product; beside it its hash, because the one is read
/// with the other.
#[derive(Debug, Clone)]
struct Rendered {
    json: Arc<[u8]>,
    hash: u128,
}

/// One product of the columns.
#[derive(Clone, Copy)]
pub(crate) struct Row<'p> {
    pub(crate) id: &'p str,
    pub(crate) folded_title: &'p str,
    pub(crate) categories: &'p [u32],
    pub(crate) facts: Facts,
    pub(crate) rendered: Fragment<'p>,
}

impl Row<'_> {
    /// The id alone, for a product that is taken out.
    pub(crate) fn nothing(id: &str) -> Row<'_> {
        let rendered = Fragment { json: b"", hash: 0 };
        Row { id, folded_title: "", categories: &[], facts: Facts::NONE, rendered }
    }
}

impl Products {
    pub(crate) fn len(&self) -> usize {
        self.facts.len()
    }

    /// All numbers, ascending.
    pub(crate) fn numbers(&self) -> Range<u32> {
        0..narrow(self.len())
    }

    /// The id as UTF-8, whose bytes compare as code points do.
    pub(crate) fn id(&self, number: usize) -> &[u8] {
        self.ids.get(number)
    }

    pub(crate) fn titles(&self) -> &Lists<u8> {
        &self.titles
    }

    /// The categories that the product is assigned to, by the builder's numbers.
    pub(crate) fn categories(&self, number: u32) -> &[u32] {
        self.categories.get(number as usize)
    }

    pub(crate) fn facts(&self) -> &[Facts] {
        &self.facts
    }

    pub(crate) fn facts_of(&self, number: u32) -> Option<&Facts> {
        self.facts.get(number as usize)
    }

    pub(crate) fn fragment(&self, number: u32) -> Option<Fragment<'_>> {
        let Rendered { json, hash } = self.rendered.get(number as usize)?;
        Some(Fragment { json, hash: *hash })
    }

    /// The number of the first id that is not before this one, where ids ascend.
    pub(crate) fn place_of(&self, id: &[u8]) -> usize {
        self.place_after(0, id)
    }

    fn place_after(&self, start: usize, id: &[u8]) -> usize {
        partition_point(start..self.len(), |number| self.id(number) < id)
    }

    /// The number of an id, where ids ascend.
    pub(crate) fn number_of(&self, id: &[u8]) -> Option<u32> {
        let found = self.place_of(id);
        (found < self.len() && self.id(found) == id).then(|| narrow(found))
    }

    /// The numbers of those ids that are known, ascending, each once.
    pub(crate) fn numbers_of<'i>(&self, ids: impl IntoIterator<Item = &'i [u8]>) -> Vec<u32> {
        let mut numbers: Vec<u32> = ids.into_iter().filter_map(|id| self.number_of(id)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    pub(crate) fn push(&mut self, row: Row<'_>) {
        let Row { id, folded_title, categories, facts, rendered: Fragment { json, hash } } = row;
        self.ids.push(id.as_bytes());
        self.titles.push_text(folded_title.as_bytes());
        self.categories.push(categories);
        self.facts.push(facts);
        self.rendered.push(Rendered { json: json.into(), hash });
    }

    /// These products without the `hidden` ones, and the newer ones at their places. Both have
    /// ascending ids, and what both have has to be hidden.
    pub(crate) fn merged(&self, hidden: &[u32], newer: &Self) -> Self {
        let mut merged = Self::default();
        let mut next = 0;
        for number in 0..newer.len() {
            let place = self.place_after(next, newer.id(number));
            merged.extend_shown(self, next..place, hidden);
            merged.extend(newer, number..number + 1);
            next = place;
        }
        merged.extend_shown(self, next..self.len(), hidden);
        merged.shrink_to_fit();
        merged
    }

    /// Some of these products.
    pub(crate) fn picked(&self, numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut picked = Self::default();
        numbers.into_iter().for_each(|number| picked.extend(self, number..number + 1));
        picked
    }

    /// Appends products of other columns, without those that are hidden there.
    fn extend_shown(&mut self, other: &Self, range: Range<usize>, hidden: &[u32]) {
        let place = |number: usize| hidden.partition_point(|&hidden| (hidden as usize) < number);
        let mut start = range.start;
        for &number in hidden.get(place(range.start)..place(range.end)).unwrap_or_default() {
            self.extend(other, start..number as usize);
            start = number as usize + 1;
        }
        self.extend(other, start..range.end);
    }

    fn extend(&mut self, other: &Self, range: Range<usize>) {
        self.ids.extend(&other.ids, range.clone());
        self.titles.extend(&other.titles, range.clone());
        self.categories.extend(&other.categories, range.clone());
        self.facts.extend_from_slice(other.facts.get(range.clone()).unwrap_or_default());
        self.rendered.extend_from_slice(other.rendered.get(range).unwrap_or_default());
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.ids.shrink_to_fit();
        self.titles.shrink_to_fit();
        self.categories.shrink_to_fit();
        self.facts.shrink_to_fit();
        self.rendered.shrink_to_fit();
    }

    /// All that it holds, the JSON included, in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let lists = self.ids.memory_bytes() + self.titles.memory_bytes() + self.categories.memory_bytes();
        let columns =
            self.facts.capacity() * size_of::<Facts>() + self.rendered.capacity() * size_of::<Rendered>();
        // Two counts stand before each JSON.
        let json: usize = self.rendered.iter().map(|one| one.json.len() + 2 * size_of::<usize>()).sum();
        lists + columns + json
    }
}

/// The bytes of ids, as columns hold them.
pub(crate) fn id_bytes(ids: &[ProductId]) -> impl Iterator<Item = &[u8]> {
    ids.iter().map(|id| id.as_str().as_bytes())
}
