//! What a body says it is.

use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderName};

use super::error::{BodyError, Expected};

/// Accepts JSON: `application/json`, a type that ends in `+json`, or no type.
pub(super) fn expect_json(headers: &HeaderMap) -> Result<(), BodyError> {
    expect(headers, Expected::Json, |kind| kind == "application/json" || kind.ends_with("+json"))
}

/// Accepts lines of JSON under any of their names, or no type.
pub(super) fn expect_ndjson(headers: &HeaderMap) -> Result<(), BodyError> {
    const KINDS: [&str; 4] =
        ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"];
    expect(headers, Expected::Lines, |kind| KINDS.contains(&kind))
}

/// Accepts every type.
pub(super) fn expect_uncoded(headers: &HeaderMap) -> Result<(), BodyError> {
    expect(headers, Expected::NoCoding, |_| true)
}

/// Parameters, such as a charset, do not matter: JSON is UTF-8. A body with a content coding, such as gzip, is refused (RFC
/// 9110, 8.4).
fn expect(headers: &HeaderMap, expected: Expected, is_good: impl Fn(&str) -> bool) -> Result<(), BodyError> {
    let all = |name: HeaderName, is_good: &dyn Fn(&str) -> bool| {
        headers.get_all(name).iter().all(|value| {
            let value = value.to_str().unwrap_or("?").to_ascii_lowercase();
            is_good(&value)
        })
    };
    if !all(CONTENT_ENCODING, &|codings| codings.split(',').all(|coding| coding.trim() == "identity")) {
        return Err(BodyError::UnsupportedMediaType(Expected::NoCoding));
    }
    if !all(CONTENT_TYPE, &|value| is_good(value.split(';').next().unwrap_or_default().trim())) {
        return Err(BodyError::UnsupportedMediaType(expected));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn headers(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(value))])
    }

    #[test]
    fn a_body_of_another_kind_is_refused() {
        for good in ["application/json", "Application/JSON; charset=utf-8", "application/vnd.api+json"] {
            assert!(expect_json(&headers(good)).is_ok(), "{good}");
            assert!(expect_ndjson(&headers(good)).is_err(), "{good}");
        }
        for good in
            ["application/x-ndjson", "application/ndjson", "application/jsonl;x", "application/x-jsonlines"]
        {
            assert!(expect_ndjson(&headers(good)).is_ok(), "{good}");
            assert!(expect_json(&headers(good)).is_err(), "{good}");
        }
        for bad in ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "json"] {
            assert!(expect_uncoded(&headers(bad)).is_ok(), "{bad}");
            assert!(expect_json(&headers(bad)).is_err(), "{bad}");
            assert!(expect_ndjson(&headers(bad)).is_err(), "{bad}");
        }
        assert!(expect_json(&HeaderMap::new()).is_ok() && expect_ndjson(&HeaderMap::new()).is_ok());
    }

    #[test]
    fn a_body_in_a_content_coding_is_refused() {
        let coded = |coding| HeaderMap::from_iter([(CONTENT_ENCODING, HeaderValue::from_static(coding))]);
        for good in ["identity", "Identity", "identity, identity"] {
            assert!(expect_json(&coded(good)).is_ok(), "{good}");
        }
        for bad in ["gzip", "br", "identity, gzip", "", "x"] {
            let refused = expect_ndjson(&coded(bad)).unwrap_err();
            assert!(matches!(refused, BodyError::UnsupportedMediaType(Expected::NoCoding)), "{bad}");
        }
    }
}
