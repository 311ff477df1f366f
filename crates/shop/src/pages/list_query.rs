//! The query of a list, as people type it.

use pointbook_domain::PageNumber;
use url::form_urlencoded;

/// The parameter with the number of a page, as the interface has it.
pub(super) const NUMBER: &str = "page[number]";
/// What the console calls it, and people type.
const TYPED: &str = "page";

/// The field of a form with the query of the list that led to its page.
pub(super) const LIST: &str = "list";

/// The names and values of a query. `page=2` is the second page. A page that is no number is left out, so the list begins with its first
/// page.
pub(super) fn pairs(query: Option<&str>) -> Vec<(String, String)> {
    let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned();
    let named = pairs.map(|(name, value)| (if name == TYPED { NUMBER.to_owned() } else { name }, value));
    named.filter(|(name, value)| name != NUMBER || is_page(value)).collect()
}

fn is_page(text: &str) -> bool {
    text.parse().ok().and_then(PageNumber::new).is_some()
}

/// A longer query is not carried on: the form of an order takes 8 KiB.
const MAX_CARRIED_BYTES: usize = 2_048;

/// The path with the query of the list that led there, so that the way back leads to the same filters and page.
pub(super) fn with_list(path: &str, list: &str) -> String {
    if list.is_empty() { path.to_owned() } else { format!("{path}?{list}") }
}

/// The query of the list that led to a page.
pub(super) fn carried(query: Option<&str>) -> String {
    Some(text(query)).filter(|text| text.len() <= MAX_CARRIED_BYTES).unwrap_or_default()
}

/// The same as the text of a query.
pub(super) fn text(query: Option<&str>) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs(query)).finish()
}
