//! A page of a list of products: its numbers and its links.

use super::{Examiner, NUMBER, SIZE};
use crate::address::{Query, query_of};
use crate::answer::Call;
use crate::read::{Envelope, Links, Meta, product_list};
use crate::rule::{
    LINKS_BASE, LINKS_PAGES, LINKS_PARAMETERS, META_COUNTS, META_DEFAULTS, META_PAGE, META_PATH, META_SIZE,
    PAGES_EMPTY, Rule,
};

/// The page size without parameters.
const DEFAULT_SIZE: i64 = 15;

impl Examiner<'_> {
    /// Reads a page and judges all of it; `None` where there is no page, which breaks `rule`.
    pub(super) fn list(&mut self, call: &Call, rule: Option<&'static Rule>) -> Option<Envelope> {
        let answer = self.ask_ok(call, rule)?;
        let envelope = self.read(&answer, product_list)?;
        if let Some(meta) = &envelope.meta {
            self.judge_question(call, meta);
            if let Some(items) = &envelope.items {
                self.judge_counts(call, meta, items.len());
            }
            if let Some(links) = &envelope.links {
                self.judge_links(call, meta, links);
            }
        }
        Some(envelope)
    }

    /// Whether it is the page that was asked for.
    fn judge_question(&mut self, call: &Call, meta: &Meta) {
        let Meta { current_page, per_page, path, .. } = meta;
        let number = asked(&call.query, NUMBER);
        let rule = if number.is_some() { &META_PAGE } else { &META_DEFAULTS };
        let number = number.unwrap_or(1);
        let wanted = format!("meta.current_page is {number}");
        self.book.expect(rule, call, *current_page == number, wanted, current_page);

        let size = asked(&call.query, SIZE);
        let rule = if size.is_some() { &META_SIZE } else { &META_DEFAULTS };
        let size = size.unwrap_or(DEFAULT_SIZE);
        // A larger page than the default may be more than the server allows.
        let fits = *per_page == size || (size > DEFAULT_SIZE && (1..size).contains(per_page));
        self.book.expect(rule, call, fits, format_args!("meta.per_page is {size}"), per_page);

        let fits = self.client.base().within(path).is_some_and(|(below, query)| {
            is_same_path(&below, &call.path) && !query.iter().any(|(name, _)| name.starts_with("page"))
        });
        let wanted = format!("meta.path is {}", self.client.base().join(&call.path, &[]));
        self.book.expect(&META_PATH, call, fits, wanted, path);
    }

    fn judge_counts(&mut self, call: &Call, meta: &Meta, came: usize) {
        let Meta { current_page, from, to, last_page, per_page, total, path: _ } = meta;
        let words = |from: Option<i128>, to: Option<i128>, last_page: i128, items: i128| {
            let [from, to] =
                [from, to].map(|place| place.map_or("null".to_owned(), |place| place.to_string()));
            format!("from {from}, to {to}, last_page {last_page}, and {items} items")
        };
        let (per, total) = (i128::from(*per_page).max(1), i128::from(*total));
        let before = (i128::from(*current_page) - 1) * per;
        let here = (total - before).clamp(0, per);
        let (rule, first, end): (&'static Rule, _, _) =
            if here == 0 { (&PAGES_EMPTY, 0, 0) } else { (&META_COUNTS, before + 1, before + here) };
        let wanted = words(Some(first), Some(end), ((total + per - 1) / per).max(1), here);
        let came = i128::try_from(came).unwrap_or(i128::MAX);
        let came = words(from.map(i128::from), to.map(i128::from), i128::from(*last_page), came);
        let fits = came == wanted;
        self.book.expect(rule, call, fits, format_args!("{wanted}, of {total} at {per} a page"), came);
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
            match (link, wanted) {
                (Some(link), Some(wanted)) => self.judge_link(call, meta, (name, link), wanted),
                (None, None) => self.book.held(&LINKS_PAGES),
                (Some(link), None) => {
                    self.book.broke(&LINKS_PAGES, call, format_args!("links.{name} is null"), link);
                }
                (None, Some(wanted)) => {
                    let wanted = format!("links.{name} leads to page {wanted}");
                    self.book.broke(&LINKS_PAGES, call, wanted, "null");
                }
            }
        }
    }

    fn judge_link(&mut self, call: &Call, meta: &Meta, (name, link): (&str, &str), number: i64) {
        let base = self.client.base();
        let within = base.within(link).filter(|(below, _)| is_same_path(below, &call.path));
        let wanted = format!("links.{name} begins with {}", base.join(&call.path, &[]));
        self.book.expect(&LINKS_BASE, call, within.is_some(), wanted, link);
        // Where it leads elsewhere, its query may still be right.
        let Some(query) = within.map(|(_, query)| query).or_else(|| query_of(link)) else { return };
        let wanted = format!("links.{name} leads to page {number}");
        self.book.expect(&LINKS_PAGES, call, asked(&query, NUMBER).unwrap_or(1) == number, wanted, link);
        // A page size above what is granted may be told as the one that was granted.
        let granted = (SIZE.to_owned(), meta.per_page.to_string());
        let keeps =
            |pair: &(String, String)| query.contains(pair) || (pair.0 == SIZE && query.contains(&granted));
        let lost = call.query.iter().find(|pair| pair.0 != NUMBER && !keeps(pair));
        let pair = lost.map(|(name, value)| format!("{name}={value}")).unwrap_or_default();
        let wanted = format!("links.{name} keeps {pair}");
        self.book.expect(&LINKS_PARAMETERS, call, lost.is_none(), wanted, link);
    }
}

/// The number of a parameter, where it has one.
pub(super) fn asked(query: &Query, name: &str) -> Option<i64> {
    query.iter().rev().find(|(found, _)| found == name).and_then(|(_, value)| value.parse().ok())
}

fn is_same_path(left: &str, right: &str) -> bool {
    left.trim_end_matches('/') == right.trim_end_matches('/')
}
