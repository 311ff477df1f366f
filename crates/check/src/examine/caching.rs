//! What may be kept, and the methods beside GET.

use super::detail::path_of;
use super::{CATEGORIES, Examiner, HISTORY, PRODUCTS, Step};
use crate::answer::{Answer, Call, Method};
use crate::rule::{ANSWERS_HEAD, ANSWERS_OPTIONS, CACHING_ETAG, CACHING_OTHER, CACHING_PRIVATE};

/// An `ETag` that nothing has.
const NOBODYS_ETAG: &str = "\"pointbook-check\"";

impl Examiner<'_> {
    pub(super) fn examine_caching(&mut self) -> Step {
        let product = self.store.ids.first().map(|id| path_of(id));
        let paths = [PRODUCTS, CATEGORIES, HISTORY].map(str::to_owned);
        for path in paths.into_iter().chain(product) {
            let Some(answer) = self.ask_documented(&Call::get(&path))? else { continue };
            self.judge_private(&answer);
            self.examine_etag(&path, &answer)?;
            self.examine_head(&path, &answer)?;
        }
        self.examine_options()
    }

    fn judge_private(&mut self, answer: &Answer) {
        let header = answer.header("cache-control").unwrap_or_default().to_ascii_lowercase();
        let words: Vec<&str> = header.split(',').map(str::trim).collect();
        let is_shared = words.iter().any(|word| *word == "public" || word.starts_with("s-maxage"));
        self.book.expect(&CACHING_PRIVATE, &answer.request, !is_shared, || {
            ("no public and no s-maxage in Cache-Control".to_owned(), header)
        });
    }

    fn examine_etag(&mut self, path: &str, first: &Answer) -> Step {
        let Some(etag) = first.header("etag") else {
            self.book.broke(&CACHING_ETAG, &first.request, "an ETag", "no such header");
            return Ok(());
        };
        let call = Call { if_none_match: Some(etag.to_owned()), ..Call::get(path) };
        let again = self.ask(&call)?;
        self.book.expect(&CACHING_ETAG, &again.request, again.status == 304 && again.is_empty, || {
            ("304 without a body".to_owned(), again.shown())
        });
        let call = Call { if_none_match: Some(NOBODYS_ETAG.to_owned()), ..Call::get(path) };
        let other = self.ask(&call)?;
        self.book.expect(&CACHING_OTHER, &other.request, other.status == 200, || {
            ("200".to_owned(), other.shown())
        });
        Ok(())
    }

    fn examine_head(&mut self, path: &str, get: &Answer) -> Step {
        let head = self.ask(&Call { method: Method::Head, ..Call::get(path) })?;
        let differs = ["content-type", "etag"].into_iter().find(|name| head.header(name) != get.header(name));
        let fits = head.status == get.status && differs.is_none();
        self.book.expect(&ANSWERS_HEAD, &head.request, fits, || {
            let name = differs.unwrap_or("content-type");
            let told = |answer: &Answer| format!("{}, {name} {:?}", answer.status, answer.header(name));
            (told(get), told(&head))
        });
        Ok(())
    }

    fn examine_options(&mut self) -> Step {
        let answer = self.ask(&Call { method: Method::Options, ..Call::get(PRODUCTS) })?;
        let allow = answer.header("allow").unwrap_or_default().to_owned();
        let names_get = allow.split(',').any(|method| method.trim() == "GET");
        let fits = (200..300).contains(&answer.status) && names_get;
        self.book.expect(&ANSWERS_OPTIONS, &answer.request, fits, || {
            ("200 with GET in Allow".to_owned(), format!("{} with Allow {allow:?}", answer.status))
        });
        Ok(())
    }
}
