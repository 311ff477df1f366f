//! Examines a page of a list of products: its numbers and its links.

use super::{Examiner, NUMBER, SIZE};
use crate::check::exchange::Call;
use crate::check::read::{Envelope, Links, Meta, product_list};
use crate::check::results::judge;
use crate::check::rule;
use crate::check::rule::Rule;
use crate::check::server_url::{integer_parameter, query_of};

/// The page size without parameters.
const DEFAULT_SIZE: i64 = 15;

impl Examiner<'_> {
    /// Reads a page and judges all of it. Returns `None`, and records that `rule` is broken, when there is no page.
    pub(super) fn list(&mut self, call: &Call, rule: Option<&'static Rule>) -> Option<Envelope> {
        let response = self.ask_ok(call, rule)?;
        let envelope = self.read(&response, product_list)?;
        if let Some(meta) = &envelope.meta {
            self.judge_requested_page(call, meta);
            if let Some(items) = &envelope.items {
                self.judge_counts(call, meta, items.len());
            }
            if let Some(links) = &envelope.links {
                self.judge_links(call, meta, links);
            }
        }
        Some(envelope)
    }

    /// Judges whether the response is the requested page.
    fn judge_requested_page(&mut self, call: &Call, meta: &Meta) {
        let Meta { current_page, per_page, path, .. } = meta;
        let number = integer_parameter(&call.query, NUMBER);
        let rule = if number.is_some() { rule::META_PAGE } else { rule::META_DEFAULTS };
        let number = number.unwrap_or(1);
        judge!(self, rule, call, *current_page == number; "meta.current_page is {number}"; "{current_page}");

        let size = integer_parameter(&call.query, SIZE);
        let rule = if size.is_some() { rule::META_SIZE } else { rule::META_DEFAULTS };
        let size = size.unwrap_or(DEFAULT_SIZE);
        // The server may limit a page size above the default.
        let fits = *per_page == size || (size > DEFAULT_SIZE && (1..size).contains(per_page));
        judge!(self, rule, call, fits; "meta.per_page is {size}"; "{per_page}");

        let base = &self.client.base;
        let (wanted, place) = (base.join(&call.path, &[]), base.within(path));
        let fits = place.is_some_and(|(below, query)| {
            is_same_path(&below, &call.path) && !query.iter().any(|(name, _)| name.starts_with("page"))
        });
        judge!(self, rule::META_PATH, call, fits; "meta.path is {wanted}"; "{path}");
    }

    fn judge_counts(&mut self, call: &Call, meta: &Meta, items: usize) {
        let Meta { current_page, from, to, last_page, per_page, total, path: _ } = meta;
        let (per, all) = (i128::from(*per_page).max(1), i128::from(*total));
        let before = (i128::from(*current_page) - 1) * per;
        let here = (all - before).clamp(0, per);
        let (rule, first, end) = if here == 0 {
            (rule::PAGES_EMPTY, 0, 0)
        } else {
            (rule::META_COUNTS, before + 1, before + here)
        };
        let wanted = (Some(first), Some(end), ((all + per - 1) / per).max(1), here);
        let items = i128::try_from(items).unwrap_or(i128::MAX);
        let came = (from.map(i128::from), to.map(i128::from), i128::from(*last_page), items);
        judge!(self, rule, call, came == wanted;
            "from, to, last_page and the number of items are {wanted:?}, of {total} at {per_page} a page";
            "{came:?}");
    }

    fn judge_links(&mut self, call: &Call, meta: &Meta, links: &Links) {
        let (page, last_page) = (meta.current_page, meta.last_page);
        if page > last_page {
            return;
        }
        let Links { first, last, prev, next } = links;
        for (name, link, wanted) in [
            ("first", Some(first), Some(1)),
            ("last", Some(last), Some(last_page)),
            ("prev", prev.as_ref(), (page > 1).then(|| page - 1)),
            ("next", next.as_ref(), (page < last_page).then(|| page + 1)),
        ] {
            let Some(link) = link.filter(|_| wanted.is_some()) else {
                let fits = link.is_none() == wanted.is_none();
                judge!(self, rule::LINKS_PAGES, call, fits; "links.{name} leads to {wanted:?}"; "{link:?}");
                continue;
            };
            self.judge_link(call, meta, (name, link), wanted);
        }
    }

    fn judge_link(&mut self, call: &Call, meta: &Meta, (name, link): (&str, &str), wanted: Option<i64>) {
        let base = &self.client.base;
        let start = base.join(&call.path, &[]);
        let within = base.within(link).filter(|(below, _)| is_same_path(below, &call.path));
        judge!(self, rule::LINKS_BASE, call, within.is_some(); "links.{name} begins with {start}"; "{link}");
        // The query of a link to another place may still be right.
        let Some(query) = within.map(|(_, query)| query).or_else(|| query_of(link)) else { return };
        let fits = integer_parameter(&query, NUMBER).or(Some(1)) == wanted;
        judge!(self, rule::LINKS_PAGES, call, fits; "links.{name} leads to page {wanted:?}"; "{link}");
        // Instead of a page size above the limit, a link may have the limit.
        let granted = (SIZE.to_owned(), meta.per_page.to_string());
        let keeps =
            |pair: &(String, String)| query.contains(pair) || (pair.0 == SIZE && query.contains(&granted));
        let lost = call.query.iter().find(|pair| pair.0 != NUMBER && !keeps(pair));
        judge!(self, rule::LINKS_PARAMETERS, call, lost.is_none(); "links.{name} keeps {lost:?}"; "{link}");
    }
}

fn is_same_path(left: &str, right: &str) -> bool {
    left.trim_end_matches('/') == right.trim_end_matches('/')
}
