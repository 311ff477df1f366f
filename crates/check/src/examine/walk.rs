//! From the first page of a list to its last one, by its own links.

use std::collections::{BTreeMap, BTreeSet};

use super::list::asked;
use super::{Examiner, NUMBER};
use crate::address::Query;
use crate::answer::Call;
use crate::client::Halt;
use crate::read::{Envelope, Item};
use crate::rule::{LINKS_WALK, META_TOTAL, PRODUCTS_IDS};

/// Pages that belong together.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// The line of the first request.
    pub(super) request: String,
    pub(super) items: Vec<Item>,
    /// Whether the last page was reached.
    pub(super) is_whole: bool,
    /// As the first page told it.
    pub(super) total: Option<i64>,
    pub(super) per_page: i64,
    pages: usize,
    /// On which page each id came.
    places: BTreeMap<String, usize>,
}

impl Examiner<'_> {
    /// Reads so many pages at most, judges each, and whether together they are the list; none where there is no
    /// first page.
    pub(super) fn walk(&mut self, first: Call, max_pages: usize) -> Result<Option<Walked>, Halt> {
        let Some(page) = self.list(&first)? else { return Ok(None) };
        self.walk_on(first, page, max_pages).map(Some)
    }

    /// The same from a first page that was read.
    pub(super) fn walk_on(&mut self, first: Call, page: Envelope, max_pages: usize) -> Result<Walked, Halt> {
        let mut walked = Walked { request: first.to_string(), ..Walked::default() };
        let (mut call, mut visited, mut read) = (first, BTreeSet::new(), Some(page));
        while let Some(page) = read.take() {
            let request = call.to_string();
            visited.insert(asked(&call.query, NUMBER).unwrap_or(1));
            self.take(&mut walked, &request, &page);
            let Some(query) = self.next_query(&call, &page) else {
                walked.is_whole = page.items.is_some();
                break;
            };
            let number = asked(&query, NUMBER).unwrap_or(1);
            if visited.contains(&number) {
                let came = format!("it leads back to page {number}");
                self.book.broke(&LINKS_WALK, &request, "links.next leads on", &came);
                break;
            }
            call.query = query;
            if walked.pages < max_pages {
                read = self.list(&call)?;
            }
        }
        self.judge_walk(&walked);
        Ok(walked)
    }

    /// Takes a page in.
    fn take(&mut self, walked: &mut Walked, request: &str, page: &Envelope) {
        walked.pages += 1;
        if let Some(meta) = &page.meta {
            if walked.pages == 1 {
                (walked.total, walked.per_page) = (Some(meta.total), meta.per_page);
            }
            self.book.expect(
                &META_TOTAL,
                request,
                walked.total.is_none_or(|total| meta.total == total),
                || {
                    (
                        format!("meta.total is {:?}, as on the first page", walked.total),
                        meta.total.to_string(),
                    )
                },
            );
        }
        for item in page.items.iter().flatten() {
            let Some(id) = &item.id else { continue };
            match walked.places.insert(id.clone(), walked.pages) {
                None => {}
                Some(page) if page == walked.pages => {
                    self.book.broke(
                        &PRODUCTS_IDS,
                        request,
                        "every id once",
                        &format!("{id} twice on one page"),
                    );
                }
                Some(page) => {
                    let came = format!("{id} on pages {page} and {}", walked.pages);
                    self.book.broke(&LINKS_WALK, request, "every product on one page", &came);
                }
            }
        }
        self.book.held(&PRODUCTS_IDS);
        walked.items.extend(page.items.iter().flatten().cloned());
    }

    /// Where the next page is: as its link says, but never anywhere else than on this server.
    fn next_query(&self, call: &Call, page: &Envelope) -> Option<Query> {
        if let Some(links) = &page.links {
            let link = links.next.as_ref()?;
            if let Some((_, query)) = self.client.base().within(link) {
                return Some(query);
            }
        }
        let meta = page.meta.as_ref().filter(|meta| meta.current_page < meta.last_page)?;
        let mut query = call.query.clone();
        query.retain(|(name, _)| name != NUMBER);
        query.push((NUMBER.to_owned(), (meta.current_page + 1).to_string()));
        Some(query)
    }

    fn judge_walk(&mut self, walked: &Walked) {
        let Walked { request, items, places, pages, .. } = walked;
        let (true, Some(total)) = (walked.is_whole, walked.total) else { return };
        let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
        self.book.expect(&META_TOTAL, request, count == total, || {
            (format!("{total} items, as meta.total says"), format!("{count} on {pages} pages"))
        });
        if *pages > 1 {
            let nameless = items.iter().filter(|item| item.id.is_none()).count();
            let distinct = i64::try_from(places.len() + nameless).unwrap_or(i64::MAX);
            self.book.expect(&LINKS_WALK, request, distinct >= total, || {
                (format!("{total} different products on the way"), format!("{distinct} on {pages} pages"))
            });
        }
    }
}
