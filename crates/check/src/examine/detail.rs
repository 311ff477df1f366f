//! Products one by one.

use super::{DOCUMENTED, Examiner, PRODUCTS, UNKNOWN};
use crate::address::escaped;
use crate::answer::Call;
use crate::json::Json;
use crate::read::{Product, product_detail};
use crate::rule::{DETAIL_ODD, DETAIL_SAME, DETAIL_UNKNOWN, Rule};

/// How many products are read alone.
const SAMPLES: usize = 5;

/// More characters than an id has.
const LONG_ID_CHARS: usize = 300;

impl Examiner<'_> {
    pub(super) fn examine_details(&mut self) {
        for product in self.samples() {
            let Some(answer) = self.ask_ok(&Call::get(&path_of(&product.id)), DOCUMENTED) else { continue };
            let Some(Some(alone)) = self.read(&answer, product_detail) else { continue };
            let (listed, told) = (format!("{product:#?}"), format!("{alone:#?}"));
            let differs = listed.lines().zip(told.lines()).find(|(listed, told)| listed != told);
            let (wanted, came) = differs.unwrap_or_default();
            self.book.expect(&DETAIL_SAME, &answer.request, product == alone, wanted.trim(), came.trim());
        }
        self.examine_unknown(&DETAIL_UNKNOWN, UNKNOWN);
        self.examine_unknown(&DETAIL_ODD, &"x".repeat(LONG_ID_CHARS));
        self.examine_unknown(&DETAIL_ODD, &format!("{UNKNOWN}/%\u{e9}"));
    }

    /// The first, the last and what is between, and one on sale.
    fn samples(&self) -> Vec<Product> {
        let products: Vec<&Product> = self.store.products().collect();
        let step = products.len().div_ceil(SAMPLES).max(1);
        let sale = products.iter().find(|product| product.sale_price.is_some());
        let samples = products.iter().step_by(step).chain(products.last()).chain(sale);
        let mut samples: Vec<Product> = samples.map(|product| (*product).clone()).collect();
        samples.sort_by(|left, right| left.id.cmp(&right.id));
        samples.dedup();
        samples
    }

    fn examine_unknown(&mut self, rule: &'static Rule, id: &str) {
        let Some(answer) = self.ask(&Call::get(&path_of(id))) else { return };
        let fits = answer.status == 404
            && answer.member("success") == Some(&Json::Bool(false))
            && answer.message() == Some("Product not found");
        let wanted = r#"404 {"success":false,"message":"Product not found"}"#;
        self.book.expect_of(rule, &answer, fits, wanted);
    }
}

/// The path of one product.
pub(super) fn path_of(id: &str) -> String {
    format!("{PRODUCTS}/{}", escaped(id))
}
