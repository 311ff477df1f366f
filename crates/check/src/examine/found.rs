//! What a filter found, held against the store that was read before.

use std::collections::BTreeSet;

use super::{Examiner, PRODUCTS};
use crate::answer::Call;
use crate::client::Halt;
use crate::read::{Envelope, Product};
use crate::rule::{FILTERS_STORE, Rule};

/// The share of the requests that one filter may take, in hundredths.
const FILTER_SHARE: u32 = 3;

/// How many ids are named in a difference.
const NAMED_IDS: usize = 3;

/// The products that a filter found.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) request: String,
    pub(super) ids: BTreeSet<String>,
    products: Vec<Product>,
    /// Whether these are all it finds.
    pub(super) is_whole: bool,
}

impl Examiner<'_> {
    /// Reads what these filters find, in pages as large as they come; none where they find no answer.
    pub(super) fn find(&mut self, filters: &[(&str, &str)]) -> Result<Option<Found>, Halt> {
        let call = self.filtered(filters);
        let Some(page) = self.list(&call)? else { return Ok(None) };
        self.take_found(call, page).map(Some)
    }

    /// The same where the document does not say that there is an answer: where there is none, this rule is broken.
    pub(super) fn find_by(
        &mut self,
        rule: &'static Rule,
        filters: &[(&str, &str)],
    ) -> Result<Option<Found>, Halt> {
        let call = self.filtered(filters);
        let Some(page) = self.list_by(&call, Some(rule))? else { return Ok(None) };
        self.take_found(call, page).map(Some)
    }

    fn filtered(&self, filters: &[(&str, &str)]) -> Call {
        let call = filters.iter().fold(Call::get(PRODUCTS), |call, (name, value)| call.with(name, value));
        call.with("page[size]", &self.store.per_page.max(1).to_string())
    }

    fn take_found(&mut self, call: Call, page: Envelope) -> Result<Found, Halt> {
        let walked = self.walk_on(call, page, self.share(FILTER_SHARE))?;
        let ids = walked.items.iter().filter_map(|item| item.id.clone()).collect();
        let products = walked.items.into_iter().filter_map(|item| item.product).collect();
        let found = Found { request: walked.request, ids, products, is_whole: walked.is_whole };
        self.judge_strangers(&found);
        Ok(found)
    }

    /// Whatever a filter means, it finds what the store has.
    fn judge_strangers(&mut self, found: &Found) {
        if !self.store.is_whole {
            return;
        }
        let known = |product: &&Product| self.store.product(&product.id) == Some(*product);
        let stranger = found.products.iter().find(|product| !known(product));
        // What could not be read in the list is not known.
        let stranger = stranger.filter(|product| {
            self.store.product(&product.id).is_some() || !self.store.ids.contains(&product.id)
        });
        self.book.expect(&FILTERS_STORE, &found.request, stranger.is_none(), || {
            let id = stranger.map(|product| product.id.clone()).unwrap_or_default();
            ("products as the list without filters tells them".to_owned(), format!("{id} is another, or new"))
        });
    }

    /// How what was found differs from what these products should be: what is wanted, and what came.
    pub(super) fn difference(
        &self,
        found: &Found,
        fits: impl Fn(&Product) -> bool,
    ) -> Option<(String, String)> {
        let extra: Vec<&str> = found
            .products
            .iter()
            .filter(|product| !fits(product))
            .map(|product| product.id.as_str())
            .collect();
        let missing: Vec<&str> = if found.is_whole {
            let wanted = self.store.products.iter().filter(|product| fits(product));
            wanted.map(|product| product.id.as_str()).filter(|id| !found.ids.contains(*id)).collect()
        } else {
            Vec::new()
        };
        if extra.is_empty() && missing.is_empty() {
            return None;
        }
        let wanted = self.store.products.iter().filter(|product| fits(product)).count();
        let came = format!(
            "{} found{}{}",
            found.ids.len(),
            named(", among them ", &extra),
            named(", not ", &missing)
        );
        Some((format!("{wanted} products"), came))
    }

    /// The same for ids that are known from elsewhere.
    pub(super) fn difference_of_ids(
        &self,
        found: &Found,
        wanted: &BTreeSet<String>,
    ) -> Option<(String, String)> {
        self.difference(found, |product| wanted.contains(&product.id))
    }
}

fn named(words: &str, ids: &[&str]) -> String {
    if ids.is_empty() {
        return String::new();
    }
    let dots = if ids.len() > NAMED_IDS { ", …" } else { "" };
    let shown: Vec<&str> = ids.iter().take(NAMED_IDS).copied().collect();
    format!("{words}{}{dots}", shown.join(", "))
}
