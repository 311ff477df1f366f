//! The filters, one by one and together.

mod category;
mod combined;
mod price;
mod title;

use std::collections::BTreeSet;

use super::found::Found;
use super::{Examiner, Step};
use crate::client::Halt;
use crate::rule::{
    FILTERS_CATEGORY, FILTERS_COMBINED, FILTERS_FLAGS, FILTERS_PRICE, FILTERS_SALE, FILTERS_TITLE, Rule,
};

const MIN_PRICE: &str = "filter[minPrice]";
const MAX_PRICE: &str = "filter[maxPrice]";
const ON_SALE: &str = "filter[onSale]";
const TITLE: &str = "filter[title]";
const CATEGORY: &str = "filter[category]";

/// Flags whose meaning cannot be told from what a product shows.
const OPAQUE_FLAGS: [&str; 3] = ["filter[newProducts]", "filter[lowStock]", "filter[onlyPopular]"];

/// How a flag may be written, in one order.
const YES: [&str; 2] = ["true", "1"];
const NO: [&str; 2] = ["false", "0"];

/// What single filters found, for the combinations: a filter, its value, and the ids.
type Single = (&'static str, String, BTreeSet<String>);

impl Examiner<'_> {
    pub(super) fn examine_filters(&mut self) -> Step {
        if self.store.products.is_empty() {
            let rules: [&'static Rule; 6] = [
                &FILTERS_CATEGORY,
                &FILTERS_COMBINED,
                &FILTERS_PRICE,
                &FILTERS_SALE,
                &FILTERS_TITLE,
                &FILTERS_FLAGS,
            ];
            self.book.untried(&rules, "no product of the store could be read");
            return Ok(());
        }
        let mut singles = Vec::new();
        singles.extend(self.examine_sale()?);
        singles.extend(self.examine_prices()?);
        singles.extend(self.examine_titles()?);
        singles.extend(self.examine_category_filter()?);
        let yes =
            singles.iter().find(|single| single.0 == ON_SALE).map_or(YES[0], |single| &single.1).to_owned();
        self.examine_combinations(&singles)?;
        self.examine_opaque_flags(&yes)
    }

    /// What this filter must find.
    fn judge_found(&mut self, rule: &'static Rule, found: &Found, difference: Option<(String, String)>) {
        let fits = difference.is_none();
        self.book.expect(rule, &found.request, fits, || difference.unwrap_or_default());
    }

    fn examine_sale(&mut self) -> Result<Option<Single>, Halt> {
        // How a boolean is written in a query is not documented; one way or the other it must work.
        let by_word = self.find_by(&FILTERS_FLAGS, &[(ON_SALE, YES[0])])?;
        let by_digit = if by_word.is_some() {
            self.find_by(&FILTERS_FLAGS, &[(ON_SALE, YES[1])])?
        } else {
            self.find(&[(ON_SALE, YES[1])])?
        };
        let (word, found, other) = match (by_word, by_digit) {
            (Some(found), other) => (YES[0], found, other),
            (None, Some(found)) => (YES[1], found, None),
            (None, None) => return Ok(None),
        };
        let difference = self.difference(&found, |product| product.sale_price.is_some());
        self.judge_found(&FILTERS_SALE, &found, difference);
        if let Some(other) = other {
            let difference = self.difference_of_ids(&other, &found.ids);
            self.judge_found(&FILTERS_FLAGS, &other, difference);
        }
        if let Some(all) = self.find_by(&FILTERS_FLAGS, &[(ON_SALE, NO[usize::from(word == YES[1])])])? {
            let difference = self.difference(&all, |_| true);
            self.judge_found(&FILTERS_FLAGS, &all, difference);
        }
        Ok(found.is_whole.then(|| (ON_SALE, word.to_owned(), found.ids)))
    }

    /// What they find is of the store; whether it is the right part of it, nobody can tell from outside.
    fn examine_opaque_flags(&mut self, yes: &str) -> Step {
        let mut counts = Vec::new();
        for flag in OPAQUE_FLAGS {
            if let Some(found) = self.find(&[(flag, yes)])? {
                counts.push(format!("{flag} {}", found.ids.len()));
            }
        }
        let (counts, total) = (counts.join(", "), self.store.total);
        self.book
            .note(&format!("found of {total} products, which ones is not to be told from outside: {counts}"));
        Ok(())
    }
}
