//! The order by price, both ways.

use std::collections::BTreeSet;

use super::walk::Walked;
use super::{DOCUMENTED, Examiner, PRODUCTS, SIZE};
use crate::answer::Call;
use crate::read::Product;
use crate::rule::{Rule, SORT_COMPLETE, SORT_DESCENDING, SORT_EFFECTIVE, SORT_PRICE, SORT_TIES};

/// The share of the requests that one order may take, in hundredths.
const SORT_SHARE: u32 = 8;

/// A price that an order may be by, and its name.
type Price = (&'static str, fn(&Product) -> i64);

const PRICES: [Price; 2] =
    [("effective", Product::effective_price), ("regular", |product| product.regular_price)];

impl Examiner<'_> {
    pub(super) fn examine_sort(&mut self) {
        let prices: BTreeSet<_> = self.store.products().map(Product::effective_price).collect();
        if prices.len() < 2 {
            let rules = [&SORT_PRICE, &SORT_DESCENDING, &SORT_COMPLETE, &SORT_EFFECTIVE, &SORT_TIES];
            return self.untried(&rules, "the store has no two prices");
        }
        let up = self.sorted("price", &SORT_PRICE, &PRICES, |left, right| left <= right);
        let by = if up.is_empty() { PRICES.to_vec() } else { up };
        let down = self.sorted("-price", &SORT_DESCENDING, &by, |left, right| left >= right);
        if let Some((name, _)) = down.first() {
            self.book.note(&format!("the price that sort means fits the {name} price"));
        }
    }

    /// Reads the store in this order; returns the prices that fit it.
    fn sorted(
        &mut self,
        sort: &str,
        rule: &'static Rule,
        prices: &[Price],
        in_order: fn(i64, i64) -> bool,
    ) -> Vec<Price> {
        let call = Call::get(PRODUCTS).with("sort", sort).with(SIZE, self.store.small_page());
        let Some(walked) = self.walk(call, self.share(SORT_SHARE), DOCUMENTED) else { return Vec::new() };
        let products: Vec<&Product> = walked.products().collect();
        let out_of_order = |price: fn(&Product) -> i64| {
            products.windows(2).find(|pair| !in_order(price(pair[0]), price(pair[1])))
        };
        let fitting: Vec<Price> =
            prices.iter().filter(|(_, price)| out_of_order(*price).is_none()).copied().collect();
        let pair = prices.first().and_then(|(_, price)| out_of_order(*price)).unwrap_or_default();
        let wanted = "the order of one price or the other";
        if !self.book.expect(rule, &walked.request, !fitting.is_empty(), wanted, told(pair)) {
            return fitting;
        }
        let is_effective = fitting.iter().any(|(name, _)| *name == "effective");
        let (wanted, came) = ("the order of effective prices", "the order of regular prices");
        self.book.expect(&SORT_EFFECTIVE, &walked.request, is_effective, wanted, came);
        if is_effective {
            self.judge_ties(&walked.request, &products);
        }
        self.judge_complete(&walked);
        fitting
    }

    fn judge_ties(&mut self, request: &str, products: &[&Product]) {
        for pair in products.windows(2) {
            let (left, right) = (pair[0], pair[1]);
            if left.effective_price() == right.effective_price() {
                let wanted = "products of one price by their ids";
                self.book.expect(&SORT_TIES, request, left.id < right.id, wanted, told(pair));
            }
        }
    }

    fn judge_complete(&mut self, walked: &Walked) {
        if self.store.is_whole && walked.is_whole {
            let missing = self.store.ids.difference(&walked.ids).next();
            let wanted = format!("the {} products of the store", self.store.ids.len());
            let came = format!("{} products, missing: {missing:?}", walked.ids.len());
            let fits = walked.ids == self.store.ids;
            self.book.expect(&SORT_COMPLETE, &walked.request, fits, wanted, came);
        }
    }
}

fn told(pair: &[&Product]) -> String {
    let one = |product: &&Product| {
        let Product { id, regular_price, sale_price, .. } = product;
        match sale_price {
            Some(sale) => format!("{id} ({sale} instead of {regular_price})"),
            None => format!("{id} ({regular_price})"),
        }
    };
    pair.iter().map(one).collect::<Vec<_>>().join(" before ")
}
