//! The store as it was read: the model that filters and orders are held against.

use std::collections::BTreeMap;

use super::{Examiner, PRODUCTS, Step};
use crate::answer::Call;
use crate::json::Json;
use crate::read::{Item, Product};
use crate::rule::{PAGES_CAPPED, PRODUCTS_AMOUNTS};

/// The page size with which a store is read.
const READING_SIZE: &str = "100";

/// The share of the requests that reading the store may take, in hundredths.
const READING_SHARE: u32 = 40;

/// The products of the store, in the order without sort.
#[derive(Debug, Default)]
pub(super) struct Store {
    pub(super) products: Vec<Product>,
    places: BTreeMap<String, usize>,
    /// All ids, also of products that could not be read.
    pub(super) ids: Vec<String>,
    /// Whether these are all there are.
    pub(super) is_whole: bool,
    pub(super) total: i64,
    /// The page size that the server granted.
    pub(super) per_page: i64,
}

impl Store {
    fn new(items: Vec<Item>, is_whole: bool, total: i64, per_page: i64) -> Self {
        let ids = items.iter().filter_map(|item| item.id.clone()).collect();
        let products: Vec<Product> = items.into_iter().filter_map(|item| item.product).collect();
        let places = products.iter().enumerate().map(|(place, found)| (found.id.clone(), place)).collect();
        Self { products, places, ids, is_whole, total, per_page }
    }

    /// Whether nothing is known of it.
    pub(super) fn is_unread(&self) -> bool {
        self.per_page == 0
    }

    pub(super) fn product(&self, id: &str) -> Option<&Product> {
        self.products.get(*self.places.get(id)?)
    }

    /// A page size at which the store takes some pages, but not many.
    pub(super) fn small_page(&self) -> i64 {
        (self.total / 4).clamp(1, 14)
    }
}

impl Examiner<'_> {
    /// Reads the store, as far as its share of the requests goes.
    pub(super) fn read_store(&mut self) -> Step {
        // Without parameters: what is the default is judged by the list itself.
        self.list(&Call::get(PRODUCTS))?;
        let large = Call::get(PRODUCTS).with("page[size]", READING_SIZE);
        let granted = self.share(READING_SHARE);
        // So large a page may be refused: the largest one is not documented.
        let walked = match self.list_by(&large, None)? {
            Some(page) => Some(self.walk_on(large, page, granted)?),
            None => self.walk(Call::get(PRODUCTS), granted)?,
        };
        let Some(walked) = walked else { return Ok(()) };
        self.store =
            Store::new(walked.items, walked.is_whole, walked.total.unwrap_or_default(), walked.per_page);
        if !self.store.is_whole {
            let (read, total) = (self.store.ids.len(), self.store.total);
            self.book.note(&format!(
                "{read} of {total} products were read: what the others ask of filters and orders was not tried"
            ));
        }
        self.judge_amounts();
        self.examine_largest_page()
    }

    fn judge_amounts(&mut self) {
        for product in &self.store.products {
            let Product { id, regular_price, sale_price, .. } = product;
            let fits =
                *regular_price >= 0 && sale_price.is_none_or(|sale| (0..=*regular_price).contains(&sale));
            self.book.expect(&PRODUCTS_AMOUNTS, &format!("GET {PRODUCTS}"), fits, || {
                let came = format!("product {id}: regular {regular_price}, sale {sale_price:?}");
                ("0 <= sale_price <= regular_price".to_owned(), came)
            });
        }
    }

    fn examine_largest_page(&mut self) -> Step {
        let call = Call::get(PRODUCTS).with("page[size]", "1000");
        let answer = self.ask(&call)?;
        let per_page = answer.json.as_ref().ok().and_then(|json| json.get("meta")?.get("per_page"));
        match (answer.status, per_page) {
            (200, Some(Json::Integer(1_000))) => {
                self.book.untried(&[&PAGES_CAPPED], "1,000 items a page are allowed");
            }
            (200, Some(Json::Integer(size @ 1..1_000))) => {
                self.book.held(&PAGES_CAPPED);
                self.book.note(&format!("a page has at most {size} products"));
            }
            _ => {
                let wanted = "200 with meta.per_page of at most 1000";
                self.book.broke(&PAGES_CAPPED, &answer.request, wanted, &answer.shown());
            }
        }
        Ok(())
    }
}
