//! What happened to products, in order of arrival.

use std::cmp::Ordering;

use crate::facts::Facts;
use crate::products::{Products, Row};

/// Changes as they came. Of several changes of one id the last counts.
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
        let nothing = Row { id, folded_title: "", categories: &[], facts: Facts::NONE, json: b"" };
        self.products.push(nothing);
        self.is_upsert.push(false);
    }

    /// The ids of all that changed; some may come twice.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.products.len()).map(|change| self.products.id(change))
    }

    /// The products that were added or changed, by id, as they are at the end.
    pub(crate) fn into_upserted(mut self) -> Products {
        self.products.close();
        if self.is_upsert.iter().all(|&is_upsert| is_upsert)
            && self.ids().is_sorted_by(|one, next| one < next)
        {
            // As they come from a database.
            return self.products;
        }
        let mut upserted = Products::default();
        for change in self.last_by_id() {
            if self.is_upsert.get(change).copied().unwrap_or_default() {
                upserted.push_copy(&self.products, u32::try_from(change).unwrap_or(u32::MAX));
            }
        }
        upserted.close();
        upserted
    }

    /// The last change of each id, by ascending id.
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
