//! What happened to products, in order of arrival.

use crate::index::products::{Products, Row};

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
        self.products.push(Row::nothing(id));
        self.is_upsert.push(false);
    }

    /// The ids of all that changed; some may come twice.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.products.len()).map(|change| self.products.id(change))
    }

    /// The products that were added or changed, by id, as they are at the end.
    pub(crate) fn into_upserted(mut self) -> Products {
        if self.is_upsert.iter().all(|&is_upsert| is_upsert)
            && self.ids().is_sorted_by(|one, next| one < next)
        {
            // As they come from a database.
            self.products.shrink_to_fit();
            return self.products;
        }
        let mut changes: Vec<usize> = (0..self.products.len()).rev().collect();
        // Stable, so the last change of an id comes first.
        changes.sort_by_key(|&change| self.products.id(change));
        changes.dedup_by_key(|change| self.products.id(*change));
        changes.retain(|&change| self.is_upsert[change]);
        self.products.picked(changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::query::Fragment;

    #[test]
    fn rendered_products_are_shared_however_they_came() {
        let mut changes = Changes::default();
        for (id, json) in [("b", "b1"), ("a", "a1"), ("c", "c1"), ("b", "b2")] {
            changes.upsert(Row { rendered: Fragment { json: json.as_bytes(), hash: 0 }, ..Row::nothing(id) });
        }
        changes.remove("a");
        let address = |products: &Products, number| products.fragment(number).unwrap().json.as_ptr();
        let came = [3, 2].map(|number| address(&changes.products, number));
        let upserted = changes.into_upserted();
        assert_eq!([0, 1].map(|number| address(&upserted, number)), came);
        assert_eq!([0, 1].map(|number| upserted.id(number)), [b"b", b"c"]);
        assert_eq!(upserted.len(), 2);
    }
}
