//! The bounds of a price, and which price that is.

use super::super::{DOCUMENTED, Examiner, Walked};
use super::{MAX_PRICE, MIN_PRICE, Single};
use crate::read::Product;
use crate::rule::{FILTERS_PRICE, FILTERS_PRICE_EFFECTIVE, FILTERS_PRICE_EMPTY};

/// A minimum and a maximum.
#[derive(Debug, Clone, Copy)]
struct Bounds(Option<i64>, Option<i64>);

impl Bounds {
    fn include(self, price: i64) -> bool {
        let Self(min, max) = self;
        min.is_none_or(|min| price >= min) && max.is_none_or(|max| price <= max)
    }

    fn enclose(self, price: i64) -> bool {
        let Self(min, max) = self;
        min.is_none_or(|min| price > min) && max.is_none_or(|max| price < max)
    }
}

/// A way to understand bounds: its name, and whether a product is within.
type Reading = (&'static str, fn(&Product, Bounds) -> bool);

/// The first one is pointbook's.
const READINGS: [Reading; 5] = [
    ("the effective price, bounds included", |product, bounds| bounds.include(product.effective_price())),
    ("the regular price, bounds included", |product, bounds| bounds.include(product.regular_price)),
    ("either price, bounds included", |product, bounds| {
        bounds.include(product.effective_price()) || bounds.include(product.regular_price)
    }),
    ("the effective price, bounds excluded", |product, bounds| bounds.enclose(product.effective_price())),
    ("the regular price, bounds excluded", |product, bounds| bounds.enclose(product.regular_price)),
];

impl Examiner<'_> {
    pub(super) fn examine_prices(&mut self) -> Vec<Single> {
        let (mut tried, mut singles) = (Vec::new(), Vec::new());
        for bounds in self.telling_bounds() {
            let [min, max] = [bounds.0, bounds.1].map(|bound| bound.map(|price| price.to_string()));
            let filters = [(MIN_PRICE, min.as_deref()), (MAX_PRICE, max.as_deref())];
            let filters: Vec<(&'static str, &str)> =
                filters.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
            let Some(found) = self.find(&filters, DOCUMENTED) else { continue };
            if let [(name, value)] = *filters
                && found.is_whole
            {
                singles.push((name, value.to_owned(), found.ids.clone()));
            }
            tried.push((bounds, found));
        }
        self.judge_readings(&tried);
        self.examine_empty_range();
        singles
    }

    /// Bounds at prices that there are, so that every reading finds something else.
    fn telling_bounds(&self) -> Vec<Bounds> {
        let mut prices: Vec<i64> = self.store.products().map(Product::effective_price).collect();
        prices.sort_unstable();
        let at = |third: usize| prices.get(prices.len() * third / 3).copied();
        let (low, high) = (at(1), at(2));
        let mut bounds = vec![Bounds(low, None), Bounds(None, high), Bounds(low, high)];
        let is_cheaper = |product: &&Product| product.effective_price() < product.regular_price;
        if let Some(product) = self.store.products().find(is_cheaper) {
            bounds.push(Bounds(Some(product.regular_price), None));
            bounds.push(Bounds(None, product.sale_price));
        }
        bounds
    }

    fn judge_readings(&mut self, tried: &[(Bounds, Walked)]) {
        let Some((_, first)) = tried.first() else { return };
        let misfit = |(_, fits): &Reading| {
            tried.iter().find_map(|(bounds, found)| {
                let words = found.difference(&self.store, |product| fits(product, *bounds))?;
                Some((found.request.as_str(), words))
            })
        };
        let ours = &READINGS[0];
        let fitting: Vec<&str> =
            READINGS.iter().filter(|reading| misfit(reading).is_none()).map(|(name, _)| *name).collect();
        let (request, (wanted, came)) = misfit(ours).unwrap_or((&first.request, Default::default()));
        let wanted = format!("some reading of price; by the effective one, {wanted}");
        if self.book.expect(&FILTERS_PRICE, request, !fitting.is_empty(), wanted, came) {
            let came = fitting.join(", or ");
            self.book.note(&format!("minPrice and maxPrice fit {came}"));
            self.book.expect(&FILTERS_PRICE_EFFECTIVE, request, fitting.contains(&ours.0), ours.0, came);
        }
    }

    fn examine_empty_range(&mut self) {
        let highest = self.store.products().map(|product| product.regular_price).max().unwrap_or_default();
        let (above, below) = (highest.saturating_add(1).to_string(), highest.to_string());
        let filters = [(MIN_PRICE, above.as_str()), (MAX_PRICE, below.as_str())];
        if let Some(found) = self.find(&filters, Some(&FILTERS_PRICE_EMPTY)) {
            self.judge_found(&FILTERS_PRICE_EMPTY, &found, |_| false);
        }
    }
}
