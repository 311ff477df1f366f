//! All products that a snapshot holds, by columns; a product's number is its place.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use pointbook_domain::{Product, ProductId, Timestamp};

use crate::gallop;
use crate::lists::Lists;

/// Stands behind each folded title. No UTF-8 text holds it, so no match crosses two titles.
const TITLE_END: u8 = 0xFF;

/// What filters and sorts look at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    /// Effective price, in points.
    pub(crate) price: i64,
    pub(crate) published_at: Timestamp,
    /// Pieces left; none means unlimited.
    pub(crate) stock: Option<u32>,
    pub(crate) active: bool,
    pub(crate) popular: bool,
    pub(crate) on_sale: bool,
}

impl Facts {
    pub(crate) fn of(product: &Product) -> Self {
        Self {
            price: product.effective_price().get(),
            published_at: product.published_at,
            stock: product.stock,
            active: product.active,
            popular: product.popular,
            on_sale: product.sale_price.is_some(),
        }
    }

    /// Whether the product exists for clients.
    pub(crate) fn is_visible_at(&self, now: Timestamp) -> bool {
        self.active && self.published_at <= now
    }

    pub(crate) fn is_sold_out(&self) -> bool {
        self.stock == Some(0)
    }

    pub(crate) fn is_low_stock(&self, threshold: u32) -> bool {
        self.stock.is_some_and(|pieces| pieces > 0 && pieces <= threshold)
    }
}

/// The columns. In a snapshot the ids ascend; in a builder they stand as they came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Products {
    ids: Lists<u8>,
    titles: Lists<u8>,
    categories: Lists<u32>,
    facts: Vec<Facts>,
    rendered: Vec<Arc<[u8]>>,
}

/// One product of the columns.
pub(crate) struct Row<'p> {
    pub(crate) id: &'p str,
    pub(crate) folded_title: &'p str,
    pub(crate) categories: &'p [u32],
    pub(crate) facts: Facts,
    pub(crate) rendered: Arc<[u8]>,
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

    /// The JSON that clients see.
    pub(crate) fn rendered(&self, number: u32) -> Option<&[u8]> {
        self.rendered.get(number as usize).map(|json| &**json)
    }

    /// The number of an id, where ids ascend.
    pub(crate) fn number_of(&self, id: &str) -> Option<u32> {
        let numbers = 0..self.len();
        let found = gallop::halve(numbers, |number| self.id(number) < id.as_bytes());
        (self.id(found) == id.as_bytes()).then(|| u32::try_from(found).ok()).flatten()
    }

    /// The numbers of those ids that are known, ascending, each once.
    pub(crate) fn numbers_of(&self, ids: &[ProductId]) -> Vec<u32> {
        let mut numbers: Vec<u32> = ids.iter().filter_map(|id| self.number_of(id.as_str())).collect();
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
        self.rendered.push(rendered);
    }

    /// Merges changes into products whose ids ascend. Of several changes of one id the last counts.
    pub(crate) fn with_changes(&self, changes: &Changes) -> Self {
        let mut merged = Self::with_room_for(self, &changes.products);
        let mut next = 0;
        for change in changes.last_by_id() {
            let id = changes.products.id(change);
            let found = gallop::partition_point(next..self.len(), |number| self.id(number) < id);
            merged.extend(self, next..found);
            let is_known = found < self.len() && self.id(found) == id;
            next = found + usize::from(is_known);
            if changes.is_upsert(change) {
                merged.extend(&changes.products, change..change + 1);
            }
        }
        merged.extend(self, next..self.len());
        merged
    }

    fn with_room_for(one: &Self, other: &Self) -> Self {
        let mut room = Self::default();
        room.ids.reserve_for(&one.ids, &other.ids);
        room.titles.reserve_for(&one.titles, &other.titles);
        room.categories.reserve_for(&one.categories, &other.categories);
        room.facts.reserve_exact(one.len() + other.len());
        room.rendered.reserve_exact(one.len() + other.len());
        room
    }

    fn extend(&mut self, other: &Self, range: Range<usize>) {
        self.ids.extend(&other.ids, range.clone());
        self.titles.extend(&other.titles, range.clone());
        self.categories.extend(&other.categories, range.clone());
        self.facts.extend_from_slice(other.facts.get(range.clone()).unwrap_or_default());
        self.rendered.extend_from_slice(other.rendered.get(range).unwrap_or_default());
    }

    /// The JSON of all products, in bytes.
    pub(crate) fn rendered_bytes(&self) -> usize {
        self.rendered.iter().map(|json| json.len()).sum()
    }

    /// All but the JSON itself, in bytes.
    pub(crate) fn index_bytes(&self) -> usize {
        /// An allocation of its own costs two reference counts and the allocator's header.
        const ALLOCATION_BYTES: usize = 24;
        let rendered =
            self.rendered.len() * ALLOCATION_BYTES + self.rendered.capacity() * size_of::<Arc<[u8]>>();
        let lists = self.ids.memory_bytes() + self.titles.memory_bytes() + self.categories.memory_bytes();
        lists + self.facts.capacity() * size_of::<Facts>() + rendered
    }
}

/// What happened to products, in order of arrival.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// One row for each change; that of a removal has only its id.
    products: Products,
    is_upsert: Vec<bool>,
}

impl Changes {
    pub(crate) fn upsert(&mut self, row: Row<'_>) {
        self.products.push(row);
        self.is_upsert.push(true);
    }

    pub(crate) fn remove(&mut self, id: &str) {
        let facts = Facts {
            price: 0,
            published_at: Timestamp::MIN,
            stock: None,
            active: false,
            popular: false,
            on_sale: false,
        };
        let nothing = Row { id, folded_title: "", categories: &[], facts, rendered: Arc::from([]) };
        self.products.push(nothing);
        self.is_upsert.push(false);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.is_upsert.is_empty()
    }

    fn is_upsert(&self, change: usize) -> bool {
        self.is_upsert.get(change).copied().unwrap_or_default()
    }

    /// The last change of each id, by ascending id. Changes that came in that order, as they do
    /// from a database, are only compared once.
    fn last_by_id(&self) -> Vec<usize> {
        let mut changes: Vec<usize> = (0..self.products.len()).collect();
        let by_id =
            |&one: &usize, &other: &usize| -> Ordering { self.products.id(one).cmp(self.products.id(other)) };
        changes.sort_by(by_id);
        changes.reverse();
        changes.dedup_by(|one, other| by_id(one, other).is_eq());
        changes.reverse();
        changes
    }
}
