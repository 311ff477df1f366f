//! From ids to numbers, by hashes: a product is asked for far more often than a segment is made.

use pointbook_store::content_key::ContentKey;

use crate::index::products::Products;

/// A place that no number is at.
const FREE: u32 = u32::MAX;

/// How many places are looked at for one id. Few are needed, since those who choose ids do not know the key of the hash;
/// and a lookup never tries more, with any ids.
const MAX_PROBES: usize = 32;

/// The numbers of products, each at the place that the hash of its id says, or at the next free one behind it. Those
/// that find none near are not in it.
#[derive(Debug)]
pub(crate) struct IdIndex {
    /// As many as a power of two, and at least half of them free.
    places: Vec<u32>,
    /// Random, and no other index has the same.
    key: ContentKey,
}

impl IdIndex {
    /// Takes all products.
    pub(crate) fn new(products: &Products) -> Self {
        Self::with_key(products, ContentKey::random())
    }

    fn with_key(products: &Products, key: ContentKey) -> Self {
        let places = vec![FREE; (products.len() * 2).next_power_of_two()];
        let mut index = Self { places, key };
        for number in products.numbers() {
            let place = index.find(products.id(number as usize), |taken| taken == FREE);
            if let Some(place) = place.and_then(|place| index.places.get_mut(place)) {
                *place = number;
            }
        }
        index
    }

    pub(crate) fn number_of(&self, id: &[u8], products: &Products) -> Option<u32> {
        match self.find(id, |number| number == FREE || products.id(number as usize) == id) {
            Some(place) => self.places.get(place).copied().filter(|&number| number != FREE),
            None => products.number_of(id),
        }
    }

    /// The first place from that of the id on at which there is what is looked for.
    fn find(&self, id: &[u8], is_it: impl Fn(u32) -> bool) -> Option<usize> {
        let last = self.places.len() - 1;
        // No more than what a place is long is looked at of the hash.
        let first = usize::try_from(self.key.scatter(id) & last as u64).unwrap_or_default();
        let mut places = (first..first + MAX_PROBES).map(|place| place & last);
        places.find(|&place| self.places.get(place).is_some_and(|&number| is_it(number)))
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.places.capacity() * size_of::<u32>() + ContentKey::BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::products::Row;

    fn products(ids: impl IntoIterator<Item = String>) -> Products {
        let mut products = Products::default();
        ids.into_iter().for_each(|id| products.push(Row::nothing(&id)));
        products
    }

    #[test]
    fn ids_that_want_the_same_place_are_found_all_the_same() {
        const COUNT: usize = 200;
        let last = (COUNT * 2).next_power_of_two() as u64 - 1;
        let key = ContentKey::random();
        let all = (0..).map(|number: u32| format!("{number:09}"));
        let ids: Vec<_> = all.filter(|id| key.scatter(id.as_bytes()) & last == 7).take(COUNT).collect();
        let products = products(ids.iter().cloned());
        let index = IdIndex::with_key(&products, key);
        assert_eq!(index.places.iter().filter(|&&number| number != FREE).count(), MAX_PROBES);
        for (number, id) in ids.iter().enumerate() {
            assert_eq!(index.number_of(id.as_bytes(), &products), u32::try_from(number).ok());
        }
        assert_eq!(index.number_of(b"999999999", &products), None);
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
