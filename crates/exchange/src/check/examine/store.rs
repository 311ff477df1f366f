//! Examines the store: large pages, small pages, a page beyond the last, sort orders, and single products.

use std::collections::BTreeSet;

use super::walk::WalkedList;
use super::{DOCUMENTED, Examiner, NUMBER, PRODUCTS, SIZE, UNKNOWN};
use crate::check::exchange::Call;
use crate::check::json::Json;
use crate::check::read::{Product, product_detail, product_list};
use crate::check::results::judge;
use crate::check::rule;
use crate::check::rule::Rule;
use crate::check::server_url::escaped;

/// The requested page size for reading the store.
const READING_SIZE: u32 = 100;

/// The share of the requests that reading the store may take, in hundredths.
const READING_SHARE: u32 = 40;

/// The share of the requests that a walk in small pages may take, in hundredths.
const WALK_SHARE: u32 = 8;

const SAMPLES: usize = 5;

/// More characters than an id has.
const LONG_ID_CHARS: usize = 300;

/// A price by which a server may sort, and its name.
type Price = (&'static str, fn(&Product) -> i64);

const PRICES: [Price; 2] =
    [("effective", Product::effective_price), ("regular", |product| product.regular_price)];

impl WalkedList {
    pub(super) fn is_unread(&self) -> bool {
        self.per_page == 0
    }

    pub(super) fn total(&self) -> i64 {
        self.total.unwrap_or_default()
    }

    /// A page size that splits the store into a few pages.
    fn small_page(&self) -> i64 {
        (self.total() / 4).clamp(1, 14)
    }
}

impl Examiner<'_> {
    /// Reads the store, within its share of the requests.
    pub(super) fn read_store(&mut self) {
        // A request without parameters checks the defaults.
        self.list(&Call::get(PRODUCTS), DOCUMENTED);
        let granted = self.share(READING_SHARE);
        // The server may refuse a large page: the interface does not document the maximum.
        let walked = match self.walk(Call::get(PRODUCTS).with(SIZE, READING_SIZE), granted, None) {
            Some(walked) => Some(walked),
            None => self.walk(Call::get(PRODUCTS), granted, DOCUMENTED),
        };
        let Some(walked) = walked else { return };
        if !walked.is_whole {
            let (read, total) = (walked.ids.len(), walked.total());
            self.results.note(&format!(
                "only {read} of {total} products were read, so filters and sort orders were checked only for these"
            ));
        }
        self.store = walked;
        self.judge_amounts();
        self.examine_largest_page();
    }

    fn judge_amounts(&mut self) {
        for product in self.store.products() {
            let (regular, came) = (product.regular_price, product.priced());
            let fits = regular >= 0 && product.sale_price.is_none_or(|sale| (0..=regular).contains(&sale));
            judge!(self, rule::PRODUCTS_AMOUNTS, &Call::get(PRODUCTS), fits;
                "0 <= sale_price <= regular_price"; "{came}");
        }
    }

    fn examine_largest_page(&mut self) {
        let Some(response) = self.ask(&Call::get(PRODUCTS).with(SIZE, 1_000)) else { return };
        let per_page = response.member("meta").and_then(|meta| meta.get("per_page")?.as_integer());
        let size = per_page.filter(|size| response.status == 200 && (1..=1_000).contains(size));
        if size == Some(1_000) {
            return self.untried(&[rule::PAGES_CAPPED], "1,000 items a page are allowed");
        }
        let wanted = "200 with meta.per_page of at most 1000";
        self.results.expect_of(rule::PAGES_CAPPED, &response, size.is_some(), wanted);
        if let Some(size) = size {
            self.results.note(&format!("a page has at most {size} products"));
        }
    }

    pub(super) fn examine_pages(&mut self) {
        let total = self.store.total();
        if total < 2 {
            let why = format!("the store has {total} products, which is one page");
            let rules = [rule::LINKS_WALK, rule::META_PAGE, rule::META_SIZE, rule::ORDER_STEADY];
            self.untried(&rules, &why);
        } else {
            self.walk_small_pages();
        }
        if self.store.is_unread() {
            self.untried(&[rule::PAGES_BEYOND], "the store could not be read");
        } else {
            self.read_beyond(total);
        }
    }

    fn walk_small_pages(&mut self) {
        let size = self.store.small_page();
        let call = Call::get(PRODUCTS).with(SIZE, size);
        let Some(walked) = self.walk(call.clone(), self.share(WALK_SHARE), DOCUMENTED) else { return };
        let mut differences =
            self.store.ids_in_order().zip(walked.ids_in_order()).filter(|(known, found)| known != found);
        let (known, found) = differences.next().unwrap_or_default();
        judge!(self, rule::ORDER_STEADY, &walked.request, known == found;
            "{known} at this position, as before"; "{found}");
        drop(differences);
        if !walked.is_whole {
            let last = (self.store.total() + size - 1) / size;
            self.list(&call.with(NUMBER, last), DOCUMENTED);
        }
    }

    fn read_beyond(&mut self, total: i64) {
        let Some(response) = self.ask(&Call::get(PRODUCTS).with(NUMBER, total + 7)) else { return };
        let page = if response.status == 200 { self.read(&response, product_list) } else { None };
        let fits = page.is_some_and(|page| {
            let is_empty = page.items.is_some_and(|items| items.is_empty());
            let has_total = page.meta.is_some_and(|meta| meta.total == total);
            is_empty && has_total && page.links.is_none_or(|links| links.next.is_none())
        });
        judge!(self, rule::PAGES_BEYOND, &response.request, fits;
            "200 with no items, meta.total {total}, links.next null"; "{response}");
    }

    pub(super) fn examine_sort(&mut self) {
        let prices: BTreeSet<_> = self.store.products().map(Product::effective_price).collect();
        if prices.len() < 2 {
            return self.untried(&rule::family("sort."), "all products of the store have the same price");
        }
        let up = self.sorted("price", rule::SORT_PRICE, &PRICES, |left, right| left <= right);
        let by = if up.is_empty() { PRICES.to_vec() } else { up };
        let down = self.sorted("-price", rule::SORT_DESCENDING, &by, |left, right| left >= right);
        if let Some((name, _)) = down.first() {
            self.results.note(&format!("sort uses the {name} price"));
        }
    }

    /// Reads the store in this sort order. Returns the prices that are in order.
    fn sorted(
        &mut self,
        sort: &str,
        rule: &'static Rule,
        prices: &[Price],
        in_order: fn(i64, i64) -> bool,
    ) -> Vec<Price> {
        let call = Call::get(PRODUCTS).with("sort", sort).with(SIZE, self.store.small_page());
        let Some(walked) = self.walk(call, self.share(WALK_SHARE), DOCUMENTED) else { return Vec::new() };
        let products: Vec<&Product> = walked.products().collect();
        let out_of_order =
            |(_, price): &&Price| products.windows(2).find(|pair| !in_order(price(pair[0]), price(pair[1])));
        let fitting: Vec<Price> =
            prices.iter().filter(|price| out_of_order(price).is_none()).copied().collect();
        let came = told(prices.first().and_then(|price| out_of_order(&price)).unwrap_or_default());
        let request = &walked.request;
        if judge!(self, rule, request, !fitting.is_empty(); "products in the order of their effective or regular prices"; "{came}")
        {
            let is_effective = fitting.iter().any(|(name, _)| *name == "effective");
            judge!(self, rule::SORT_EFFECTIVE, request, is_effective;
                "the order of effective prices"; "the order of regular prices");
            if is_effective {
                self.judge_ties(request, &products);
            }
            self.judge_complete(&walked);
        }
        fitting
    }

    fn judge_ties(&mut self, request: &str, products: &[&Product]) {
        for pair in products.windows(2).filter(|pair| pair[0].effective_price() == pair[1].effective_price())
        {
            let came = told(pair);
            judge!(self, rule::SORT_TIES, request, pair[0].id < pair[1].id;
                "products of the same price in the order of their ids"; "{came}");
        }
    }

    fn judge_complete(&mut self, walked: &WalkedList) {
        if self.store.is_whole && walked.is_whole {
            let missing = self.store.ids.difference(&walked.ids).next();
            let (wanted, came) = (self.store.ids.len(), walked.ids.len());
            judge!(self, rule::SORT_COMPLETE, &walked.request, walked.ids == self.store.ids;
                "the {wanted} products of the store"; "{came} products, missing: {missing:?}");
        }
    }

    pub(super) fn examine_details(&mut self) {
        for product in self.samples() {
            let Some(response) = self.ask_ok(&Call::get(&path_of(&product.id)), DOCUMENTED) else { continue };
            let Some(Some(alone)) = self.read(&response, product_detail) else { continue };
            let (listed, told) = (format!("{product:#?}"), format!("{alone:#?}"));
            let differs = listed.lines().zip(told.lines()).find(|(listed, told)| listed != told);
            let (wanted, came) = differs.unwrap_or_default();
            judge!(self, rule::DETAIL_SAME, &response.request, product == alone; "{wanted}"; "{came}");
        }
        self.examine_unknown(rule::DETAIL_UNKNOWN, UNKNOWN);
        self.examine_unknown(rule::DETAIL_ODD, &"x".repeat(LONG_ID_CHARS));
        self.examine_unknown(rule::DETAIL_ODD, &format!("{UNKNOWN}/%\u{e9}"));
    }

    /// The first product, the last one, some in between, and one on sale.
    fn samples(&self) -> BTreeSet<Product> {
        let products: Vec<&Product> = self.store.products().collect();
        let step = products.len().div_ceil(SAMPLES).max(1);
        let sale = products.iter().find(|product| product.sale_price.is_some());
        let samples = products.iter().step_by(step).chain(products.last()).chain(sale);
        samples.map(|product| (*product).clone()).collect()
    }

    fn examine_unknown(&mut self, rule: &'static Rule, id: &str) {
        let wanted = r#"404 {"success":false,"message":"Product not found"}"#;
        self.probe(rule, &Call::get(&path_of(id)), wanted, |response| {
            response.status == 404
                && response.member("success") == Some(&Json::Bool(false))
                && response.message() == Some("Product not found")
        });
    }
}

pub(super) fn path_of(id: &str) -> String {
    format!("{PRODUCTS}/{}", escaped(id))
}

fn told(pair: &[&Product]) -> String {
    pair.iter().map(|product| product.priced()).collect::<Vec<_>>().join(" before ")
}
