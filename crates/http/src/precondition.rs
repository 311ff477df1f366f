//! `If-Match` changes a product only if the client knows its stored state. `If-None-Match: *` creates a product only if it does
//! not exist.

use http::header::{IF_MATCH, IF_NONE_MATCH};
use http::{HeaderMap, HeaderName, HeaderValue};
use pointbook_store::ports::{CatalogueVersion, ProductCondition, ProductState, StoredProduct};

/// The strong `ETag` of a product for the back office. It is the state itself, so different states have different tags.
pub fn product_tag(stored: &StoredProduct) -> HeaderValue {
    // Digits, dashes and quotes are a valid header value.
    HeaderValue::try_from(tag_of(ProductState::of(stored))).unwrap_or(HeaderValue::from_static("\"\""))
}

/// The conditions of `If-Match` and `If-None-Match: *` for an operation that may create. Both together never hold: one needs a
/// product, the other needs none.
pub fn put_condition(headers: &HeaderMap) -> ProductCondition {
    let must_be_missing = entries(headers, &IF_NONE_MATCH).any(is_star);
    match (must_be_missing, headers.contains_key(IF_MATCH)) {
        (true, true) => ProductCondition::OneOf(Vec::new()),
        (true, false) => ProductCondition::Missing,
        (false, _) => product_condition(headers),
    }
}

/// The condition of `If-Match`. Without the header, every state is fine. An unknown tag matches no state.
pub fn product_condition(headers: &HeaderMap) -> ProductCondition {
    if !headers.contains_key(IF_MATCH) {
        return ProductCondition::None;
    }
    if entries(headers, &IF_MATCH).any(is_star) {
        return ProductCondition::Exists;
    }
    ProductCondition::OneOf(entries(headers, &IF_MATCH).filter_map(state_of).collect())
}

fn entries<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'h [u8]> {
    let lists = headers.get_all(name).into_iter();
    lists.flat_map(|list| list.as_bytes().split(|&byte| byte == b',')).map(<[u8]>::trim_ascii)
}

fn is_star(entry: &[u8]) -> bool {
    entry == b"*"
}

fn tag_of(ProductState { version: CatalogueVersion(version), stock, reserved }: ProductState) -> String {
    let stock = stock.map_or_else(String::new, |stock| format!("{stock:x}"));
    format!("\"{version:x}-{stock}-{reserved:x}\"")
}

/// The state of this tag. `None` for a weak tag: `If-Match` compares strongly (RFC 9110, 13.1.1).
fn state_of(tag: &[u8]) -> Option<ProductState> {
    let text = str::from_utf8(tag).ok()?;
    let mut parts = text.strip_prefix('"')?.strip_suffix('"')?.split('-');
    let (version, stock, reserved) = (parts.next()?, parts.next()?, parts.next()?);
    let state = ProductState {
        version: CatalogueVersion(u64::from_str_radix(version, 16).ok()?),
        stock: if stock.is_empty() { None } else { Some(u32::from_str_radix(stock, 16).ok()?) },
        reserved: u64::from_str_radix(reserved, 16).ok()?,
    };
    // A number can be written in several ways, but tags are compared byte by byte.
    (tag_of(state) == text).then_some(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(values: &[&str]) -> ProductCondition {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(IF_MATCH, HeaderValue::from_str(value).unwrap());
        }
        product_condition(&headers)
    }

    fn state(version: u64, stock: Option<u32>, reserved: u64) -> ProductState {
        ProductState { version: CatalogueVersion(version), stock, reserved }
    }

    #[test]
    fn a_tag_is_the_state_that_it_was_made_of() {
        let states = [state(18, Some(64), 1), state(u64::MAX, None, 0), state(1, Some(0), u64::MAX)];
        for state in states {
            assert_eq!(state_of(tag_of(state).as_bytes()), Some(state));
        }
        assert_eq!(tag_of(states[0]), "\"12-40-1\"");
        assert_eq!(condition(&["\"12-40-1\", \"1--0\"", "\"x\""]), {
            ProductCondition::OneOf(vec![state(18, Some(64), 1), state(1, None, 0)])
        });
    }

    #[test]
    fn a_weak_tag_and_any_other_text_match_nothing() {
        for bad in
            ["W/\"12-40-1\"", "12-40-1", "\"12-40\"", "\"12-40-1-1\"", "\"012-40-1\"", "\"+12-40-1\"", ""]
        {
            assert_eq!(condition(&[bad]), ProductCondition::OneOf(vec![]), "{bad}");
        }
    }

    #[test]
    fn a_star_asks_for_any_product_that_exists() {
        assert_eq!(condition(&[]), ProductCondition::None);
        assert_eq!(condition(&["*"]), ProductCondition::Exists);
        assert_eq!(condition(&["\"x\" , *"]), ProductCondition::Exists);
    }

    #[test]
    fn a_star_of_if_none_match_asks_for_no_product() {
        let both = |none_match: &'static str, if_match: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(IF_NONE_MATCH, HeaderValue::from_static(none_match));
            headers.extend(if_match.map(|tag| (IF_MATCH, HeaderValue::from_static(tag))));
            put_condition(&headers)
        };
        assert_eq!(both("*", None), ProductCondition::Missing);
        assert_eq!(both("\"x\", *", None), ProductCondition::Missing);
        assert_eq!(both("\"12-40-1\"", None), ProductCondition::None);
        assert_eq!(both("*", Some("*")), ProductCondition::OneOf(vec![]));
        assert_eq!(both("\"x\"", Some("*")), ProductCondition::Exists);
    }
}
