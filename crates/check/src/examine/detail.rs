//! Products one by one.

use super::{Examiner, NOBODYS, PRODUCTS, Step};
use crate::address::escaped;
use crate::answer::{Answer, Call};
use crate::cursor::Flaws;
use crate::json::Json;
use crate::read::{DETAIL_RULES, Product, product_detail};
use crate::rule::{DETAIL_ODD, DETAIL_SAME, DETAIL_UNKNOWN, Rule};

/// How many products are read alone.
const SAMPLES: usize = 5;

/// More characters than an id has.
const LONG_ID_CHARS: usize = 300;

impl Examiner<'_> {
    pub(super) fn examine_details(&mut self) -> Step {
        for product in self.samples() {
            let Some(answer) = self.ask_documented(&Call::get(&path_of(&product.id)))? else { continue };
            let (Ok(json), mut flaws) = (&answer.json, Flaws::new()) else { continue };
            let alone = product_detail(json, &mut flaws);
            self.book.judge(&answer.request, DETAIL_RULES, flaws);
            let Some(alone) = alone else { continue };
            self.book.expect(&DETAIL_SAME, &answer.request, alone == product, || {
                (format!("{product:?}"), differing(&product, &alone))
            });
        }
        self.examine_unknown(&DETAIL_UNKNOWN, NOBODYS)?;
        self.examine_unknown(&DETAIL_ODD, &"x".repeat(LONG_ID_CHARS))?;
        self.examine_unknown(&DETAIL_ODD, &format!("{NOBODYS}/%\u{e9}"))
    }

    /// The first, the last and what is between, and one on sale.
    fn samples(&self) -> Vec<Product> {
        let products = &self.store.products;
        let step = products.len().div_ceil(SAMPLES).max(1);
        let sale = products.iter().find(|product| product.sale_price.is_some());
        let mut samples: Vec<_> =
            products.iter().step_by(step).chain(products.last()).chain(sale).cloned().collect();
        samples.sort_by(|left, right| left.id.cmp(&right.id));
        samples.dedup();
        samples
    }

    fn examine_unknown(&mut self, rule: &'static Rule, id: &str) -> Step {
        let answer = self.ask(&Call::get(&path_of(id)))?;
        self.book.expect(rule, &answer.request, is_not_found(&answer), || {
            let wanted = r#"404 {"success":false,"message":"Product not found"}"#;
            (wanted.to_owned(), answer.shown())
        });
        Ok(())
    }
}

/// The path of a product's own answer.
pub(super) fn path_of(id: &str) -> String {
    format!("{PRODUCTS}/{}", escaped(id))
}

fn is_not_found(answer: &Answer) -> bool {
    let success = answer.json.as_ref().ok().and_then(|json| json.get("success"));
    answer.status == 404
        && success == Some(&Json::Bool(false))
        && answer.message() == Some("Product not found")
}

/// The fields in which two tellings of a product differ.
fn differing(listed: &Product, alone: &Product) -> String {
    let Product { id, title, sku, description, regular_price, sale_price, thumbnail, gallery } = listed;
    let fields = [
        ("id", *id == alone.id),
        ("title", *title == alone.title),
        ("sku", *sku == alone.sku),
        ("description", *description == alone.description),
        ("regular_price", *regular_price == alone.regular_price),
        ("sale_price", *sale_price == alone.sale_price),
        ("thumbnail", *thumbnail == alone.thumbnail),
        ("gallery", *gallery == alone.gallery),
    ];
    let names: Vec<&str> = fields.iter().filter(|(_, same)| !same).map(|(name, _)| *name).collect();
    format!("another {}", names.join(", "))
}
