//! What happened to products, in order of arrival.

use std::cmp::Ordering;

use crate::facts::Facts;
use crate::fragments::Fragment;
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
        let nothing =
            Row { id, folded_title: "", categories: &[], facts: Facts::NONE, rendered: Fragment::NONE };
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
        let is_upsert = |&change: &usize| self.is_upsert.get(change).copied().unwrap_or_default();
        self.products.picked(self.last_by_id().into_iter().filter(is_upsert))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rendered_products_are_shared_however_they_came() {
        let mut changes = Changes::default();
        for (id, json) in [("b", "b1"), ("a", "a1"), ("c", "c1"), ("b", "b2")] {
            let rendered = Fragment { json: json.as_bytes(), hash: 0 };
            let row = Row { id, folded_title: "", categories: &[], facts: Facts::NONE, rendered };
            changes.upsert(row);
        }
        changes.remove("a");
        changes.products.close();
        let address = |products: &Products, number| products.fragment(number).unwrap().json.as_ptr();
        let came = [3, 2].map(|number| address(&changes.products, number));
        let upserted = changes.into_upserted();
        assert_eq!([0, 1].map(|number| address(&upserted, number)), came);
        assert_eq!([0, 1].map(|number| upserted.id(number)), [b"b", b"c"]);
        assert_eq!(upserted.len(), 2);
    }
}
