//! Examines caching headers, `ETag`s, HEAD and OPTIONS.

use super::store::path_of;
use super::{CATEGORIES, DOCUMENTED, Examiner, HISTORY, PRODUCTS};
use crate::check::exchange::{Call, Response};
use crate::check::results::judge;
use crate::check::rule;

const UNKNOWN_ETAG: &str = "\"pointbook-check\"";

impl Examiner<'_> {
    pub(super) fn examine_caching(&mut self) {
        let product = self.store.ids_in_order().next().map(path_of);
        for path in [PRODUCTS, CATEGORIES, HISTORY].into_iter().chain(product.as_deref()) {
            let call = Call::get(path);
            let Some(response) = self.ask_ok(&call, DOCUMENTED) else { continue };
            self.judge_private(&response);
            self.examine_etag(&call, &response);
            self.examine_head(&call, &response);
        }
        self.examine_options();
    }

    fn judge_private(&mut self, response: &Response) {
        let header = response.header("cache-control").unwrap_or_default().to_ascii_lowercase();
        let is_shared = |word: &str| word == "public" || word.starts_with("s-maxage");
        let fits = !header.split(',').any(|word| is_shared(word.trim()));
        judge!(self, rule::CACHING_PRIVATE, &response.request, fits;
            "no public and no s-maxage in Cache-Control"; "{header}");
    }

    fn examine_etag(&mut self, call: &Call, first: &Response) {
        let Some(etag) = first.header("etag") else {
            return self.results.broke(rule::CACHING_ETAG, call, "an ETag", "no such header");
        };
        let with_etag = |etag: &str| Call { if_none_match: Some(etag.to_owned()), ..call.clone() };
        self.probe(rule::CACHING_ETAG, &with_etag(etag), "304 without a body", |again| {
            again.status == 304 && again.is_empty
        });
        self.probe(rule::CACHING_OTHER, &with_etag(UNKNOWN_ETAG), "200", |other| other.status == 200);
    }

    fn examine_head(&mut self, call: &Call, get: &Response) {
        let Some(head) = self.ask(&Call { method: "HEAD", ..call.clone() }) else { return };
        let told = |response: &Response| {
            let headers = ["content-type", "etag"].map(|name| format!("{name} {:?}", response.header(name)));
            format!("{}, {}", response.status, headers.join(", "))
        };
        let (wanted, came) = (told(get), told(&head));
        judge!(self, rule::ANSWERS_HEAD, &head.request, wanted == came; "{wanted}"; "{came}");
    }

    fn examine_options(&mut self) {
        let Some(response) = self.ask(&Call { method: "OPTIONS", ..Call::get(PRODUCTS) }) else { return };
        let (status, allow) = (response.status, response.header("allow").unwrap_or_default());
        let names_get = allow.split(',').any(|method| method.trim() == "GET");
        let fits = (200..300).contains(&status) && names_get;
        judge!(self, rule::ANSWERS_OPTIONS, &response.request, fits;
            "200 with GET in Allow"; "{status} with Allow {allow:?}");
    }
}
