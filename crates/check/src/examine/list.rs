//! A page of a list of products: its numbers and its links, whatever was asked for.

use super::{Examiner, NUMBER};
use crate::address::Query;
use crate::answer::{Answer, Call};
use crate::client::Halt;
use crate::cursor::Flaws;
use crate::read::{Envelope, LIST_RULES, Links, Meta, product_list};
use crate::rule::{
    LINKS_BASE, LINKS_PAGES, LINKS_PARAMETERS, META_COUNTS, META_DEFAULTS, META_PAGE, META_PATH, META_SIZE,
    PAGES_EMPTY, Rule,
};

/// The page size without parameters.
const DEFAULT_SIZE: i64 = 15;

const SIZE: &str = "page[size]";

impl Examiner<'_> {
    /// Reads a page and judges all of it; none where there is no page.
    pub(super) fn list(&mut self, call: &Call) -> Result<Option<Envelope>, Halt> {
        let Some(answer) = self.ask_documented(call)? else { return Ok(None) };
        Ok(self.judge_list(call, &answer))
    }

    /// The same for a request that a server may refuse, as where the document is silent: this rule is broken then,
    /// where there is one.
    pub(super) fn list_by(
        &mut self,
        call: &Call,
        rule: Option<&'static Rule>,
    ) -> Result<Option<Envelope>, Halt> {
        let answer = self.ask(call)?;
        if answer.status == 200 {
            return Ok(self.judge_list(call, &answer));
        }
        if let Some(rule) = rule.filter(|_| !answer.is_missing()) {
            self.book.broke(rule, &answer.request, "200", &answer.shown());
        }
        Ok(None)
    }

    /// Judges a page.
    fn judge_list(&mut self, call: &Call, answer: &Answer) -> Option<Envelope> {
        let Ok(json) = &answer.json else { return None };
        let mut flaws = Flaws::new();
        let envelope = product_list(json, &mut flaws);
        self.book.judge(&answer.request, LIST_RULES, flaws);
        if let Some(meta) = &envelope.meta {
            let page = AskedPage { call, request: &answer.request, meta };
            self.judge_question(&page);
            if let Some(items) = &envelope.items {
                self.judge_counts(&page, i64::try_from(items.len()).unwrap_or(i64::MAX));
            }
            if let Some(links) = &envelope.links {
                self.judge_links(&page, links);
            }
        }
        Some(envelope)
    }

    /// Whether it is the page that was asked for.
    fn judge_question(&mut self, page: &AskedPage<'_>) {
        let AskedPage { call, request, meta } = page;
        let Meta { current_page, per_page, path, .. } = meta;
        let (number, size) = (asked(&call.query, NUMBER), asked(&call.query, SIZE));
        let rule = if number.is_some() { &META_PAGE } else { &META_DEFAULTS };
        let wanted = number.unwrap_or(1);
        self.book.expect(rule, request, *current_page == wanted, || {
            (format!("meta.current_page is {wanted}"), current_page.to_string())
        });
        let (rule, wanted) = size.map_or((&META_DEFAULTS, DEFAULT_SIZE), |size| (&META_SIZE, size));
        // A larger page than the default may be more than the server allows.
        let fits = *per_page == wanted || (wanted > DEFAULT_SIZE && (1..wanted).contains(per_page));
        self.book
            .expect(rule, request, fits, || (format!("meta.per_page is {wanted}"), per_page.to_string()));
        let place = self.client.base().within(path);
        let fits = place.is_some_and(|(below, query)| {
            is_same_path(&below, &call.path) && !query.iter().any(|(name, _)| name.starts_with("page"))
        });
        let wanted = self.client.base().join(&call.path, &[]);
        self.book.expect(&META_PATH, request, fits, || (format!("meta.path is {wanted}"), path.clone()));
    }

    fn judge_counts(&mut self, page: &AskedPage<'_>, came: i64) {
        let Meta { current_page, from, to, last_page, per_page, total, path: _ } = page.meta;
        let shown = |place: &Option<i64>| place.map_or_else(|| "null".to_owned(), |place| place.to_string());
        let told = format!("from {}, to {}, last_page {last_page}, and {came} items", shown(from), shown(to));
        let (per, page_number) = (i128::from(*per_page).max(1), i128::from(*current_page));
        let (total, came) = (i128::from(*total), i128::from(came));
        let last = ((total + per - 1) / per).max(1);
        let before = (page_number - 1) * per;
        let here = (total - before).clamp(0, per);
        let (rule, first, end): (&'static Rule, _, _) =
            if here == 0 { (&PAGES_EMPTY, 0, 0) } else { (&META_COUNTS, before + 1, before + here) };
        let places = (from.map(i128::from), to.map(i128::from));
        let fits = places == (Some(first), Some(end)) && (i128::from(*last_page), came) == (last, here);
        self.book.expect(rule, page.request, fits, || {
            let wanted = format!("from {first}, to {end}, last_page {last}, and {here} items");
            (format!("{wanted}, of {total} at {per} a page"), told)
        });
    }

    fn judge_links(&mut self, page: &AskedPage<'_>, links: &Links) {
        let Meta { current_page, last_page, .. } = page.meta;
        if current_page > last_page {
            return;
        }
        let prev = (*current_page > 1).then(|| current_page - 1);
        let next = (current_page < last_page).then(|| current_page + 1);
        let Links { first, last, prev: prev_link, next: next_link } = links;
        for (name, link, wanted) in [
            ("first", Some(first), Some(1)),
            ("last", Some(last), Some(*last_page)),
            ("prev", prev_link.as_ref(), prev),
            ("next", next_link.as_ref(), next),
        ] {
            match (link, wanted) {
                (Some(link), Some(wanted)) => self.judge_link(page, name, link, wanted),
                (None, None) => self.book.held(&LINKS_PAGES),
                (Some(link), None) => {
                    self.book.broke(&LINKS_PAGES, page.request, &format!("links.{name} is null"), link);
                }
                (None, Some(wanted)) => {
                    let wanted = format!("links.{name} leads to page {wanted}");
                    self.book.broke(&LINKS_PAGES, page.request, &wanted, "null");
                }
            }
        }
    }

    fn judge_link(&mut self, page: &AskedPage<'_>, name: &str, link: &str, wanted: i64) {
        let (base, path) = (self.client.base(), &page.call.path);
        let start = base.join(path, &[]);
        let within = base.within(link).filter(|(below, _)| is_same_path(below, path));
        self.book.expect(&LINKS_BASE, page.request, within.is_some(), || {
            (format!("links.{name} begins with {start}"), link.to_owned())
        });
        // Where it leads elsewhere, its query may still be right.
        let query = within.map_or_else(
            || crate::address::Url::parse(link).ok().map(|url| url.query),
            |found| Some(found.1),
        );
        let Some(query) = query else { return };
        let leads_to = asked(&query, NUMBER).unwrap_or(1);
        self.book.expect(&LINKS_PAGES, page.request, leads_to == wanted, || {
            (format!("links.{name} leads to page {wanted}"), link.to_owned())
        });
        // A page size above what is granted may be told as the one that was granted.
        let granted = (SIZE.to_owned(), page.meta.per_page.to_string());
        let keeps =
            |pair: &(String, String)| query.contains(pair) || (pair.0 == SIZE && query.contains(&granted));
        let lost = page.call.query.iter().find(|pair| pair.0 != NUMBER && !keeps(pair));
        self.book.expect(&LINKS_PARAMETERS, page.request, lost.is_none(), || {
            let lost = lost.map(|(name, value)| format!("{name}={value}")).unwrap_or_default();
            (format!("links.{name} keeps {lost}"), link.to_owned())
        });
    }
}

/// A page, and what it answers.
struct AskedPage<'p> {
    call: &'p Call,
    request: &'p str,
    meta: &'p Meta,
}

/// The number of a parameter, where it has one.
pub(super) fn asked(query: &Query, name: &str) -> Option<i64> {
    query.iter().rev().find(|(found, _)| found == name).and_then(|(_, value)| value.parse().ok())
}

fn is_same_path(left: &str, right: &str) -> bool {
    left.trim_end_matches('/') == right.trim_end_matches('/')
}
