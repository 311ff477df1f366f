//! Examines the filters, alone and in combination.

use std::collections::BTreeSet;

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

use super::walk::WalkedList;
use super::{DOCUMENTED, Examiner, PRODUCTS, SIZE};
use crate::check::exchange::Call;
use crate::check::read::Product;
use crate::check::results::judge;
use crate::check::rule;

const MIN_PRICE: &str = "filter[minPrice]";
const MAX_PRICE: &str = "filter[maxPrice]";
const ON_SALE: &str = "filter[onSale]";
const TITLE: &str = "filter[title]";

/// Flags that depend on values which a product does not show.
const OPAQUE_FLAGS: [&str; 3] = ["filter[newProducts]", "filter[lowStock]", "filter[onlyPopular]"];

/// The minimum length of a word whose inner part is searched, in characters.
const WORD_CHARS: usize = 5;

/// A single word, because some servers search for each of several words.
const MEANINGLESS: &str = "qxzvkwjpbf";

/// The result of a single filter: the filter, its value, and the ids that it found.
pub(super) type Single = (&'static str, String, BTreeSet<String>);

#[derive(Debug, Clone, Copy)]
struct Bounds(Option<i64>, Option<i64>);

impl Bounds {
    fn include(self, price: i64) -> bool {
        self.0.is_none_or(|min| price >= min) && self.1.is_none_or(|max| price <= max)
    }

    fn enclose(self, price: i64) -> bool {
        self.0.is_none_or(|min| price > min) && self.1.is_none_or(|max| price < max)
    }
}

/// An interpretation of price bounds: its name, and whether a product is within the bounds.
type Reading = (&'static str, fn(&Product, Bounds) -> bool);

/// pointbook uses the first one.
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
    pub(super) fn examine_filters(&mut self) {
        if self.store.products().next().is_none() {
            return self.untried(&rule::family("filters."), "no product of the store could be read");
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

    /// The interface does not document how a query writes a boolean. Either `true` or `1` must work.
    fn examine_sale(&mut self) -> Option<Single> {
        let flags = Some(rule::FILTERS_FLAGS);
        let by_word = self.find(&[(ON_SALE, "true")], flags);
        let by_digit = self.find(&[(ON_SALE, "1")], if by_word.is_some() { flags } else { DOCUMENTED });
        let (yes, no, found, other) = match (by_word, by_digit) {
            (Some(found), other) => ("true", "false", found, other),
            (None, Some(found)) => ("1", "0", found, None),
            (None, None) => return None,
        };
        self.judge_found(rule::FILTERS_SALE, &found, |product| product.sale_price.is_some());
        if let Some(other) = other {
            self.judge_found(rule::FILTERS_FLAGS, &other, |product| found.ids.contains(&product.id));
        }
        if let Some(all) = self.find(&[(ON_SALE, no)], flags) {
            self.judge_found(rule::FILTERS_FLAGS, &all, |_| true);
        }
        found.is_whole.then(|| (ON_SALE, yes.to_owned(), found.ids))
    }

    /// Checks that flags find only products of the store. A client cannot check which ones they should find.
    fn examine_opaque_flags(&mut self, yes: &str) {
        let mut counts = Vec::new();
        for flag in OPAQUE_FLAGS {
            if let Some(found) = self.find(&[(flag, yes)], DOCUMENTED) {
                counts.push(format!("{flag} {}", found.ids.len()));
            }
        }
        if self.halt.is_some() {
            return;
        }
        let (counts, total) = (counts.join(", "), self.store.total());
        let note = format!(
            "number of {total} products that these flags find, which a client cannot verify: {counts}"
        );
        self.results.note(&note);
    }

    fn examine_prices(&mut self) -> Vec<Single> {
        let (mut tried, mut singles) = (Vec::new(), Vec::new());
        for bounds in self.sample_bounds() {
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
        // With only some of the bounds tried, too many readings would fit.
        if self.halt.is_some() {
            return singles;
        }
        self.judge_readings(&tried);
        self.examine_empty_range();
        singles
    }

    /// Bounds at existing prices, so that every reading finds other products.
    fn sample_bounds(&self) -> Vec<Bounds> {
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

    fn judge_readings(&mut self, tried: &[(Bounds, WalkedList)]) {
        let Some((_, first)) = tried.first() else { return };
        let misfit = |(_, fits): &Reading| {
            tried.iter().find_map(|(bounds, found)| {
                let words = found.difference(&self.store, |product| fits(product, *bounds))?;
                Some((found.request.as_str(), words))
            })
        };
        let fitting: Vec<&str> =
            READINGS.iter().filter(|reading| misfit(reading).is_none()).map(|(name, _)| *name).collect();
        let (request, (wanted, came)) = misfit(&READINGS[0]).unwrap_or((&first.request, Default::default()));
        if judge!(self, rule::FILTERS_PRICE, request, !fitting.is_empty();
            "products within the bounds by some price; by the effective price, {wanted}"; "{came}")
        {
            let (ours, came) = (READINGS[0].0, fitting.join(", or "));
            self.results.note(&format!("minPrice and maxPrice restrict {came}"));
            judge!(self, rule::FILTERS_PRICE_EFFECTIVE, request, fitting.contains(&ours); "{ours}"; "{came}");
        }
    }

    fn examine_empty_range(&mut self) {
        let highest = self.store.products().map(|product| product.regular_price).max().unwrap_or_default();
        let (above, below) = (highest.saturating_add(1).to_string(), highest.to_string());
        let filters = [(MIN_PRICE, above.as_str()), (MAX_PRICE, below.as_str())];
        if let Some(found) = self.find(&filters, Some(rule::FILTERS_PRICE_EMPTY)) {
            self.judge_found(rule::FILTERS_PRICE_EMPTY, &found, |_| false);
        }
    }

    fn examine_titles(&mut self) -> Option<Single> {
        self.examine_whole_title();
        let Some(word) = self.sample_word() else {
            self.untried(
                &[rule::FILTERS_TITLE_PART, rule::FILTERS_TITLE_FOLD],
                "no title has a word of five letters",
            );
            return None;
        };
        let part = inner(&word);
        let found = self.find(&[(TITLE, &part)], Some(rule::FILTERS_TITLE_PART))?;
        let folded = fold(&part);
        // Here a server may either ignore or respect case. `examine_folding` checks that.
        let is_part = self.judge_found(rule::FILTERS_TITLE_PART, &found, |Product { id, title, .. }| {
            fold(title).contains(&folded) && (title.contains(&part) || found.ids.contains(id))
        });
        if is_part {
            self.examine_folding(&word);
        } else {
            self.note_words(&word);
        }
        found.is_whole.then_some((TITLE, part, found.ids))
    }

    fn examine_whole_title(&mut self) {
        // A comma may separate several titles.
        let plain =
            |title: &str| !title.contains(',') && title.chars().count() < 200 && title.trim() == title;
        let product = self.store.products().find(|product| plain(&product.title)).cloned();
        if let Some(Product { id, title, .. }) = product
            && let Some(found) = self.find(&[(TITLE, &title)], DOCUMENTED)
        {
            let (fits, others) = (found.ids.contains(&id) || !found.is_whole, found.ids.len());
            judge!(self, rule::FILTERS_TITLE, &found.request, fits;
                "a result with {id}"; "{others} other products");
        }
        if let Some(found) = self.find(&[(TITLE, MEANINGLESS)], DOCUMENTED) {
            self.judge_found(rule::FILTERS_TITLE, &found, |_| false);
        }
    }

    /// Notes whether the filter finds whole words, when it does not find parts of words.
    fn note_words(&mut self, word: &str) {
        let Some(found) = self.find(&[(TITLE, word)], DOCUMENTED) else { return };
        let mut titles = self.store.products().filter(|product| product.title.contains(word));
        let finds_words = titles.all(|product| found.ids.contains(&product.id) || !found.is_whole);
        let matches =
            if finds_words { "whole words" } else { "neither parts of titles nor every whole word" };
        self.results.note(&format!("filter[title] finds {matches}"));
    }

    fn examine_folding(&mut self, word: &str) {
        let folded = fold(word);
        if let Some(found) = self.find(&[(TITLE, &folded.to_uppercase())], Some(rule::FILTERS_TITLE_FOLD)) {
            self.judge_found(rule::FILTERS_TITLE_FOLD, &found, |product| {
                fold(&product.title).contains(&folded)
            });
        }
    }

    /// A long word of a title, preferably with an accent.
    fn sample_word(&self) -> Option<String> {
        let titles = self.store.products().map(|product| product.title.as_str());
        let words = titles.flat_map(|title| title.split(|found: char| !found.is_alphabetic()));
        let long: Vec<&str> = words.filter(|word| word.chars().count() >= WORD_CHARS).collect();
        let accented = long.iter().find(|word| !word.is_ascii());
        accented.or(long.first()).map(|word| (*word).to_owned())
    }

    /// Examines every pair of different filters, and a filter with a sort order. The results of the single filters are the
    /// model.
    fn examine_combinations(&mut self, singles: &[Single]) {
        if singles.len() < 2 {
            self.untried(&[rule::FILTERS_COMBINED], "fewer than two filters have known results");
        }
        for (index, left) in singles.iter().enumerate() {
            for right in singles.iter().skip(index + 1).filter(|right| right.0 != left.0) {
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
        self.judge_found(rule::FILTERS_COMBINED, &found, |product| in_both(&product.id));
    }

    /// Reads a filtered and sorted list in small pages. The links must keep filter, sort and page size.
    fn walk_filtered(&mut self, (name, value, ids): &Single) {
        let call = Call::get(PRODUCTS).with(name, value).with("sort", "-price");
        let call = call.with(SIZE, (ids.len() / 3).clamp(1, 15));
        let Some(walked) = self.walk(call, self.share(3), DOCUMENTED) else { return };
        let fits = if walked.is_whole { walked.ids == *ids } else { walked.ids.is_subset(ids) };
        let (wanted, came) = (ids.len(), walked.ids.len());
        judge!(self, rule::FILTERS_COMBINED, &walked.request, fits;
            "the {wanted} products that the filter finds alone"; "{came} other products");
    }
}

/// Whether these filters are a minimum above a maximum, which a server may refuse.
fn is_empty_range(left: &Single, right: &Single) -> bool {
    let value = |wanted: &str| {
        let found = [left, right].into_iter().find(|(name, ..)| *name == wanted);
        found.and_then(|(_, value, _)| value.parse::<i64>().ok())
    };
    matches!((value(MIN_PRICE), value(MAX_PRICE)), (Some(min), Some(max)) if min > max)
}

fn inner(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    letters.get(1..letters.len() - 1).unwrap_or_default().iter().collect()
}

fn fold(text: &str) -> String {
    let bare = text.nfkd().filter(|found| !('\u{300}'..='\u{36f}').contains(found));
    bare.default_case_fold().nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_removes_case_and_accents() {
        assert_eq!(fold("Caf\u{e9} STRASSE"), fold("CAFE stra\u{df}e"));
        assert_eq!(inner("Stone"), "ton");
    }
}
