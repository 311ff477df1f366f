//! Who is let in.

use std::collections::BTreeSet;

use super::detail::path_of;
use super::{CATEGORIES, Examiner, HISTORY, NOBODYS, PRODUCTS, Step};
use crate::answer::{Answer, Call, Credentials};
use crate::cursor::Flaws;
use crate::read::{is_unauthenticated, product_list};
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
    pub(super) fn examine_auth(&mut self) -> Step {
        let id = self.store.ids.first().map_or(NOBODYS, String::as_str);
        let paths = [PRODUCTS.to_owned(), path_of(id), CATEGORIES.to_owned(), HISTORY.to_owned()];
        for (rule, credentials) in INTRUDERS {
            for path in &paths {
                let answer = self.ask(&Call::get(path).by(credentials))?;
                self.judge_refusal(rule, &answer);
            }
        }
        let answer = self.ask(&Call::get(CATEGORIES).by(Credentials::OwnWithScheme("bEARER")))?;
        self.book.expect(&AUTH_SCHEME_CASE, &answer.request, answer.status == 200, || {
            ("200".to_owned(), answer.shown())
        });
        self.examine_other_token()
    }

    fn judge_refusal(&mut self, rule: &'static Rule, answer: &Answer) {
        if !self
            .book
            .expect(rule, &answer.request, answer.status == 401, || ("401".to_owned(), answer.shown()))
        {
            return;
        }
        self.book.expect(&AUTH_BODY, &answer.request, is_unauthenticated(answer), || {
            (r#"{"message":"Unauthenticated."}"#.to_owned(), answer.shown())
        });
        let challenge = answer.header("www-authenticate").unwrap_or("no such header");
        let is_bearer = challenge.to_ascii_lowercase().starts_with("bearer");
        self.book.expect(&AUTH_CHALLENGE, &answer.request, is_bearer, || {
            ("WWW-Authenticate: Bearer".to_owned(), challenge.to_owned())
        });
    }

    fn examine_other_token(&mut self) -> Step {
        if !self.client.has_other() {
            self.book.untried(&[&AUTH_OTHER_CATALOGUE, &AUTH_OTHER_HISTORY], "no other token was given");
            return Ok(());
        }
        let call = Call::get(PRODUCTS).by(Credentials::Other);
        if let Some(answer) = self.ask_documented(&call)? {
            self.compare_stores(&answer);
        }
        self.compare_pasts();
        Ok(())
    }

    fn compare_stores(&mut self, answer: &Answer) {
        let Ok(json) = &answer.json else { return };
        let page = product_list(json, &mut Flaws::new());
        let theirs: BTreeSet<_> = page.items.iter().flatten().filter_map(|item| item.id.clone()).collect();
        let Some(total) = page.meta.map(|meta| meta.total) else { return };
        if self.store.is_unread() {
            self.book.untried(&[&AUTH_OTHER_CATALOGUE], "the store could not be read");
            return;
        }
        let known = |id: &String| !self.store.is_whole || self.store.ids.contains(id);
        let fits = total == self.store.total && theirs.iter().all(known);
        self.book.expect(&AUTH_OTHER_CATALOGUE, &answer.request, fits, || {
            (format!("the {} products of the store", self.store.total), answer.shown())
        });
    }

    fn compare_pasts(&mut self) {
        let (Some(own), Some(other)) = (&self.past.own, &self.past.other) else {
            self.book.untried(&[&AUTH_OTHER_HISTORY], "one of the histories could not be read");
            return;
        };
        match (own.is_empty(), other.is_empty()) {
            (true, true) => {
                self.book.untried(&[&AUTH_OTHER_HISTORY], "neither user has transactions");
            }
            (true, false) | (false, true) => self.book.held(&AUTH_OTHER_HISTORY),
            (false, false) => {
                let differs = own != other;
                let request = format!("GET {HISTORY} (other token)");
                self.book.expect(&AUTH_OTHER_HISTORY, &request, differs, || {
                    (
                        "another history, unless both tokens are one user's".to_owned(),
                        "the same history".to_owned(),
                    )
                });
            }
        }
    }
}
