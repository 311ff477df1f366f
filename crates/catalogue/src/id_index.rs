//! From ids to numbers, by hashes: a product is asked for far more often than a segment is made.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;
use siphasher::sip::SipHasher13;

use crate::products::Products;

/// The numbers of products by the hashes of their ids. The key of the hash is random, so no client who chooses ids can
/// make them collide.
#[derive(Debug)]
pub(crate) struct IdIndex {
    numbers: HashTable<u32>,
    hasher: SipHasher13,
}

impl IdIndex {
    /// Takes all products.
    pub(crate) fn new(products: &Products) -> Self {
        let random = RandomState::new();
        let hasher = SipHasher13::new_with_keys(random.hash_one(0), random.hash_one(1));
        let mut numbers = HashTable::with_capacity(products.len());
        let hash = |number: u32| hasher.hash(products.id(number as usize));
        for number in products.numbers() {
            numbers.insert_unique(hash(number), number, |&number| hash(number));
        }
        Self { numbers, hasher }
    }

    pub(crate) fn number_of(&self, id: &[u8], products: &Products) -> Option<u32> {
        self.numbers.find(self.hasher.hash(id), |&number| products.id(number as usize) == id).copied()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.numbers.allocation_size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::products::Row;

    fn products(ids: impl IntoIterator<Item = String>) -> Products {
        let mut products = Products::default();
        ids.into_iter().for_each(|id| products.push(Row::nothing(&id)));
        products
    }

    #[test]
    fn each_id_is_found_and_no_other() {
        for count in [0, 1, 2, 3, 1_000] {
            let products = products((0..count).map(|number| format!("p{number}")));
            let index = IdIndex::new(&products);
            let found = |id: &str| index.number_of(id.as_bytes(), &products);
            assert!((0..count).all(|number| found(&format!("p{number}")) == Some(number)));
            assert_eq!([found("p"), found(""), found(&format!("p{count}"))], [None; 3]);
        }
    }
}
