//! The filters, one by one and together.

mod category;
mod price;
mod title;

use std::collections::BTreeSet;

use super::{DOCUMENTED, Examiner, PRODUCTS, SIZE};
use crate::answer::Call;
use crate::rule::{
    FILTERS_CATEGORY, FILTERS_COMBINED, FILTERS_FLAGS, FILTERS_PRICE, FILTERS_SALE, FILTERS_TITLE,
};

const MIN_PRICE: &str = "filter[minPrice]";
const MAX_PRICE: &str = "filter[maxPrice]";
const ON_SALE: &str = "filter[onSale]";
const TITLE: &str = "filter[title]";
const CATEGORY: &str = "filter[category]";

/// Flags whose meaning cannot be told from what a product shows.
const OPAQUE_FLAGS: [&str; 3] = ["filter[newProducts]", "filter[lowStock]", "filter[onlyPopular]"];

/// What a single filter found, for the combinations: the filter, its value, and the ids.
type Single = (&'static str, String, BTreeSet<String>);

impl Examiner<'_> {
    pub(super) fn examine_filters(&mut self) {
        if self.store.products().next().is_none() {
            let rules = [
                &FILTERS_CATEGORY,
                &FILTERS_COMBINED,
                &FILTERS_PRICE,
                &FILTERS_SALE,
                &FILTERS_TITLE,
                &FILTERS_FLAGS,
            ];
            return self.untried(&rules, "no product of the store could be read");
        }
        let sale = self.examine_sale();
        let yes = sale.as_ref().map_or("true", |(_, yes, _)| yes).to_owned();
        let mut singles: Vec<Single> = sale.into_iter().collect();
        singles.extend(self.examine_prices());
        singles.extend(self.examine_titles());
        singles.extend(self.examine_category_filter());
        self.examine_combinations(&singles);
        self.examine_opaque_flags(&yes);
    }

    /// How a boolean is written in a query is not documented; one way or the other it must work.
    fn examine_sale(&mut self) -> Option<Single> {
        let flags = Some(&FILTERS_FLAGS);
        let by_word = self.find(&[(ON_SALE, "true")], flags);
        let rule = if by_word.is_some() { flags } else { DOCUMENTED };
        let by_digit = self.find(&[(ON_SALE, "1")], rule);
        let (yes, no, found, other) = match (by_word, by_digit) {
            (Some(found), other) => ("true", "false", found, other),
            (None, Some(found)) => ("1", "0", found, None),
            (None, None) => return None,
        };
        self.judge_found(&FILTERS_SALE, &found, |product| product.sale_price.is_some());
        if let Some(other) = other {
            self.judge_found(&FILTERS_FLAGS, &other, |product| found.ids.contains(&product.id));
        }
        if let Some(all) = self.find(&[(ON_SALE, no)], flags) {
            self.judge_found(&FILTERS_FLAGS, &all, |_| true);
        }
        found.is_whole.then(|| (ON_SALE, yes.to_owned(), found.ids))
    }

    /// Whether flags find the right part of the store cannot be told from outside; that it is a part can.
    fn examine_opaque_flags(&mut self, yes: &str) {
        let mut counts = Vec::new();
        for flag in OPAQUE_FLAGS {
            if let Some(found) = self.find(&[(flag, yes)], DOCUMENTED) {
                counts.push(format!("{flag} {}", found.ids.len()));
            }
        }
        let (counts, total) = (counts.join(", "), self.store.total());
        self.book
            .note(&format!("found of {total} products, which ones is not to be told from outside: {counts}"));
    }

    /// Every two different filters, and one with an order: what each finds alone is the model.
    fn examine_combinations(&mut self, singles: &[Single]) {
        if singles.len() < 2 {
            self.untried(&[&FILTERS_COMBINED], "there are no two filters whose results are known");
        }
        for (place, left) in singles.iter().enumerate() {
            for right in singles.iter().skip(place + 1).filter(|right| right.0 != left.0) {
                self.examine_pair(left, right);
            }
        }
        if let Some(single) = singles.iter().max_by_key(|(.., ids)| ids.len()) {
            self.walk_filtered(single);
        }
    }

    fn examine_pair(&mut self, left: &Single, right: &Single) {
        if is_empty_range(left, right) {
            return;
        }
        let filters = [left, right].map(|(name, value, _)| (*name, value.as_str()));
        let Some(found) = self.find(&filters, DOCUMENTED) else { return };
        let in_both = |id: &String| left.2.contains(id) && right.2.contains(id);
        self.judge_found(&FILTERS_COMBINED, &found, |product| in_both(&product.id));
    }

    /// A filter with an order in small pages: the links must keep them all.
    fn walk_filtered(&mut self, (name, value, ids): &Single) {
        let call = Call::get(PRODUCTS).with(name, value).with("sort", "-price");
        let call = call.with(SIZE, (ids.len() / 3).clamp(1, 15));
        let Some(walked) = self.walk(call, self.share(3), DOCUMENTED) else { return };
        let fits = if walked.is_whole { walked.ids == *ids } else { walked.ids.is_subset(ids) };
        let wanted = format!("the {} products of the filter alone", ids.len());
        let came = format!("{} others", walked.ids.len());
        self.book.expect(&FILTERS_COMBINED, &walked.request, fits, wanted, came);
    }
}

/// Whether these are a minimum above a maximum, which may be refused, or mean something else.
fn is_empty_range(left: &Single, right: &Single) -> bool {
    let value = |wanted: &str| {
        let found = [left, right].into_iter().find(|(name, ..)| *name == wanted);
        found.and_then(|(_, value, _)| value.parse::<i64>().ok())
    };
    matches!((value(MIN_PRICE), value(MAX_PRICE)), (Some(min), Some(max)) if min > max)
}
