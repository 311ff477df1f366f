//! The three orders of a snapshot, and where a filter's prices and times lie in them.

use std::ops::Range;
use std::sync::Arc;

use pointbook_domain::Timestamp;

use crate::index::facts::Facts;
use crate::index::memberships::Memberships;
use crate::index::numbers::narrow;
use crate::index::order::{Order, Window};
use crate::index::products::Products;
use crate::index::query::{ProductFilter, ProductQuery, ProductSort};
use crate::index::ranking::Ranking;

/// The listed products in every order.
#[derive(Debug)]
pub(crate) struct Orders {
    by_sort: BySort<Order>,
    /// Effective prices in ascending order, in points.
    prices: Vec<i64>,
    /// Publication times, latest first.
    published: Vec<Timestamp>,
}

impl Orders {
    /// Sorts the products with these numbers, which ascend as the ids do.
    pub(crate) fn new(products: &Products, listed: &[u32], memberships: &Memberships) -> Self {
        let rankings = BySort::of(|sort| {
            let numbers = match sort {
                ProductSort::Newest => sorted_by(products, listed, |facts| -facts.published_at.as_micros()),
                ProductSort::PriceAscending => sorted_by(products, listed, |facts| facts.price),
                ProductSort::PriceDescending => sorted_by(products, listed, |facts| -facts.price),
            };
            Arc::new(Ranking::new(numbers, products.len()))
        });
        let ranking = |sort| rankings.get(sort);
        Self {
            by_sort: BySort::of(|sort| Order::new(ranking(sort), memberships, ranking(across(sort)))),
            prices: column(products, ranking(ProductSort::PriceAscending), |facts| facts.price),
            published: column(products, ranking(ProductSort::Newest), |facts| facts.published_at),
        }
    }

    /// Where a query's prices and publication times lie in the order that it asks for.
    pub(crate) fn window(&self, query: &ProductQuery) -> Window {
        let prices = self.price_range(&query.filter);
        let published = self.published_range(&query.filter);
        match query.sort {
            ProductSort::Newest => Window { own: published, crossed: prices },
            ProductSort::PriceAscending => Window { own: prices, crossed: published },
            ProductSort::PriceDescending => Window { own: self.mirrored(&prices), crossed: published },
        }
    }

    pub(crate) fn order(&self, sort: ProductSort) -> &Order {
        self.by_sort.get(sort)
    }

    /// The order that this one is crossed with.
    pub(crate) fn across(&self, sort: ProductSort) -> &Order {
        self.by_sort.get(across(sort))
    }

    /// The rank in an order that a product of other facts would stand right before; `id_place` is the
    /// number of the first product whose id is not before its id.
    pub(crate) fn place_of(&self, sort: ProductSort, facts: &Facts, id_place: usize) -> u32 {
        let equal = match sort {
            ProductSort::Newest => {
                let at = facts.published_at;
                let first = self.published.partition_point(|&other| other > at);
                narrow(first)..narrow(self.published.partition_point(|&other| other >= at))
            }
            ProductSort::PriceAscending => self.equal_prices(facts.price),
            ProductSort::PriceDescending => self.mirrored(&self.equal_prices(facts.price)),
        };
        let by_id = self.order(sort).ranking().numbers();
        let by_id = by_id.get(equal.start as usize..equal.end as usize).unwrap_or_default();
        equal.start + narrow(by_id.partition_point(|&number| (number as usize) < id_place))
    }

    fn equal_prices(&self, price: i64) -> Range<u32> {
        let first = self.prices.partition_point(|&other| other < price);
        narrow(first)..narrow(self.prices.partition_point(|&other| other <= price))
    }

    /// Ranks in ascending order of price.
    fn price_range(&self, filter: &ProductFilter) -> Range<u32> {
        let first = filter.min_price.map_or(0, |min| self.prices.partition_point(|&price| price < min));
        let end = filter
            .max_price
            .map_or(self.prices.len(), |max| self.prices.partition_point(|&price| price <= max));
        narrow(first)..narrow(end.max(first))
    }

    /// The same prices in descending order: only the order within one price differs.
    fn mirrored(&self, prices: &Range<u32>) -> Range<u32> {
        let count = narrow(self.prices.len());
        count - prices.end..count - prices.start
    }

    /// Ranks in the newest order.
    fn published_range(&self, filter: &ProductFilter) -> Range<u32> {
        let is_new = |since: Timestamp| self.published.partition_point(|&at| at > since);
        0..narrow(filter.new_since.map_or(self.published.len(), is_new))
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let orders: usize = self.by_sort.iter().map(Order::memory_bytes).sum();
        orders + size_of::<i64>() * (self.prices.capacity() + self.published.capacity())
    }
}

/// Times lie across prices, and prices across times.
fn across(sort: ProductSort) -> ProductSort {
    match sort {
        ProductSort::Newest => ProductSort::PriceAscending,
        ProductSort::PriceAscending | ProductSort::PriceDescending => ProductSort::Newest,
    }
}

/// Something for each of the orders.
#[derive(Debug)]
pub(crate) struct BySort<T>([T; 3]);

impl<T> BySort<T> {
    pub(crate) fn of(make: impl Fn(ProductSort) -> T) -> Self {
        Self([ProductSort::Newest, ProductSort::PriceAscending, ProductSort::PriceDescending].map(make))
    }

    pub(crate) fn get(&self, sort: ProductSort) -> &T {
        let [newest, price_ascending, price_descending] = &self.0;
        match sort {
            ProductSort::Newest => newest,
            ProductSort::PriceAscending => price_ascending,
            ProductSort::PriceDescending => price_descending,
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }
}

/// Sorts numbers by a key, then by number, which is by id.
fn sorted_by(products: &Products, numbers: &[u32], key: impl Fn(&Facts) -> i64) -> Vec<u32> {
    let keyed = |&number: &u32| Some((key(products.facts().get(number as usize)?), number));
    let mut keyed: Vec<(i64, u32)> = numbers.iter().filter_map(keyed).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, number)| number).collect()
}

fn column<T>(products: &Products, ranking: &Ranking, value: impl Fn(&Facts) -> T) -> Vec<T> {
    let mut values = Vec::with_capacity(ranking.numbers().len());
    let facts = ranking.numbers().iter().filter_map(|&number| products.facts().get(number as usize));
    values.extend(facts.map(value));
    values
}
