//! What may be kept, and the methods beside GET.

use super::detail::path_of;
use super::{CATEGORIES, DOCUMENTED, Examiner, HISTORY, PRODUCTS};
use crate::answer::{Answer, Call};
use crate::rule::{ANSWERS_HEAD, ANSWERS_OPTIONS, CACHING_ETAG, CACHING_OTHER, CACHING_PRIVATE};

/// An `ETag` that no response has.
const UNKNOWN_ETAG: &str = "\"pointbook-check\"";

impl Examiner<'_> {
    pub(super) fn examine_caching(&mut self) {
        let product = self.store.ids_in_order().next().map(path_of);
        let paths = [PRODUCTS, CATEGORIES, HISTORY].map(str::to_owned);
        for path in paths.into_iter().chain(product) {
            let call = Call::get(&path);
            let Some(answer) = self.ask_ok(&call, DOCUMENTED) else { continue };
            self.judge_private(&answer);
            self.examine_etag(&call, &answer);
            self.examine_head(&call, &answer);
        }
        self.examine_options();
    }

    fn judge_private(&mut self, answer: &Answer) {
        let header = answer.header("cache-control").unwrap_or_default().to_ascii_lowercase();
        let is_shared = |word: &str| word == "public" || word.starts_with("s-maxage");
        let fits = !header.split(',').any(|word| is_shared(word.trim()));
        let wanted = "no public and no s-maxage in Cache-Control";
        self.book.expect(&CACHING_PRIVATE, &answer.request, fits, wanted, header);
    }

    fn examine_etag(&mut self, call: &Call, first: &Answer) {
        let Some(etag) = first.header("etag") else {
            return self.book.broke(&CACHING_ETAG, &first.request, "an ETag", "no such header");
        };
        let with_etag = |etag: &str| Call { if_none_match: Some(etag.to_owned()), ..call.clone() };
        if let Some(again) = self.ask(&with_etag(etag)) {
            let fits = again.status == 304 && again.is_empty;
            self.book.expect_of(&CACHING_ETAG, &again, fits, "304 without a body");
        }
        if let Some(other) = self.ask(&with_etag(UNKNOWN_ETAG)) {
            self.book.expect_of(&CACHING_OTHER, &other, other.status == 200, "200");
        }
    }

    fn examine_head(&mut self, call: &Call, get: &Answer) {
        let Some(head) = self.ask(&Call { method: "HEAD", ..call.clone() }) else { return };
        let told = |answer: &Answer| {
            let headers = ["content-type", "etag"].map(|name| format!("{name} {:?}", answer.header(name)));
            format!("{}, {}", answer.status, headers.join(", "))
        };
        let (wanted, came) = (told(get), told(&head));
        self.book.expect(&ANSWERS_HEAD, &head.request, wanted == came, &wanted, &came);
    }

    fn examine_options(&mut self) {
        let Some(answer) = self.ask(&Call { method: "OPTIONS", ..Call::get(PRODUCTS) }) else { return };
        let allow = answer.header("allow").unwrap_or_default();
        let names_get = allow.split(',').any(|method| method.trim() == "GET");
        let fits = (200..300).contains(&answer.status) && names_get;
        let came = format!("{} with Allow {allow:?}", answer.status);
        self.book.expect(&ANSWERS_OPTIONS, &answer.request, fits, "200 with GET in Allow", came);
    }
}
