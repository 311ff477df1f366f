//! What is answered to requests that ask for nothing there can be.

use super::{CATEGORIES, Examiner, HISTORY, PRODUCTS};
use crate::answer::{Answer, Call};
use crate::book::judge;
use crate::cursor::{Cursor, Findings, Read};
use crate::json::Json;
use crate::rule::{self, Rule};

/// Requests that are refused: the rule, where, the parameter, its value, and the name of the field.
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
            self.probe(rule::ERRORS_PATH, &call, r#"404 {"message":"Not found."}"#, |answer| {
                answer.status == 404 && answer.message() == Some("Not found.")
            });
        }
        for (rule, path, name, value, field) in WRONG {
            let call = Call::get(path).with(name, value);
            if let Some(answer) = self.probe(rule, &call, "422", |answer| answer.status == 422) {
                self.read(&answer, validation_fields);
                self.judge_names(&answer, &[field]);
            }
        }
        let call = Call::get(PRODUCTS).with("page[number]", "first").with("sort", "colour");
        if let Some(answer) = self.ask(&call) {
            self.judge_names(&answer, &["page.number", "sort"]);
        }
    }

    /// Whether exactly these fields are told.
    fn judge_names(&mut self, answer: &Answer, wanted: &[&str]) {
        if let Some((names, findings)) = answer.read(validation_fields)
            && findings.flaws.borrow().is_empty()
        {
            judge!(self, rule::ERRORS_NAMES, &answer.request, names == wanted;
                "errors of {wanted:?}"; "errors of {names:?}");
        }
    }
}

/// Reads the body of a 422; returns the names of its fields.
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
