//! The rules for all products: how customers see the catalogue.

use std::collections::HashMap;
use std::sync::Arc;

use pointbook_domain::{CategoryId, ProductId};
use pointbook_store::content_key::ContentKey;

use crate::index::categories::Categories;
use crate::index::numbers::narrow;

/// How customers see the catalogue. A change rebuilds the snapshot from all products.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotOptions {
    /// Limited stock at or below this many pieces, and not sold out, is low.
    pub low_stock_threshold: u32,
    /// Whether sold-out products leave the list. Customers can still open them by id.
    pub hide_sold_out: bool,
}

/// Shared by all segments of a snapshot.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) options: SnapshotOptions,
    pub(crate) categories: Arc<Categories>,
    /// The key for hashes of fragments and categories.
    pub(crate) content_key: Arc<ContentKey>,
    pub(crate) category_numbers: Arc<CategoryNumbers>,
    /// By id, each once.
    pub(crate) most_ordered: Arc<[ProductId]>,
}

impl Rules {
    /// Whether the product is among the most ordered.
    pub(crate) fn is_most_ordered(&self, id: &str) -> bool {
        self.most_ordered.binary_search_by(|known| known.as_str().cmp(id)).is_ok()
    }

    /// The ids that only one of the two has among the most ordered.
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

/// A number for each category id that a product ever named, in the tree or not.
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

    /// Gives the next number to a new id.
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
