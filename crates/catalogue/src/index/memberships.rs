//! Which filters each product passes, worked out once for all orders.

use std::collections::HashMap;

use crate::index::facts::Facts;
use crate::index::lists::Lists;
use crate::index::numbers::narrow;
use crate::index::products::Products;
use crate::index::rules::Rules;

/// The set of products with low stock.
pub(crate) const LOW_STOCK: usize = 0;
/// The set of products with a sale price.
pub(crate) const ON_SALE: usize = 1;
/// The set of popular products: those marked so, and the most ordered.
pub(crate) const POPULAR: usize = 2;
/// The set of the tree's first category; the others follow.
pub(crate) const FIRST_CATEGORY: usize = 3;

/// For each product the sets that it belongs to. Products of the same flags and categories, of
/// which a catalogue has many, share one list, so that going through an order stays in the
/// processor's cache.
#[derive(Debug)]
pub(crate) struct Memberships {
    /// By product number: which list.
    places: Vec<u32>,
    /// Sets, ascending.
    lists: Lists<usize>,
    set_count: usize,
}

impl Memberships {
    /// Takes the numbers of the most ordered products, ascending, each once.
    pub(crate) fn new(products: &Products, most_ordered: &[u32], rules: &Rules) -> Self {
        let mut known = HashMap::new();
        let mut lists = Lists::default();
        let place = |(number, facts): (u32, &Facts)| {
            let mut flags = [false; FIRST_CATEGORY];
            flags[LOW_STOCK] = facts.is_low_stock(rules.options.low_stock_threshold);
            flags[ON_SALE] = facts.on_sale;
            flags[POPULAR] = facts.popular || most_ordered.binary_search(&number).is_ok();
            let key = (flags, products.categories(number));
            *known.entry(key).or_insert_with(|| {
                lists.push(&sets(key.0, key.1, rules));
                narrow(lists.len() - 1)
            })
        };
        let places = products.numbers().zip(products.facts()).map(place).collect();
        Self { places, lists, set_count: FIRST_CATEGORY + rules.categories.len() }
    }

    /// The sets of a product.
    pub(crate) fn sets_of(&self, number: u32) -> &[usize] {
        self.places.get(number as usize).map_or(&[], |&place| self.lists.get(place as usize))
    }

    pub(crate) fn set_count(&self) -> usize {
        self.set_count
    }
}

fn sets(flags: [bool; FIRST_CATEGORY], categories: &[u32], rules: &Rules) -> Vec<usize> {
    let index = |&number: &u32| rules.categories.index_of(rules.category_numbers.id(number)?);
    let lineages = categories.iter().filter_map(index).flat_map(|index| rules.categories.lineage(index));
    let mut sets: Vec<usize> = lineages.map(|index| FIRST_CATEGORY + index).collect();
    sets.extend(flags.into_iter().enumerate().filter(|(_, is_in)| *is_in).map(|(set, _)| set));
    sets.sort_unstable();
    sets.dedup();
    sets
}
