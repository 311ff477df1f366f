//! Follows the links of a list from the first page to the last one.

use std::collections::{BTreeMap, BTreeSet};

use super::{DOCUMENTED, Examiner, NUMBER, PRODUCTS, SIZE};
use crate::check::exchange::Call;
use crate::check::read::{Envelope, Item, Product};
use crate::check::results::judge;
use crate::check::rule;
use crate::check::rule::Rule;
use crate::check::server_url::{Query, integer_parameter};

/// The share of the requests that one filter may take, in hundredths.
const FILTER_SHARE: u32 = 3;

/// The pages of a list that were read.
#[derive(Debug, Default)]
pub(super) struct WalkedList {
    pub(super) request: String,
    items: Vec<Item>,
    /// All ids, including those of products that could not be read.
    pub(super) ids: BTreeSet<String>,
    /// Whether the last page was reached.
    pub(super) is_whole: bool,
    pub(super) total: Option<i64>,
    pub(super) per_page: i64,
    pages: usize,
}

impl WalkedList {
    pub(super) fn products(&self) -> impl Iterator<Item = &Product> {
        self.items.iter().filter_map(|item| item.product.as_ref())
    }

    pub(super) fn ids_in_order(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| item.id.as_deref())
    }

    /// Compares these products with the products of the store that fit. Returns what was expected and what came, or `None`
    /// when they are equal.
    pub(super) fn difference(
        &self,
        store: &Self,
        fits: impl Fn(&Product) -> bool,
    ) -> Option<(String, String)> {
        let extra: Vec<&str> = self.products().filter(|product| !fits(product)).map(id_of).collect();
        let wanted: Vec<&str> = store.products().filter(|product| fits(product)).map(id_of).collect();
        let is_missing = |id: &&&str| self.is_whole && !self.ids.contains(**id);
        let missing: Vec<&&str> = wanted.iter().filter(is_missing).collect();
        let differs = !extra.is_empty() || !missing.is_empty();
        differs.then(|| {
            let came = format!("{} found, with {extra:?}, without {missing:?}", self.ids.len());
            (format!("{} products", wanted.len()), came)
        })
    }
}

fn id_of(product: &Product) -> &str {
    &product.id
}

impl Examiner<'_> {
    /// Reads at most `max_pages` pages and judges each page and the whole list. Returns `None` when there is no first page,
    /// which breaks `rule`, or when the examination has to stop.
    pub(super) fn walk(
        &mut self,
        first: Call,
        max_pages: usize,
        rule: Option<&'static Rule>,
    ) -> Option<WalkedList> {
        let mut walked = WalkedList { request: first.to_string(), ..WalkedList::default() };
        let (mut call, mut visited) = (first, BTreeSet::new());
        let mut read = Some(self.list(&call, rule)?);
        while let Some(page) = read.take() {
            visited.insert(integer_parameter(&call.query, NUMBER).unwrap_or(1));
            let (next, has_items) = (self.next_query(&call, &page), page.items.is_some());
            self.take(&mut walked, &call, page);
            let Some(query) = next else {
                walked.is_whole = has_items;
                break;
            };
            let number = integer_parameter(&query, NUMBER).unwrap_or(1);
            if visited.contains(&number) {
                let came = format!("it leads back to page {number}");
                self.results.broke(rule::LINKS_WALK, &call, "links.next leads on", came);
                break;
            }
            call.query = query;
            if walked.pages < max_pages {
                read = self.list(&call, DOCUMENTED);
            }
        }
        if self.halt.is_some() {
            return None;
        }
        self.judge_walk(&walked);
        Some(walked)
    }

    fn take(&mut self, walked: &mut WalkedList, call: &Call, page: Envelope) {
        walked.pages += 1;
        if let Some(meta) = page.meta {
            if walked.pages == 1 {
                (walked.total, walked.per_page) = (Some(meta.total), meta.per_page);
            }
            let (first, total) = (walked.total.unwrap_or(meta.total), meta.total);
            judge!(self, rule::META_TOTAL, call, total == first;
                "meta.total is {first}, as on the first page"; "{total}");
        }
        let items = page.items.unwrap_or_default();
        let (mut ids, mut twice) = (BTreeSet::new(), "");
        for id in items.iter().filter_map(|item| item.id.as_ref()) {
            if !ids.insert(id.clone()) {
                twice = id;
            }
        }
        judge!(self, rule::PRODUCTS_IDS, call, twice.is_empty(); "every id once"; "{twice} twice on one page");
        if let Some(id) = ids.intersection(&walked.ids).next() {
            let came = format!("{id} also on a page before page {}", walked.pages);
            self.results.broke(rule::LINKS_WALK, call, "every product on one page", came);
        }
        walked.ids.append(&mut ids);
        walked.items.extend(items);
    }

    /// The query of the next page, from its link. Ignores a link to another server and counts instead.
    fn next_query(&self, call: &Call, page: &Envelope) -> Option<Query> {
        if let Some(links) = &page.links
            && let Some((_, query)) = self.client.base.within(links.next.as_ref()?)
        {
            return Some(query);
        }
        let meta = page.meta.as_ref().filter(|meta| meta.current_page < meta.last_page)?;
        let mut query = call.query.clone();
        query.retain(|(name, _)| name != NUMBER);
        query.push((NUMBER.to_owned(), (meta.current_page + 1).to_string()));
        Some(query)
    }

    fn judge_walk(&mut self, walked: &WalkedList) {
        let WalkedList { request, items, ids, pages, .. } = walked;
        let (true, Some(total)) = (walked.is_whole, walked.total) else { return };
        let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
        judge!(self, rule::META_TOTAL, request, count == total;
            "{total} items, as meta.total says"; "{count} on {pages} pages");
        if *pages > 1 {
            let nameless = items.iter().filter(|item| item.id.is_none()).count();
            let distinct = i64::try_from(ids.len() + nameless).unwrap_or(i64::MAX);
            judge!(self, rule::LINKS_WALK, request, distinct >= total;
                "{total} different products on the way"; "{distinct} on {pages} pages");
        }
    }

    /// Reads the products that these filters find, with the page size of the store.
    pub(super) fn find(
        &mut self,
        filters: &[(&str, &str)],
        rule: Option<&'static Rule>,
    ) -> Option<WalkedList> {
        let call = filters.iter().fold(Call::get(PRODUCTS), |call, (name, value)| call.with(name, value));
        let call = call.with(SIZE, self.store.per_page.max(1));
        let found = self.walk(call, self.share(FILTER_SHARE), rule)?;
        if self.store.is_whole {
            self.judge_unlisted_products(&found);
        }
        Some(found)
    }

    /// Judges whether all found products are products of the store. Products that could not be read in the list match by id.
    fn judge_unlisted_products(&mut self, found: &WalkedList) {
        let known: BTreeMap<&str, &Product> =
            self.store.products().map(|known| (id_of(known), known)).collect();
        let unlisted = found.products().find(|product| match known.get(id_of(product)) {
            Some(known) => known != product,
            None => !self.store.ids.contains(&product.id),
        });
        let id = unlisted.map(id_of);
        judge!(self, rule::FILTERS_STORE, &found.request, unlisted.is_none();
            "the products of the list without filters"; "{id:?} differs or is new");
    }

    /// Judges whether a filter found the products that fit.
    pub(super) fn judge_found(
        &mut self,
        rule: &'static Rule,
        found: &WalkedList,
        fits: impl Fn(&Product) -> bool,
    ) -> bool {
        let difference = found.difference(&self.store, fits);
        let holds = difference.is_none();
        let (wanted, came) = difference.unwrap_or_default();
        self.results.expect(rule, &found.request, holds, wanted, came)
    }
}
