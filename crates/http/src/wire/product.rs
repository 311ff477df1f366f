//! The body of `GET /v1/store/products/{product_id}`.

use bytes::Bytes;

use crate::response::{Payload, Tag};

const BEFORE: &[u8] = br#"{"success":true,"data":"#;
const AFTER: &[u8] = b"}";

/// Wraps a rendered product.
pub fn product_body(rendered: &[u8]) -> Payload {
    Payload::between(BEFORE, Bytes::copy_from_slice(rendered), AFTER)
}

/// The tag of its body.
pub fn product_tag(rendered: &[u8]) -> Tag {
    Tag::of(rendered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_says_success() {
        assert_eq!(product_body(br#"{"id":"a"}"#).to_vec(), br#"{"success":true,"data":{"id":"a"}}"#);
    }
}
