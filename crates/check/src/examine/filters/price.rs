//! The bounds of a price, and which price that is.

use super::super::found::Found;
use super::super::{Examiner, Step};
use super::{MAX_PRICE, MIN_PRICE, Single};
use crate::client::Halt;
use crate::read::Product;
use crate::rule::{FILTERS_PRICE, FILTERS_PRICE_EFFECTIVE, FILTERS_PRICE_EMPTY};

/// A way to understand bounds: its name, and whether a product is within.
struct Reading {
    name: &'static str,
    fits: fn(&Product, Bounds) -> bool,
}

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

/// The first one is pointbook's.
const READINGS: [Reading; 5] = [
    Reading {
        name: "the effective price, bounds included",
        fits: |product, bounds| bounds.include(product.effective_price()),
    },
    Reading {
        name: "the regular price, bounds included",
        fits: |product, bounds| bounds.include(product.regular_price),
    },
    Reading {
        name: "either price, bounds included",
        fits: |product, bounds| {
            bounds.include(product.effective_price()) || bounds.include(product.regular_price)
        },
    },
    Reading {
        name: "the effective price, bounds excluded",
        fits: |product, bounds| bounds.enclose(product.effective_price()),
    },
    Reading {
        name: "the regular price, bounds excluded",
        fits: |product, bounds| bounds.enclose(product.regular_price),
    },
];

impl Examiner<'_> {
    pub(super) fn examine_prices(&mut self) -> Result<Vec<Single>, Halt> {
        let (mut tried, mut singles) = (Vec::new(), Vec::new());
        for bounds in self.telling_bounds() {
            let Bounds(min, max) = bounds;
            let (min, max) = (min.map(|min| min.to_string()), max.map(|max| max.to_string()));
            let mut filters = Vec::new();
            filters.extend(min.as_deref().map(|min| (MIN_PRICE, min)));
            filters.extend(max.as_deref().map(|max| (MAX_PRICE, max)));
            let Some(found) = self.find(&filters)? else { continue };
            if let [(name, value)] = *filters
                && found.is_whole
            {
                singles.push((name, value.to_owned(), found.ids.clone()));
            }
            tried.push((bounds, found));
        }
        self.judge_readings(&tried);
        self.examine_empty_range()?;
        Ok(singles)
    }

    /// Bounds at prices that there are, so that every reading finds something else.
    fn telling_bounds(&self) -> Vec<Bounds> {
        let mut prices: Vec<i64> = self.store.products.iter().map(Product::effective_price).collect();
        prices.sort_unstable();
        let at = |third: usize| prices.get(prices.len() * third / 3).copied();
        let (low, high) = (at(1), at(2));
        let mut bounds = vec![Bounds(low, None), Bounds(None, high), Bounds(low, high)];
        let sale =
            self.store.products.iter().find(|product| product.effective_price() < product.regular_price);
        if let Some(product) = sale {
            bounds.push(Bounds(Some(product.regular_price), None));
            bounds.push(Bounds(None, product.sale_price));
        }
        bounds
    }

    fn judge_readings(&mut self, tried: &[(Bounds, Found)]) {
        let Some((_, first)) = tried.first() else { return };
        let worst = |reading: &Reading| {
            tried.iter().find_map(|(bounds, found)| {
                let difference = self.difference(found, |product| (reading.fits)(product, *bounds));
                difference.map(|words| (found.request.clone(), words))
            })
        };
        let wrong: Vec<_> = READINGS.iter().map(|reading| (reading.name, worst(reading))).collect();
        let fitting: Vec<&str> =
            wrong.iter().filter(|(_, difference)| difference.is_none()).map(|(name, _)| *name).collect();
        let effective = wrong.first().and_then(|(_, difference)| difference.clone());
        let (request, words) = effective.unwrap_or_else(|| (first.request.clone(), Default::default()));
        let Some(name) = fitting.first() else {
            let (wanted, came) = words;
            let wanted = format!("some reading of price; by the effective one, {wanted}");
            self.book.broke(&FILTERS_PRICE, &request, &wanted, &came);
            return;
        };
        self.book.held(&FILTERS_PRICE);
        let is_ours = *name == READINGS[0].name;
        let came = fitting.join(", or ");
        self.book.note(&format!("minPrice and maxPrice fit {came}"));
        self.book.expect(&FILTERS_PRICE_EFFECTIVE, &request, is_ours, || (READINGS[0].name.to_owned(), came));
    }

    fn examine_empty_range(&mut self) -> Step {
        let highest =
            self.store.products.iter().map(|product| product.regular_price).max().unwrap_or_default();
        let (above, below) = (highest.saturating_add(1).to_string(), highest.to_string());
        if let Some(found) =
            self.find_by(&FILTERS_PRICE_EMPTY, &[(MIN_PRICE, &above), (MAX_PRICE, &below)])?
        {
            let difference = self.difference(&found, |_| false);
            self.judge_found(&FILTERS_PRICE_EMPTY, &found, difference);
        }
        Ok(())
    }
}
