//! The body of `GET /v1/store/products/{product_id}`.

use bytes::Bytes;
use pointbook_app::Fragment;

use crate::response::{Payload, Tag};

const BEFORE: &[u8] = br#"{"success":true,"data":"#;
const AFTER: &[u8] = b"}";

/// Wraps a rendered product.
pub fn product_body(rendered: Fragment<'_>) -> Payload {
    Payload::between(BEFORE, Bytes::copy_from_slice(rendered.json), AFTER)
}

/// The tag of its body.
pub fn product_tag(rendered: Fragment<'_>) -> Tag {
    Tag::of_hash(rendered.hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_says_success() {
        let rendered = Fragment { json: br#"{"id":"a"}"#, hash: 7 };
        assert_eq!(product_tag(rendered), Tag::of_hash(7));
        assert_eq!(product_body(rendered).to_vec(), br#"{"success":true,"data":{"id":"a"}}"#);
    }
}
