//! From the first page of a list to its last one, by its own links.

use std::collections::{BTreeMap, BTreeSet};

use super::{DOCUMENTED, Examiner, NUMBER, PRODUCTS, SIZE};
use crate::address::{Query, asked};
use crate::answer::Call;
use crate::book::judge;
use crate::read::{Envelope, Item, Product};
use crate::rule::{self, Rule};

/// The share of the requests that one filter may take, in hundredths.
const FILTER_SHARE: u32 = 3;

#[derive(Debug, Default)]
pub(super) struct Walked {
    pub(super) request: String,
    items: Vec<Item>,
    /// All ids, also of products that could not be read.
    pub(super) ids: BTreeSet<String>,
    /// Whether the last page was reached.
    pub(super) is_whole: bool,
    pub(super) total: Option<i64>,
    pub(super) per_page: i64,
    pages: usize,
}

impl Walked {
    pub(super) fn products(&self) -> impl Iterator<Item = &Product> {
        self.items.iter().filter_map(|item| item.product.as_ref())
    }

    pub(super) fn ids_in_order(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| item.id.as_deref())
    }

    /// How these products differ from those of the store that fit: what is wanted, and what came.
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
    /// Reads so many pages at most, judges each, and whether together they are the list; `None` where there is no
    /// first page, which breaks `rule`, and where no further request is sent.
    pub(super) fn walk(
        &mut self,
        first: Call,
        max_pages: usize,
        rule: Option<&'static Rule>,
    ) -> Option<Walked> {
        let mut walked = Walked { request: first.to_string(), ..Walked::default() };
        let (mut call, mut visited) = (first, BTreeSet::new());
        let mut read = Some(self.list(&call, rule)?);
        while let Some(page) = read.take() {
            visited.insert(asked(&call.query, NUMBER).unwrap_or(1));
            let (next, has_items) = (self.next_query(&call, &page), page.items.is_some());
            self.take(&mut walked, &call, page);
            let Some(query) = next else {
                walked.is_whole = has_items;
                break;
            };
            let number = asked(&query, NUMBER).unwrap_or(1);
            if visited.contains(&number) {
                let came = format!("it leads back to page {number}");
                self.book.broke(rule::LINKS_WALK, &call, "links.next leads on", came);
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

    fn take(&mut self, walked: &mut Walked, call: &Call, page: Envelope) {
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
            self.book.broke(rule::LINKS_WALK, call, "every product on one page", came);
        }
        walked.ids.append(&mut ids);
        walked.items.extend(items);
    }

    /// Where the next page is: as its link says, but never anywhere else than on this server.
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

    fn judge_walk(&mut self, walked: &Walked) {
        let Walked { request, items, ids, pages, .. } = walked;
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

    /// Reads what these filters find, in pages as large as they come.
    pub(super) fn find(&mut self, filters: &[(&str, &str)], rule: Option<&'static Rule>) -> Option<Walked> {
        let call = filters.iter().fold(Call::get(PRODUCTS), |call, (name, value)| call.with(name, value));
        let call = call.with(SIZE, self.store.per_page.max(1));
        let found = self.walk(call, self.share(FILTER_SHARE), rule)?;
        if self.store.is_whole {
            self.judge_strangers(&found);
        }
        Some(found)
    }

    /// Every filter finds products of the store. A product that could not be read in the list is not known.
    fn judge_strangers(&mut self, found: &Walked) {
        let known: BTreeMap<&str, &Product> =
            self.store.products().map(|known| (id_of(known), known)).collect();
        let stranger = found.products().find(|product| match known.get(id_of(product)) {
            Some(known) => known != product,
            None => !self.store.ids.contains(&product.id),
        });
        let id = stranger.map(id_of);
        judge!(self, rule::FILTERS_STORE, &found.request, stranger.is_none();
            "products as the list without filters tells them"; "{id:?} is another, or new");
    }

    /// Judges whether a filter found the products that fit.
    pub(super) fn judge_found(
        &mut self,
        rule: &'static Rule,
        found: &Walked,
        fits: impl Fn(&Product) -> bool,
    ) -> bool {
        let difference = found.difference(&self.store, fits);
        let holds = difference.is_none();
        let (wanted, came) = difference.unwrap_or_default();
        self.book.expect(rule, &found.request, holds, wanted, came)
    }
}
