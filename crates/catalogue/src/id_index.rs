//! From ids to numbers, by hashes: a product is asked for far more often than a segment is made.

use xxhash_rust::xxh3::xxh3_64;

use crate::products::Products;

/// A place that no number is at.
const FREE: u32 = u32::MAX;

/// The numbers of products, each at the place that the hash of its id says, or at the next free one behind it.
#[derive(Debug)]
pub(crate) struct IdIndex {
    /// As many as a power of two, and at least half of them free.
    places: Vec<u32>,
}

impl IdIndex {
    /// Takes all products.
    pub(crate) fn new(products: &Products) -> Self {
        let mut index = Self { places: vec![FREE; (products.len() * 2).next_power_of_two()] };
        for number in products.numbers() {
            let place = index.find(products.id(number as usize), |taken| taken == FREE);
            if let Some(place) = index.places.get_mut(place) {
                *place = number;
            }
        }
        index
    }

    /// The number of the product with this id.
    pub(crate) fn number_of(&self, id: &[u8], products: &Products) -> Option<u32> {
        let place = self.find(id, |number| number == FREE || products.id(number as usize) == id);
        self.places.get(place).copied().filter(|&number| number != FREE)
    }

    /// The first place from that of the id on at which there is what is looked for. There is always one that is free.
    fn find(&self, id: &[u8], is_it: impl Fn(u32) -> bool) -> usize {
        let last = self.places.len() - 1;
        // No more than what a place is long is looked at of the hash.
        let mut place = usize::try_from(xxh3_64(id) & last as u64).unwrap_or_default();
        while self.places.get(place).is_some_and(|&number| !is_it(number)) {
            place = (place + 1) & last;
        }
        place
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.places.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Facts;
    use crate::products::Row;

    #[test]
    fn each_id_is_found_and_no_other() {
        for count in [0, 1, 2, 3, 1_000] {
            let mut products = Products::default();
            for number in 0..count {
                let row = Row { folded_title: "", categories: &[], facts: Facts::NONE, json: b"", id: "" };
                products.push(Row { id: &format!("p{number}"), ..row });
            }
            let index = IdIndex::new(&products);
            let found = |id: &str| index.number_of(id.as_bytes(), &products);
            assert!((0..count).all(|number| found(&format!("p{number}")) == Some(number)));
            assert_eq!([found("p"), found(""), found(&format!("p{count}"))], [None; 3]);
        }
    }
}
