//! What is answered to requests that ask for nothing there can be.

use super::{CATEGORIES, Examiner, HISTORY, PRODUCTS, Step};
use crate::answer::{Answer, Call};
use crate::cursor::Flaws;
use crate::read::validation_fields;
use crate::rule::{ERRORS_BODY, ERRORS_BOUNDS, ERRORS_INVALID, ERRORS_NAMES, ERRORS_PATH, Rule};

/// A request that is refused: where, the parameter, its value, and the name of the field.
type Wrong = (&'static str, &'static str, &'static str, &'static str);

/// Values that are none of the parameter's type.
const INVALID: [Wrong; 6] = [
    (PRODUCTS, "page[number]", "first", "page.number"),
    (PRODUCTS, "page[size]", "many", "page.size"),
    (PRODUCTS, "filter[minPrice]", "cheap", "filter.minPrice"),
    (PRODUCTS, "filter[maxPrice]", "dear", "filter.maxPrice"),
    (PRODUCTS, "sort", "colour", "sort"),
    (HISTORY, "page[number]", "first", "page.number"),
];

/// Values of the type that make no sense.
const OUT_OF_BOUNDS: [Wrong; 6] = [
    (PRODUCTS, "page[number]", "0", "page.number"),
    (PRODUCTS, "page[size]", "0", "page.size"),
    (PRODUCTS, "filter[minPrice]", "-1", "filter.minPrice"),
    (PRODUCTS, "filter[onSale]", "maybe", "filter.onSale"),
    (PRODUCTS, "filter[pointbookCheck]", "1", "filter.pointbookCheck"),
    (PRODUCTS, "page", "2", "page"),
];

impl Examiner<'_> {
    pub(super) fn examine_errors(&mut self) -> Step {
        for path in
            ["/v1/pointbook-check-nothing".to_owned(), format!("{CATEGORIES}/pointbook-check-nothing")]
        {
            let answer = self.ask(&Call::get(&path))?;
            let fits = answer.status == 404 && answer.message() == Some("Not found.");
            self.book.expect(&ERRORS_PATH, &answer.request, fits, || {
                (r#"404 {"message":"Not found."}"#.to_owned(), answer.shown())
            });
        }
        for wrong in INVALID {
            self.examine_refusal(&ERRORS_INVALID, wrong)?;
        }
        for wrong in OUT_OF_BOUNDS {
            self.examine_refusal(&ERRORS_BOUNDS, wrong)?;
        }
        let call = Call::get(PRODUCTS).with("page[number]", "first").with("sort", "colour");
        let answer = self.ask(&call)?;
        self.judge_names(&answer, &["page.number", "sort"]);
        Ok(())
    }

    fn examine_refusal(&mut self, rule: &'static Rule, wrong: Wrong) -> Step {
        let (path, name, value, field) = wrong;
        let answer = self.ask(&Call::get(path).with(name, value))?;
        self.book.expect(rule, &answer.request, answer.status == 422, || ("422".to_owned(), answer.shown()));
        if answer.status == 422 {
            let mut flaws = Flaws::new();
            validation_fields(&answer, &mut flaws);
            self.book.judge(&answer.request, &[&ERRORS_BODY], flaws);
            self.judge_names(&answer, &[field]);
        }
        Ok(())
    }

    /// Whether exactly these fields are told.
    fn judge_names(&mut self, answer: &Answer, wanted: &[&str]) {
        let mut flaws = Flaws::new();
        let names = validation_fields(answer, &mut flaws);
        if flaws.is_empty() {
            self.book.expect(&ERRORS_NAMES, &answer.request, names == wanted, || {
                (format!("errors of {}", wanted.join(", ")), format!("errors of {}", names.join(", ")))
            });
        }
    }
}
