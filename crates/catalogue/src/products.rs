//! Products by columns; a product's number is its place.

use std::ops::Range;

use pointbook_domain::ProductId;

use crate::facts::Facts;
use crate::fragments::{Adopted, Fragment, Fragments};
use crate::gallop;
use crate::lists::Lists;

/// Stands behind each folded title. No UTF-8 text holds it, so no match crosses two titles.
const TITLE_END: u8 = 0xFF;

/// The columns. In a segment the ids ascend; in a builder they stand as they came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Products {
    ids: Lists<u8>,
    titles: Lists<u8>,
    categories: Lists<u32>,
    facts: Vec<Facts>,
    fragments: Fragments,
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

impl Products {
    pub(crate) fn len(&self) -> usize {
        self.facts.len()
    }

    /// All numbers, ascending.
    pub(crate) fn numbers(&self) -> Range<u32> {
        0..u32::try_from(self.len()).unwrap_or(u32::MAX)
    }

    /// The id as UTF-8, whose bytes compare as code points do.
    pub(crate) fn id(&self, number: usize) -> &[u8] {
        self.ids.get(number)
    }

    /// The folded titles, each with a last byte that no text holds.
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

    /// The JSON that clients see.
    pub(crate) fn fragment(&self, number: u32) -> Option<Fragment<'_>> {
        self.fragments.get(number)
    }

    /// The number of the first id that is not before this one, where ids ascend.
    pub(crate) fn place_of(&self, id: &[u8]) -> usize {
        gallop::halve(0..self.len(), |number| self.id(number) < id)
    }

    /// The number of an id, where ids ascend.
    pub(crate) fn number_of(&self, id: &[u8]) -> Option<u32> {
        let found = self.place_of(id);
        (found < self.len() && self.id(found) == id).then(|| u32::try_from(found).ok()).flatten()
    }

    /// The numbers of those ids that are known, ascending, each once.
    pub(crate) fn numbers_of<'i>(&self, ids: impl IntoIterator<Item = &'i [u8]>) -> Vec<u32> {
        let mut numbers: Vec<u32> = ids.into_iter().filter_map(|id| self.number_of(id)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    pub(crate) fn push(&mut self, row: Row<'_>) {
        let Row { id, folded_title, categories, facts, rendered } = row;
        self.ids.push(id.as_bytes());
        self.titles.push_joined(folded_title.as_bytes(), TITLE_END);
        self.categories.push(categories);
        self.facts.push(facts);
        self.fragments.push(rendered);
    }

    /// Pushes a copy of a product of other columns.
    pub(crate) fn push_copy(&mut self, other: &Self, number: u32) {
        let place = number as usize;
        self.extend_columns(other, place..place + 1);
        self.fragments.push_copy(&other.fragments, number);
    }

    /// Nothing is pushed any more.
    pub(crate) fn close(&mut self) {
        self.fragments.close();
    }

    /// These products without the `hidden` ones, and the newer ones at their places. Both have
    /// ascending ids, and what both have has to be hidden.
    pub(crate) fn merged(&self, hidden: &[u32], newer: &Self) -> Self {
        let mut merge = Merge::new(self, hidden, newer);
        for number in 0..newer.len() {
            let id = newer.id(number);
            let numbers = merge.next..self.len();
            merge.take_until(gallop::partition_point(numbers, |older| self.id(older) < id));
            merge.merged.extend(newer, merge.newer, number..number + 1);
        }
        merge.take_until(self.len());
        merge.merged.fragments.tidy();
        merge.merged
    }

    /// Some of these products, which have to be closed; their JSON is shared.
    pub(crate) fn picked(&self, numbers: impl Iterator<Item = usize>) -> Self {
        let mut picked = Self::default();
        let adopted = picked.fragments.adopt(&self.fragments);
        for number in numbers {
            picked.extend(self, adopted, number..number + 1);
        }
        picked.fragments.tidy();
        picked
    }

    fn extend(&mut self, other: &Self, adopted: Adopted, range: Range<usize>) {
        self.extend_columns(other, range.clone());
        self.fragments.extend(&other.fragments, adopted, range);
    }

    fn extend_columns(&mut self, other: &Self, range: Range<usize>) {
        self.ids.extend(&other.ids, range.clone());
        self.titles.extend(&other.titles, range.clone());
        self.categories.extend(&other.categories, range.clone());
        self.facts.extend_from_slice(other.facts.get(range).unwrap_or_default());
    }

    fn reserve_for(&mut self, one: &Self, other: &Self) {
        self.ids.reserve_for(&one.ids, &other.ids);
        self.titles.reserve_for(&one.titles, &other.titles);
        self.categories.reserve_for(&one.categories, &other.categories);
        self.facts.reserve_exact(one.len() + other.len());
        self.fragments.reserve_for(&one.fragments, &other.fragments);
    }

    /// The JSON of all products, in bytes.
    pub(crate) fn rendered_bytes(&self) -> usize {
        self.fragments.rendered_bytes()
    }

    /// All that it holds, the JSON included, in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let lists = self.ids.memory_bytes() + self.titles.memory_bytes() + self.categories.memory_bytes();
        lists + self.facts.capacity() * size_of::<Facts>() + self.fragments.memory_bytes()
    }
}

/// The bytes of ids, as columns hold them.
pub(crate) fn id_bytes(ids: &[ProductId]) -> impl Iterator<Item = &[u8]> {
    ids.iter().map(|id| id.as_str().as_bytes())
}

/// Older products on their way into merged ones.
struct Merge<'p> {
    older: &'p Products,
    hidden: &'p [u32],
    merged: Products,
    /// How the fragments of both are shared.
    adopted: Adopted,
    newer: Adopted,
    /// The next older product.
    next: usize,
}

impl<'p> Merge<'p> {
    fn new(older: &'p Products, hidden: &'p [u32], newer: &Products) -> Self {
        let mut merged = Products::default();
        merged.reserve_for(older, newer);
        let adopted = merged.fragments.adopt(&older.fragments);
        let newer = merged.fragments.adopt(&newer.fragments);
        Self { older, hidden, merged, adopted, newer, next: 0 }
    }

    /// Takes the older products before this one that are not hidden.
    fn take_until(&mut self, end: usize) {
        while let Some((&first, rest)) = self.hidden.split_first()
            && (first as usize) < end
        {
            self.merged.extend(self.older, self.adopted, self.next..first as usize);
            self.next = first as usize + 1;
            self.hidden = rest;
        }
        self.merged.extend(self.older, self.adopted, self.next..end.max(self.next));
        self.next = end.max(self.next);
    }
}
