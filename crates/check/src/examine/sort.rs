//! The order by price, both ways.

use std::collections::BTreeSet;

use super::walk::Walked;
use super::{Examiner, PRODUCTS, Step};
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
    pub(super) fn examine_sort(&mut self) -> Step {
        let prices: BTreeSet<_> = self.store.products.iter().map(Product::effective_price).collect();
        if prices.len() < 2 {
            let rules: [&'static Rule; 5] =
                [&SORT_PRICE, &SORT_DESCENDING, &SORT_COMPLETE, &SORT_EFFECTIVE, &SORT_TIES];
            self.book.untried(&rules, "the store has no two prices");
            return Ok(());
        }
        let up = self.sorted("price", &SORT_PRICE, &PRICES, |left, right| left <= right)?;
        let by: Vec<Price> = if up.is_empty() { PRICES.to_vec() } else { up };
        let down = self.sorted("-price", &SORT_DESCENDING, &by, |left, right| left >= right)?;
        if let Some((name, _)) = down.first() {
            self.book.note(&format!("the price that sort means fits the {name} price"));
        }
        Ok(())
    }

    /// Reads the store in this order; gives the prices that fit it.
    fn sorted(
        &mut self,
        sort: &str,
        rule: &'static Rule,
        prices: &[Price],
        in_order: fn(i64, i64) -> bool,
    ) -> Result<Vec<Price>, crate::client::Halt> {
        let size = self.store.small_page().to_string();
        let call = Call::get(PRODUCTS).with("sort", sort).with("page[size]", &size);
        let Some(walked) = self.walk(call, self.share(SORT_SHARE))? else { return Ok(Vec::new()) };
        let products: Vec<&Product> = walked.items.iter().filter_map(|item| item.product.as_ref()).collect();
        let out_of_order = |price: &Price| {
            let value = price.1;
            products
                .windows(2)
                .find(|pair| matches!(pair, [left, right] if !in_order(value(left), value(right))))
        };
        let fitting: Vec<Price> =
            prices.iter().filter(|price| out_of_order(price).is_none()).copied().collect();
        self.book.expect(rule, &walked.request, !fitting.is_empty(), || {
            let pair = prices.first().and_then(|price| out_of_order(price)).unwrap_or_default();
            ("the order of one price or the other".to_owned(), told(pair))
        });
        if fitting.is_empty() {
            return Ok(fitting);
        }
        let is_effective = fitting.iter().any(|(name, _)| *name == "effective");
        self.book.expect(&SORT_EFFECTIVE, &walked.request, is_effective, || {
            ("the order of effective prices".to_owned(), "the order of regular prices".to_owned())
        });
        if is_effective {
            self.judge_ties(&walked.request, &products);
        }
        self.judge_complete(&walked);
        Ok(fitting)
    }

    fn judge_ties(&mut self, request: &str, products: &[&Product]) {
        for pair in products.windows(2) {
            let [left, right] = pair else { continue };
            if left.effective_price() == right.effective_price() {
                self.book.expect(&SORT_TIES, request, left.id < right.id, || {
                    ("products of one price by their ids".to_owned(), told(pair))
                });
            }
        }
    }

    fn judge_complete(&mut self, walked: &Walked) {
        if !self.store.is_whole || !walked.is_whole {
            return;
        }
        let found: BTreeSet<&str> = walked.items.iter().filter_map(|item| item.id.as_deref()).collect();
        let missing = self.store.ids.iter().find(|id| !found.contains(id.as_str()));
        let fits = missing.is_none() && found.len() == self.store.ids.len();
        self.book.expect(&SORT_COMPLETE, &walked.request, fits, || {
            let came = format!("{} products, missing: {missing:?}", found.len());
            (format!("the {} products of the store", self.store.ids.len()), came)
        });
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
