//! Parameters of a query string: the encoding of brackets for prism, and the forms that prism does not understand.

use std::collections::HashSet;

use super::left_out::{self, Reason};
use super::operations::Operation;

/// The largest integer that prism accepts for an `int64`: JavaScript's largest safe integer.
const MAX_INTEGER: u64 = (1 << 53) - 1;

/// A query string in which prism recognizes the names of parameters.
///
/// At its start, prism prints an example of each operation, and for that it encodes the names of parameters permanently.
/// From then on, it looks for `page%5Bsize%5D` among decoded names. So this function encodes brackets twice.
pub(super) fn for_prism(query: &str) -> String {
    let pairs = query.split('&').map(|pair| {
        let (name, value) = pair.split_at(pair.find('=').unwrap_or(pair.len()));
        decoded(name).replace('[', "%255B").replace(']', "%255D") + value
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// The first form that the server understands and prism does not, if any.
pub(super) fn other_form(query: &str, operation: &Operation) -> Option<Reason> {
    let mut names = HashSet::new();
    let pairs = query.trim_start_matches('?').split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (decoded(name), value)).find_map(|(name, value)| {
        let is = |kind| operation.parameter(&name).is_some_and(|parameter| parameter.is_of(kind));
        let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        let is_large = || is_number && value.parse().map_or(true, |number: u64| number > MAX_INTEGER);
        left_out::first(&[
            (Reason::OtherFlag, is("boolean") && is_other_flag(value)),
            (Reason::LargeInteger, is("integer") && is_large()),
            (Reason::GivenTwice, !names.insert(name)),
        ])
    })
}

/// The query string with exactly this value for the parameter.
pub(super) fn with(query: &str, name: &str, value: &str) -> String {
    let pairs = query.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty());
    let others = pairs.filter(|pair| decoded(pair.split('=').next().unwrap_or_default()) != name);
    let pairs: Vec<String> = others.map(str::to_owned).chain([format!("{name}={value}")]).collect();
    format!("?{}", pairs.join("&"))
}

/// Whether the value is a flag that `docs/api.md` and the text of the OpenAPI document allow, but not its schema.
fn is_other_flag(value: &str) -> bool {
    let is_word = ["true", "false"].iter().any(|word| *word != value && word.eq_ignore_ascii_case(value));
    is_word || ["0", "1"].contains(&value)
}

/// The name with decoded brackets.
pub(super) fn decoded(name: &str) -> String {
    let pairs = [("%5B", "["), ("%5b", "["), ("%5D", "]"), ("%5d", "]")];
    pairs.iter().fold(name.to_owned(), |name, (encoded, bracket)| name.replace(encoded, bracket))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::proxy::operations::Operations;

    #[test]
    fn brackets_in_names_are_encoded_twice() {
        for (query, expected) in [
            ("", ""),
            ("?sort=[a]", "?sort=[a]"),
            ("?page[size]=1&a", "?page%255Bsize%255D=1&a"),
            ("?a=b&page%5Bsize%5d=%5B&filter[%5D", "?a=b&page%255Bsize%255D=%5B&filter%255B%255D"),
        ] {
            assert_eq!(for_prism(query), expected);
        }
    }

    #[test]
    fn parameter_is_replaced_in_the_query() {
        for (query, expected) in [
            ("", "?page[size]=x"),
            ("?page[size]=1", "?page[size]=x"),
            ("?a=b&page%5Bsize%5d=1&page[number]=2", "?a=b&page[number]=2&page[size]=x"),
        ] {
            assert_eq!(with(query, "page[size]", "x"), expected);
        }
    }

    #[test]
    fn forms_that_only_the_server_understands_are_recognized() {
        let operations = Operations::read().unwrap();
        let operation = operations.asked_for("GET", "/v1/store/products").unwrap();
        for (query, expected) in [
            ("", None),
            ("?filter[onSale]=true&filter[lowStock]=false", None),
            ("?filter[onSale]=yes", None),
            ("?filter[onSale]", None),
            ("?page[size]=1&page[number]=0", None),
            ("?filter[maxPrice]=9007199254740991", None),
            ("?filter[title]=9007199254740992&a=9007199254740992", None),
            ("?filter[onSale]=1", Some(Reason::OtherFlag)),
            ("?sort=price&filter%5BonSale%5D=TRUE", Some(Reason::OtherFlag)),
            ("?filter[maxPrice]=9007199254740992", Some(Reason::LargeInteger)),
            ("?filter[minPrice]=99999999999999999999", Some(Reason::LargeInteger)),
            ("?page[size]=1&page%5Bsize%5d=2", Some(Reason::GivenTwice)),
        ] {
            assert_eq!(other_form(query, operation), expected, "{query}");
        }
    }
}
