//! What a body says it is.

use http::HeaderMap;
use http::header::CONTENT_TYPE;

use crate::ApiError;

/// Takes JSON: `application/json`, anything that ends in `+json`, or nothing said.
pub(super) fn expect_json(headers: &HeaderMap) -> Result<(), ApiError> {
    expect(headers, |kind| kind == "application/json" || kind.ends_with("+json"))
}

/// Takes lines of JSON, by one of the names that they go by, or nothing said.
pub(super) fn expect_ndjson(headers: &HeaderMap) -> Result<(), ApiError> {
    const KINDS: [&str; 4] =
        ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"];
    expect(headers, |kind| KINDS.contains(&kind))
}

/// Parameters, such as a charset, do not matter: JSON is UTF-8.
fn expect(headers: &HeaderMap, is_good: impl Fn(&str) -> bool) -> Result<(), ApiError> {
    let is_good = |value: &http::HeaderValue| {
        let value = value.to_str().unwrap_or_default();
        is_good(&value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
    };
    if headers.get_all(CONTENT_TYPE).iter().all(is_good) {
        Ok(())
    } else {
        Err(ApiError::UnsupportedMediaType)
    }
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
            assert!(expect_json(&headers(bad)).is_err(), "{bad}");
            assert!(expect_ndjson(&headers(bad)).is_err(), "{bad}");
        }
        assert!(expect_json(&HeaderMap::new()).is_ok() && expect_ndjson(&HeaderMap::new()).is_ok());
    }
}
