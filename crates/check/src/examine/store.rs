//! The store: all of it in large pages, then in small ones, and a page beyond.

use super::walk::Walked;
use super::{DOCUMENTED, Examiner, NUMBER, PRODUCTS, SIZE};
use crate::answer::Call;
use crate::read::{Product, product_list};
use crate::rule::{
    LINKS_WALK, META_PAGE, META_SIZE, ORDER_STEADY, PAGES_BEYOND, PAGES_CAPPED, PRODUCTS_AMOUNTS,
};

/// The page size with which a store is read.
const READING_SIZE: u32 = 100;

/// The share of the requests that reading the store may take, in hundredths.
const READING_SHARE: u32 = 40;

/// The share of the requests that the walk in small pages may take, in hundredths.
const WALK_SHARE: u32 = 8;

impl Walked {
    /// Whether nothing is known of the store.
    pub(super) fn is_unread(&self) -> bool {
        self.per_page == 0
    }

    pub(super) fn total(&self) -> i64 {
        self.total.unwrap_or_default()
    }

    /// A page size at which the store takes some pages, but not many.
    pub(super) fn small_page(&self) -> i64 {
        (self.total() / 4).clamp(1, 14)
    }
}

impl Examiner<'_> {
    /// Reads the store, as far as its share of the requests goes.
    pub(super) fn read_store(&mut self) {
        // Without parameters: the list judges its own defaults.
        self.list(&Call::get(PRODUCTS), DOCUMENTED);
        let granted = self.share(READING_SHARE);
        // So large a page may be refused: the largest one is not documented.
        let walked = match self.walk(Call::get(PRODUCTS).with(SIZE, READING_SIZE), granted, None) {
            Some(walked) => Some(walked),
            None => self.walk(Call::get(PRODUCTS), granted, DOCUMENTED),
        };
        let Some(walked) = walked else { return };
        if !walked.is_whole {
            let (read, total) = (walked.ids.len(), walked.total());
            self.book.note(&format!(
                "{read} of {total} products were read: what the others ask of filters and orders was not tried"
            ));
        }
        self.store = walked;
        self.judge_amounts();
        self.examine_largest_page();
    }

    fn judge_amounts(&mut self) {
        for Product { id, regular_price, sale_price, .. } in self.store.products() {
            let fits =
                *regular_price >= 0 && sale_price.is_none_or(|sale| (0..=*regular_price).contains(&sale));
            let request = format_args!("GET {PRODUCTS}");
            let came = format!("product {id}: regular {regular_price}, sale {sale_price:?}");
            self.book.expect(&PRODUCTS_AMOUNTS, request, fits, "0 <= sale_price <= regular_price", came);
        }
    }

    fn examine_largest_page(&mut self) {
        let Some(answer) = self.ask(&Call::get(PRODUCTS).with(SIZE, 1_000)) else { return };
        let per_page = answer.member("meta").and_then(|meta| meta.get("per_page")?.as_integer());
        let size = per_page.filter(|size| answer.status == 200 && (1..=1_000).contains(size));
        if size == Some(1_000) {
            return self.untried(&[&PAGES_CAPPED], "1,000 items a page are allowed");
        }
        let wanted = "200 with meta.per_page of at most 1000";
        self.book.expect_of(&PAGES_CAPPED, &answer, size.is_some(), wanted);
        if let Some(size) = size {
            self.book.note(&format!("a page has at most {size} products"));
        }
    }

    pub(super) fn examine_pages(&mut self) {
        let total = self.store.total();
        if total < 2 {
            let why = format!("the store has {total} products, which is one page");
            self.untried(&[&LINKS_WALK, &META_PAGE, &META_SIZE, &ORDER_STEADY], &why);
        } else {
            self.walk_small_pages();
        }
        if self.store.is_unread() {
            self.untried(&[&PAGES_BEYOND], "the store could not be read");
        } else {
            self.read_beyond(total);
        }
    }

    fn walk_small_pages(&mut self) {
        let size = self.store.small_page();
        let call = Call::get(PRODUCTS).with(SIZE, size);
        let Some(walked) = self.walk(call.clone(), self.share(WALK_SHARE), DOCUMENTED) else { return };
        let differs =
            self.store.ids_in_order().zip(walked.ids_in_order()).find(|(known, found)| known != found);
        let (known, found) = differs.unwrap_or_default();
        let wanted = format!("{known} at its place, as before");
        self.book.expect(&ORDER_STEADY, &walked.request, differs.is_none(), wanted, found);
        if !walked.is_whole {
            let last = (self.store.total() + size - 1) / size;
            self.list(&call.with(NUMBER, last), DOCUMENTED);
        }
    }

    fn read_beyond(&mut self, total: i64) {
        let Some(answer) = self.ask(&Call::get(PRODUCTS).with(NUMBER, total + 7)) else { return };
        let page = if answer.status == 200 { self.read(&answer, product_list) } else { None };
        let fits = page.is_some_and(|page| {
            let is_empty = page.items.is_some_and(|items| items.is_empty());
            let tells_total = page.meta.is_some_and(|meta| meta.total == total);
            is_empty && tells_total && page.links.is_none_or(|links| links.next.is_none())
        });
        let wanted = format!("200 with no items, meta.total {total}, links.next null");
        self.book.expect_of(&PAGES_BEYOND, &answer, fits, wanted);
    }
}
