//! Examines the errors of unknown paths and invalid parameters.

use super::{CATEGORIES, Examiner, HISTORY, PRODUCTS};
use crate::check::cursor::{Cursor, Findings, Read};
use crate::check::exchange::{Call, Response};
use crate::check::json::Json;
use crate::check::results::judge;
use crate::check::rule;
use crate::check::rule::Rule;

/// Invalid requests: the rule, the path, the parameter, its value, and the name of the field in the errors.
const WRONG: [(&Rule, &str, &str, &str, &str); 12] = [
    (rule::ERRORS_INVALID, PRODUCTS, "page[number]", "first", "page.number"),
    (rule::ERRORS_INVALID, PRODUCTS, "page[size]", "many", "page.size"),
    (rule::ERRORS_INVALID, PRODUCTS, "filter[minPrice]", "cheap", "filter.minPrice"),
    (rule::ERRORS_INVALID, PRODUCTS, "filter[maxPrice]", "dear", "filter.maxPrice"),
    (rule::ERRORS_INVALID, PRODUCTS, "sort", "colour", "sort"),
    (rule::ERRORS_INVALID, HISTORY, "page[number]", "first", "page.number"),
    (rule::ERRORS_BOUNDS, PRODUCTS, "page[number]", "0", "page.number"),
    (rule::ERRORS_BOUNDS, PRODUCTS, "page[size]", "0", "page.size"),
    (rule::ERRORS_BOUNDS, PRODUCTS, "filter[minPrice]", "-1", "filter.minPrice"),
    (rule::ERRORS_BOUNDS, PRODUCTS, "filter[onSale]", "maybe", "filter.onSale"),
    (rule::ERRORS_BOUNDS, PRODUCTS, "filter[pointbookCheck]", "1", "filter.pointbookCheck"),
    (rule::ERRORS_BOUNDS, PRODUCTS, "page", "2", "page"),
];

impl Examiner<'_> {
    pub(super) fn examine_errors(&mut self) {
        for folder in ["/v1", CATEGORIES] {
            let call = Call::get(&format!("{folder}/pointbook-check-nothing"));
            self.probe(rule::ERRORS_PATH, &call, r#"404 {"message":"Not found."}"#, |response| {
                response.status == 404 && response.message() == Some("Not found.")
            });
        }
        for (rule, path, name, value, field) in WRONG {
            let call = Call::get(path).with(name, value);
            if let Some(response) = self.probe(rule, &call, "422", |response| response.status == 422) {
                self.read(&response, validation_fields);
                self.judge_names(&response, &[field]);
            }
        }
        let call = Call::get(PRODUCTS).with("page[number]", "first").with("sort", "colour");
        if let Some(response) = self.ask(&call) {
            self.judge_names(&response, &["page.number", "sort"]);
        }
    }

    /// Judges whether the errors name exactly these fields.
    fn judge_names(&mut self, response: &Response, wanted: &[&str]) {
        if let Some((names, findings)) = response.read(validation_fields)
            && findings.flaws.borrow().is_empty()
        {
            judge!(self, rule::ERRORS_NAMES, &response.request, names == wanted;
                "errors of {wanted:?}"; "errors of {names:?}");
        }
    }
}

/// Reads the body of a 422. Returns the names of its fields.
fn validation_fields(json: &Json, findings: &Findings) -> Vec<String> {
    let root = Cursor::root(rule::ERRORS_BODY, json, findings);
    if let Some(message) = root.member("message")
        && message.json().as_text() != Some("The given data was invalid.")
    {
        message.refuse("is \"The given data was invalid.\"");
    }
    let fields = root.member("errors").and_then(|errors| errors.members()).unwrap_or_default();
    if fields.is_empty() && findings.flaws.borrow().is_empty() {
        root.refuse("names a field in errors");
    }
    for (_, messages) in &fields {
        if Vec::<String>::read(messages).is_some_and(|messages| messages.is_empty()) {
            messages.refuse("has a message");
        }
    }
    fields.into_iter().map(|(name, _)| name.to_owned()).collect()
}
