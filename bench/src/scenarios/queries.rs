//! Different queries with filters.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, ensure};
use xtask::operate::numbers::Numbers;

use crate::data::catalogue::{draw_category, draw_root};
use crate::service::Target;

/// How many different queries are sent in turn.
const QUERIES: usize = 4_000;
/// The least number of different queries. Fewer would measure repeated queries.
const QUERIES_MIN: usize = 64;
/// How many draws are allowed per wanted query, because some repeat or match nothing.
const DRAWS_PER_QUERY: usize = 4;
/// Page sizes around the default, so that queries of a filter without a value differ too.
const PAGE_SIZES: std::ops::RangeInclusive<u32> = 10..=20;

/// Every filter except the title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Filter {
    Category,
    MinPrice,
    MaxPrice,
    NewProducts,
    LowStock,
    OnSale,
    OnlyPopular,
    /// All of them in one query.
    Together,
    /// Each of them in every second query.
    Mixed,
}

use Filter::{Category, LowStock, MaxPrice, MinPrice, Mixed, NewProducts, OnSale, OnlyPopular, Together};

const ALONE: [Filter; 7] = [Category, MinPrice, MaxPrice, NewProducts, LowStock, OnSale, OnlyPopular];

/// All kinds of queries.
pub(super) const FILTERS: [Filter; 9] =
    [Category, MinPrice, MaxPrice, NewProducts, LowStock, OnSale, OnlyPopular, Together, Mixed];

impl Filter {
    pub(super) fn name(self) -> &'static str {
        match self {
            Category => "filter, category",
            MinPrice => "filter, minPrice",
            MaxPrice => "filter, maxPrice",
            NewProducts => "filter, newProducts",
            LowStock => "filter, lowStock",
            OnSale => "filter, onSale",
            OnlyPopular => "filter, onlyPopular",
            Together => "filters, all together",
            Mixed => "filters, every second one",
        }
    }

    /// A random query of this kind, without its page.
    fn draw(self, numbers: &mut Numbers) -> String {
        match self {
            Category => format!("filter[category]={}", draw_category(numbers)),
            MinPrice => format!("filter[minPrice]={}", numbers.next(180_000)),
            MaxPrice => format!("filter[maxPrice]={}", 20_000 + numbers.next(180_000)),
            NewProducts => "filter[newProducts]=true".to_owned(),
            LowStock => "filter[lowStock]=true".to_owned(),
            OnSale => "filter[onSale]=true".to_owned(),
            OnlyPopular => "filter[onlyPopular]=true".to_owned(),
            Together => draw_together(numbers),
            Mixed => {
                let some: Vec<_> = ALONE.iter().filter(|_| numbers.one_in(2)).collect();
                let drawn: Vec<_> = some.into_iter().map(|filter| filter.draw(numbers)).collect();
                drawn.join("&")
            }
        }
    }

    /// Different queries of this kind. Each page has products.
    pub(super) fn queries(self, target: &Target) -> Result<Vec<String>> {
        let mut numbers = Numbers::new(0x6669_6c74 + self as u64);
        let (mut queries, mut totals) = (BTreeSet::new(), BTreeMap::new());
        for _ in 0..QUERIES * DRAWS_PER_QUERY {
            let filter = self.draw(&mut numbers);
            let total = match totals.get(&filter) {
                Some(total) => *total,
                None => target.total(&filter)?,
            };
            totals.insert(filter.clone(), total);
            if total > 0 {
                queries.insert(draw_page(&filter, total, &mut numbers));
            }
            if queries.len() == QUERIES {
                break;
            }
        }
        ensure!(queries.len() >= QUERIES_MIN, "only {} different queries of {}", queries.len(), self.name());
        Ok(shuffled(queries.into_iter().collect(), &mut numbers))
    }
}

/// A random query with all filters. Its price range is wide enough to match products.
fn draw_together(numbers: &mut Numbers) -> String {
    let (min, max) = (numbers.next(50_000), 120_000 + numbers.next(80_000));
    let flags = [NewProducts, LowStock, OnSale, OnlyPopular].map(|flag| flag.draw(numbers)).join("&");
    format!("filter[category]={}&filter[minPrice]={min}&filter[maxPrice]={max}&{flags}", draw_root(numbers))
}

/// A random page with products, of about the default size, in a random sort order.
fn draw_page(filter: &str, total: u32, numbers: &mut Numbers) -> String {
    let size = PAGE_SIZES.start() + numbers.next(PAGE_SIZES.end() - PAGE_SIZES.start() + 1);
    let page = 1 + numbers.next(total.div_ceil(size));
    let sort = numbers.pick(&["", "&sort=price", "&sort=-price"]);
    format!("{filter}&page[number]={page}&page[size]={size}{sort}")
}

/// The same things in random order, so that neighbours differ.
pub(super) fn shuffled<T>(mut things: Vec<T>, numbers: &mut Numbers) -> Vec<T> {
    for place in (1..things.len()).rev() {
        things.swap(place, numbers.place(place + 1));
    }
    things
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_is_within_the_total() {
        let mut numbers = Numbers::new(1);
        for _ in 0..200 {
            let query = draw_page("filter[onSale]=true", 25, &mut numbers);
            let number = query.split("page[number]=").nth(1).and_then(|rest| rest.split('&').next());
            assert!(["1", "2", "3"].contains(&number.unwrap()), "{query}");
        }
        assert!(draw_page("", 1, &mut numbers).starts_with("&page[number]=1&"));
    }

    #[test]
    fn all_filters_together_are_in_one_query() {
        let query = Together.draw(&mut Numbers::new(1));
        let names = ["category", "minPrice", "maxPrice", "newProducts", "lowStock", "onSale", "onlyPopular"];
        assert!(names.iter().all(|name| query.contains(&format!("filter[{name}]="))), "{query}");
    }

    #[test]
    fn shuffling_loses_nothing() {
        let mut shuffled = shuffled((0..50).collect(), &mut Numbers::new(1));
        assert_ne!(shuffled, (0..50).collect::<Vec<_>>());
        shuffled.sort_unstable();
        assert_eq!(shuffled, (0..50).collect::<Vec<_>>());
    }
}
