//! The body of `GET /v1/store/categories`.

use bytes::Bytes;
use pointbook_http::kernel::Tag;
use pointbook_http::views::values::tag_of;
use pointbook_store::content_key::ContentKey;

use crate::index::SharedFragment;

const BEFORE: &[u8] = br#"{"data":"#;
const AFTER: &[u8] = b"}";
const NONE: &[u8] = b"[]";

/// Wraps a rendered array of categories. An unknown category has an empty one.
pub fn categories_body(rendered: Option<&SharedFragment>) -> Bytes {
    if let Some(body) = rendered.and_then(|rendered| rendered.body.as_ref()) {
        return body.clone();
    }
    [BEFORE, rendered.map_or(NONE, |rendered| &rendered.json[..]), AFTER].concat().into()
}

/// The tag of its body.
pub fn categories_tag(key: &ContentKey, rendered: Option<&SharedFragment>) -> Tag {
    rendered.map_or_else(|| tag_of(key, NONE), |rendered| Tag::of_hash(rendered.hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_stand_alone_in_data() {
        let json = Bytes::from_static(br#"[{"id":"a"}]"#);
        let rendered = SharedFragment { json, body: None, hash: 7 };
        assert_eq!(categories_body(Some(&rendered)), &br#"{"data":[{"id":"a"}]}"#[..]);
        let key = ContentKey::new(&[7; ContentKey::BYTES]);
        assert_eq!(categories_tag(&key, Some(&rendered)), Tag::of_hash(7));
        assert_eq!(categories_body(None), &br#"{"data":[]}"#[..]);
    }
}
