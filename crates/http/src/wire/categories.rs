//! The body of `GET /v1/store/categories`.

use bytes::Bytes;

use crate::response::{Payload, Tag};

const BEFORE: &[u8] = br#"{"data":"#;
const AFTER: &[u8] = b"}";
const NONE: &[u8] = b"[]";

/// Wraps a rendered array of categories; an unknown category has none.
pub fn categories_body(rendered: Option<&[u8]>) -> Payload {
    Payload::between(BEFORE, rendered.map_or(Bytes::from_static(NONE), Bytes::copy_from_slice), AFTER)
}

/// The tag of its body.
pub fn categories_tag(rendered: Option<&[u8]>) -> Tag {
    Tag::of(rendered.unwrap_or(NONE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_stand_alone_in_data() {
        let text = |rendered| categories_body(rendered).to_vec();
        assert_eq!(text(Some(br#"[{"id":"a"}]"#)), br#"{"data":[{"id":"a"}]}"#);
        assert_eq!(text(None), br#"{"data":[]}"#);
    }
}
