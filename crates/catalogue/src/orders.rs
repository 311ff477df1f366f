//! The three orders of a snapshot, and where a filter's prices and times lie in them.

use std::ops::Range;
use std::sync::Arc;
use std::thread::Builder;

use pointbook_domain::Timestamp;

use crate::crossing::{Crossing, Window};
use crate::facts::Facts;
use crate::flagged::{FlagWindow, flag_crossing};
use crate::memberships::{FIRST_CATEGORY, Memberships};
use crate::order::Order;
use crate::products::Products;
use crate::query::{ProductFilter, ProductQuery, ProductSort};
use crate::rank_set::RankSet;
use crate::ranking::Ranking;

/// So many products are sorted by two threads: the first list of a large catalogue waits for it.
const LARGE: usize = 200_000;

/// The listed products in every order.
#[derive(Debug)]
pub(crate) struct Orders {
    by_sort: BySort<Order>,
    /// By flag.
    flagged: BySort<Vec<Crossing>>,
    /// Effective prices in ascending order, in points.
    prices: Vec<i64>,
    /// Publication times, latest first.
    published: Vec<Timestamp>,
}

impl Orders {
    /// Sorts the products with these numbers, which ascend as the ids do.
    pub(crate) fn new(products: &Products, listed: &[u32], memberships: &Memberships) -> Self {
        let rank = |numbers: Vec<u32>| Arc::new(Ranking::new(numbers, products.len()));
        let is_large = listed.len() >= LARGE;
        let by_time = || rank(sorted_by(products, listed, |facts| -facts.published_at.as_micros()));
        let (newest, (descending, ascending)) = both(is_large, by_time, || {
            let by_price = sorted_by(products, listed, |facts| facts.price);
            (rank(groups_reversed(products, &by_price)), rank(by_price))
        });
        let order = |ranking, crossed: &Ranking| Order::new(ranking, memberships, crossed);
        let in_descent = || {
            let prices = column(products, &ascending, |facts| facts.price);
            let published = column(products, &newest, |facts| facts.published_at);
            (order(&descending, &newest), prices, published)
        };
        let ((price_descending, prices, published), (newest, price_ascending)) =
            both(is_large, in_descent, || (order(&newest, &ascending), order(&ascending, &newest)));
        let by_sort = BySort { newest, price_ascending, price_descending };
        let flagged = BySort::of(|sort| {
            let crossing = |flag| flag_crossing(by_sort.get(sort), flag_sets(&by_sort, sort, flag));
            (0..FIRST_CATEGORY).map(crossing).collect()
        });
        Self { by_sort, flagged, prices, published }
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

    /// The products of a flag in a window.
    pub(crate) fn flag_window(
        &self,
        sort: ProductSort,
        flag: usize,
        window: Window,
    ) -> Option<FlagWindow<'_>> {
        let crossing = self.flagged.get(sort).get(flag)?;
        Some(FlagWindow::new(self.order(sort), flag_sets(&self.by_sort, sort, flag), crossing, window))
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
                rank(first)..rank(self.published.partition_point(|&other| other >= at))
            }
            ProductSort::PriceAscending => self.equal_prices(facts.price),
            ProductSort::PriceDescending => self.mirrored(&self.equal_prices(facts.price)),
        };
        let by_id = self.order(sort).ranking().numbers();
        let by_id = by_id.get(equal.start as usize..equal.end as usize).unwrap_or_default();
        equal.start + rank(by_id.partition_point(|&number| (number as usize) < id_place))
    }

    fn equal_prices(&self, price: i64) -> Range<u32> {
        let first = self.prices.partition_point(|&other| other < price);
        rank(first)..rank(self.prices.partition_point(|&other| other <= price))
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
        let flagged: usize = self.flagged.iter().flatten().map(Crossing::memory_bytes).sum();
        let orders: usize = flagged + self.by_sort.iter().map(Order::memory_bytes).sum::<usize>();
        orders + size_of::<i64>() * (self.prices.capacity() + self.published.capacity())
    }
}

/// The set of a flag, in an order and in the order across.
fn flag_sets(orders: &BySort<Order>, sort: ProductSort, flag: usize) -> (&RankSet, &RankSet) {
    (orders.get(sort).sets().flag(flag), orders.get(across(sort)).sets().flag(flag))
}

/// Times lie across prices, and prices across times.
fn across(sort: ProductSort) -> ProductSort {
    match sort {
        ProductSort::Newest => ProductSort::PriceAscending,
        ProductSort::PriceAscending | ProductSort::PriceDescending => ProductSort::Newest,
    }
}

/// Does both, at the same time where that is worth it.
fn both<A: Send, B>(is_worth_it: bool, one: impl Fn() -> A + Sync, other: impl FnOnce() -> B) -> (A, B) {
    if is_worth_it { on_two_threads(Builder::new(), one, other) } else { (one(), other()) }
}

/// Does one on a thread of its own, and both on this one where none can be had.
fn on_two_threads<A: Send, B>(
    thread: Builder,
    one: impl Fn() -> A + Sync,
    other: impl FnOnce() -> B,
) -> (A, B) {
    std::thread::scope(|scope| {
        let elsewhere = thread.spawn_scoped(scope, &one);
        let other = other();
        let one = match elsewhere {
            Ok(elsewhere) => elsewhere.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => one(),
        };
        (one, other)
    })
}

#[derive(Debug)]
pub(crate) struct BySort<T> {
    newest: T,
    price_ascending: T,
    price_descending: T,
}

impl<T> BySort<T> {
    pub(crate) fn of(make: impl Fn(ProductSort) -> T) -> Self {
        Self {
            newest: make(ProductSort::Newest),
            price_ascending: make(ProductSort::PriceAscending),
            price_descending: make(ProductSort::PriceDescending),
        }
    }

    pub(crate) fn get(&self, sort: ProductSort) -> &T {
        match sort {
            ProductSort::Newest => &self.newest,
            ProductSort::PriceAscending => &self.price_ascending,
            ProductSort::PriceDescending => &self.price_descending,
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        [&self.newest, &self.price_ascending, &self.price_descending].into_iter()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_second_thread_both_are_done_on_the_first() {
        let no_thread = || Builder::new().stack_size(isize::MAX as usize & !0xFFFF);
        assert!(no_thread().spawn(|| ()).is_err());
        let here = std::thread::current().id();
        let elsewhere = on_two_threads(Builder::new(), || std::thread::current().id(), || 1);
        assert_ne!(elsewhere, (here, 1));
        assert_eq!(on_two_threads(no_thread(), || std::thread::current().id(), || 1), (here, 1));
    }
}
