//! The three orders of a snapshot, and where a filter's prices and times lie in them.

use std::ops::Range;

use pointbook_domain::Timestamp;

use crate::filter_sets::FilterSets;
use crate::memberships::Memberships;
use crate::order::{Order, Window};
use crate::products::{Facts, Products};
use crate::query::{ProductFilter, ProductQuery, ProductSort};
use crate::ranking::Ranking;

/// The listed products in every order.
#[derive(Debug)]
pub(crate) struct Orders {
    newest: Order,
    price_ascending: Order,
    price_descending: Order,
    /// Effective prices in ascending order, in points.
    prices: Vec<i64>,
    /// Publication times, latest first.
    published: Vec<Timestamp>,
}

impl Orders {
    /// Sorts the products with these numbers, which ascend as the ids do.
    pub(crate) fn new(products: &Products, listed: &[u32], memberships: &Memberships) -> Self {
        let rank = |numbers: Vec<u32>| Ranking::new(numbers, products.len());
        let by_price = sorted_by(products, listed, |facts| facts.price);
        let descending = rank(groups_reversed(products, &by_price));
        let ascending = rank(by_price);
        let newest = rank(sorted_by(products, listed, |facts| -facts.published_at.as_micros()));
        let prices = column(products, &ascending, |facts| facts.price);
        let published = column(products, &newest, |facts| facts.published_at);

        let order = |ranking: Ranking, crossed: &Ranking| {
            let sets = FilterSets::new(&ranking, memberships);
            Order::new(ranking, sets, crossed)
        };
        let price_descending = order(descending, &newest);
        let newest = order(newest, &ascending);
        let price_ascending = order(ascending, newest.ranking());
        Self { newest, price_ascending, price_descending, prices, published }
    }

    /// The order that a query asks for, and the window of its prices and publication times there.
    pub(crate) fn window(&self, query: &ProductQuery) -> (&Order, Window) {
        let prices = self.price_range(&query.filter);
        let published = self.published_range(&query.filter);
        match query.sort {
            ProductSort::Newest => (&self.newest, Window { own: published, crossed: prices }),
            ProductSort::PriceAscending => {
                (&self.price_ascending, Window { own: prices, crossed: published })
            }
            ProductSort::PriceDescending => {
                let own = self.mirrored(&prices);
                (&self.price_descending, Window { own, crossed: published })
            }
        }
    }

    /// Ranks in ascending order of price.
    fn price_range(&self, filter: &ProductFilter) -> Range<u32> {
        let first = filter.min_price.map_or(0, |min| self.prices.partition_point(|&price| price < min));
        let end = filter
            .max_price
            .map_or(self.prices.len(), |max| self.prices.partition_point(|&price| price <= max));
        rank(first)..rank(end.max(first))
    }

    /// The same prices in descending order: only the order within one price differs.
    fn mirrored(&self, prices: &Range<u32>) -> Range<u32> {
        let count = rank(self.prices.len());
        count - prices.end..count - prices.start
    }

    /// Ranks in the newest order.
    fn published_range(&self, filter: &ProductFilter) -> Range<u32> {
        let is_new = |since: Timestamp| self.published.partition_point(|&at| at > since);
        0..rank(filter.new_since.map_or(self.published.len(), is_new))
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let orders = [&self.newest, &self.price_ascending, &self.price_descending];
        let orders: usize = orders.into_iter().map(Order::memory_bytes).sum();
        orders + size_of::<i64>() * (self.prices.capacity() + self.published.capacity())
    }
}

/// Ranks are places among product numbers, which are 32 bits wide.
fn rank(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// Sorts numbers by a key, then by number, which is by id.
fn sorted_by(products: &Products, numbers: &[u32], key: impl Fn(&Facts) -> i64) -> Vec<u32> {
    let keyed = |&number: &u32| Some((key(products.facts().get(number as usize)?), number));
    let mut keyed: Vec<(i64, u32)> = numbers.iter().filter_map(keyed).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, number)| number).collect()
}

/// Turns an ascending order of price around, but not within one price.
fn groups_reversed(products: &Products, by_price: &[u32]) -> Vec<u32> {
    let price = |number: u32| products.facts().get(number as usize).map(|facts| facts.price);
    let groups = by_price.chunk_by(|&one, &next| price(one) == price(next));
    let mut reversed = Vec::with_capacity(by_price.len());
    groups.rev().for_each(|group| reversed.extend_from_slice(group));
    reversed
}

fn column<T>(products: &Products, ranking: &Ranking, value: impl Fn(&Facts) -> T) -> Vec<T> {
    let mut values = Vec::with_capacity(ranking.numbers().len());
    let facts = ranking.numbers().iter().filter_map(|&number| products.facts().get(number as usize));
    values.extend(facts.map(value));
    values
}
