//! What decides how products are seen, besides the products themselves.

use std::collections::HashMap;
use std::sync::Arc;

use pointbook_domain::{CategoryId, ProductId};

use crate::categories::Categories;
use crate::content_key::ContentKey;
use crate::numbers::narrow;

/// How clients see the catalogue; a change makes a new snapshot from all products.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotOptions {
    /// Limited stock at or below this many pieces, and not sold out, is low.
    pub low_stock_threshold: u32,
    /// Whether sold-out products leave the list. They can still be looked at one by one.
    pub hide_sold_out: bool,
}

/// Shared by all segments of a snapshot.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) options: SnapshotOptions,
    pub(crate) categories: Arc<Categories>,
    /// Under which fragments and categories are hashed.
    pub(crate) content_key: Arc<ContentKey>,
    pub(crate) category_numbers: Arc<CategoryNumbers>,
    /// By id, each once.
    pub(crate) most_ordered: Arc<[ProductId]>,
}

impl Rules {
    /// The ids that are among the most ordered by one of the two only.
    pub(crate) fn popularity_changes<'r>(&'r self, other: &'r Self) -> Vec<&'r [u8]> {
        let only_in = |one: &'r [ProductId], other: &'r [ProductId]| {
            one.iter().filter(|&id| other.binary_search(id).is_err()).map(|id| id.as_str().as_bytes())
        };
        let (one, other) = (&*self.most_ordered, &*other.most_ordered);
        if std::ptr::eq(one, other) {
            return Vec::new();
        }
        only_in(one, other).chain(only_in(other, one)).collect()
    }
}

/// A number for each category id that a product ever named, whether the tree has it or not.
#[derive(Debug, Clone, Default)]
pub(crate) struct CategoryNumbers {
    numbers: HashMap<CategoryId, u32>,
    ids: Vec<CategoryId>,
}

impl CategoryNumbers {
    /// The number of an id, if it has one.
    pub(crate) fn get(&self, id: &CategoryId) -> Option<u32> {
        self.numbers.get(id).copied()
    }

    /// Gives the next number to an id that has none.
    pub(crate) fn insert(&mut self, id: &CategoryId) -> u32 {
        let number = narrow(self.ids.len());
        self.numbers.insert(id.clone(), number);
        self.ids.push(id.clone());
        number
    }

    pub(crate) fn id(&self, number: u32) -> Option<&CategoryId> {
        self.ids.get(number as usize)
    }
}
