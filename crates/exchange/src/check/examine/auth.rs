//! Examines authentication: which tokens the server accepts, and whether histories are separate.

use super::store::path_of;
use super::{CATEGORIES, DOCUMENTED, Examiner, HISTORY, PRODUCTS, UNKNOWN};
use crate::check::exchange::{Call, Credentials};
use crate::check::read::product_list;
use crate::check::results::judge;
use crate::check::rule;
use crate::check::rule::Rule;

const BAD_CREDENTIALS: [(&Rule, Credentials); 3] = [
    (rule::AUTH_MISSING, Credentials::None),
    (rule::AUTH_WRONG, Credentials::Bad("Bearer pointbook-check-token-of-nobody")),
    (rule::AUTH_SCHEME, Credentials::Bad("Basic cG9pbnRib29rOmNoZWNr")),
];

impl Examiner<'_> {
    pub(super) fn examine_auth(&mut self) {
        let product = path_of(self.store.ids_in_order().next().unwrap_or(UNKNOWN));
        for (rule, credentials) in BAD_CREDENTIALS {
            for path in [PRODUCTS, &product, CATEGORIES, HISTORY] {
                self.examine_refusal(rule, &Call::get(path).by(credentials));
            }
        }
        let call = Call::get(CATEGORIES).by(Credentials::OwnWithScheme("bEARER"));
        self.probe(rule::AUTH_SCHEME_CASE, &call, "200", |response| response.status == 200);
        if self.client.other.is_some() {
            self.compare_stores();
            self.compare_histories();
        } else {
            self.untried(&[rule::AUTH_OTHER_CATALOGUE, rule::AUTH_OTHER_HISTORY], "no other token was given");
        }
    }

    fn examine_refusal(&mut self, rule: &'static Rule, call: &Call) {
        let Some(response) = self.probe(rule, call, "401", |response| response.status == 401) else { return };
        let fits = response.message() == Some("Unauthenticated.");
        self.results.expect_of(rule::AUTH_BODY, &response, fits, r#"{"message":"Unauthenticated."}"#);
        let challenge = response.header("www-authenticate").unwrap_or("no such header");
        let fits = challenge.to_ascii_lowercase().starts_with("bearer");
        judge!(self, rule::AUTH_CHALLENGE, call, fits; "WWW-Authenticate: Bearer"; "{challenge}");
    }

    fn compare_stores(&mut self) {
        let Some(response) = self.ask_ok(&Call::get(PRODUCTS).by(Credentials::Other), DOCUMENTED) else {
            return;
        };
        let Some((page, _)) = response.read(product_list) else { return };
        let Some(total) = page.meta.map(|meta| meta.total) else { return };
        if self.store.is_unread() {
            return self.untried(&[rule::AUTH_OTHER_CATALOGUE], "the store could not be read");
        }
        let mut ids = page.items.iter().flatten().filter_map(|item| item.id.as_ref());
        let are_known = !self.store.is_whole || ids.all(|id| self.store.ids.contains(id));
        let own_total = self.store.total();
        judge!(self, rule::AUTH_OTHER_CATALOGUE, &response.request, total == own_total && are_known;
            "the {own_total} products of the store"; "{response}");
    }

    fn compare_histories(&mut self) {
        let (Some(own), Some(other)) = (&self.histories.own, &self.histories.other) else {
            return self.untried(&[rule::AUTH_OTHER_HISTORY], "one of the histories could not be read");
        };
        if own.is_empty() && other.is_empty() {
            return self.untried(&[rule::AUTH_OTHER_HISTORY], "neither user has transactions");
        }
        let call = Call::get(HISTORY).by(Credentials::Other);
        judge!(self, rule::AUTH_OTHER_HISTORY, &call, own != other;
            "another history, unless both tokens belong to one user"; "the same history");
    }
}
