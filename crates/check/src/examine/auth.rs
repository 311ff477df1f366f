//! Who is let in.

use super::detail::path_of;
use super::{CATEGORIES, DOCUMENTED, Examiner, HISTORY, PRODUCTS, UNKNOWN};
use crate::answer::{Answer, Call, Credentials};
use crate::read::product_list;
use crate::rule::{
    AUTH_BODY, AUTH_CHALLENGE, AUTH_MISSING, AUTH_OTHER_CATALOGUE, AUTH_OTHER_HISTORY, AUTH_SCHEME,
    AUTH_SCHEME_CASE, AUTH_WRONG, Rule,
};

/// What opens nothing, by the rule that says so.
const INTRUDERS: [(&Rule, Credentials); 3] = [
    (&AUTH_MISSING, Credentials::None),
    (&AUTH_WRONG, Credentials::Bad("Bearer pointbook-check-token-of-nobody")),
    (&AUTH_SCHEME, Credentials::Bad("Basic cG9pbnRib29rOmNoZWNr")),
];

impl Examiner<'_> {
    pub(super) fn examine_auth(&mut self) {
        let product = path_of(self.store.ids_in_order().next().unwrap_or(UNKNOWN));
        for (rule, credentials) in INTRUDERS {
            for path in [PRODUCTS, &product, CATEGORIES, HISTORY] {
                if let Some(answer) = self.ask(&Call::get(path).by(credentials)) {
                    self.judge_refusal(rule, &answer);
                }
            }
        }
        if let Some(answer) = self.ask(&Call::get(CATEGORIES).by(Credentials::OwnWithScheme("bEARER"))) {
            self.book.expect_of(&AUTH_SCHEME_CASE, &answer, answer.status == 200, "200");
        }
        if self.client.has_other() {
            self.compare_stores();
            self.compare_pasts();
        } else {
            self.untried(&[&AUTH_OTHER_CATALOGUE, &AUTH_OTHER_HISTORY], "no other token was given");
        }
    }

    fn judge_refusal(&mut self, rule: &'static Rule, answer: &Answer) {
        if !self.book.expect_of(rule, answer, answer.status == 401, "401") {
            return;
        }
        let fits = answer.message() == Some("Unauthenticated.");
        self.book.expect_of(&AUTH_BODY, answer, fits, r#"{"message":"Unauthenticated."}"#);
        let challenge = answer.header("www-authenticate").unwrap_or("no such header");
        let fits = challenge.to_ascii_lowercase().starts_with("bearer");
        self.book.expect(&AUTH_CHALLENGE, &answer.request, fits, "WWW-Authenticate: Bearer", challenge);
    }

    fn compare_stores(&mut self) {
        let Some(answer) = self.ask_ok(&Call::get(PRODUCTS).by(Credentials::Other), DOCUMENTED) else {
            return;
        };
        let Some((page, _)) = answer.read(product_list) else { return };
        let Some(total) = page.meta.map(|meta| meta.total) else { return };
        if self.store.is_unread() {
            return self.untried(&[&AUTH_OTHER_CATALOGUE], "the store could not be read");
        }
        let mut ids = page.items.iter().flatten().filter_map(|item| item.id.as_ref());
        let are_known = !self.store.is_whole || ids.all(|id| self.store.ids.contains(id));
        let wanted = format!("the {} products of the store", self.store.total());
        let fits = total == self.store.total() && are_known;
        self.book.expect_of(&AUTH_OTHER_CATALOGUE, &answer, fits, wanted);
    }

    fn compare_pasts(&mut self) {
        let (Some(own), Some(other)) = (&self.past.own, &self.past.other) else {
            return self.untried(&[&AUTH_OTHER_HISTORY], "one of the histories could not be read");
        };
        if own.is_empty() && other.is_empty() {
            return self.untried(&[&AUTH_OTHER_HISTORY], "neither user has transactions");
        }
        let request = format_args!("GET {HISTORY} (other token)");
        let wanted = "another history, unless both tokens are one user's";
        self.book.expect(&AUTH_OTHER_HISTORY, request, own != other, wanted, "the same history");
    }
}
