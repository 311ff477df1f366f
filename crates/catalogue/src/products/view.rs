//! The body of `GET /v1/store/products/{productId}`: the members of a product, which `index/render.rs` writes, in their frame.

use bytes::Bytes;
use pointbook_http::describe::{Field, Sample, Schema, View, required};
use pointbook_http::kernel::Tag;

use crate::index::Fragment;

const BEFORE: &[u8] = br#"{"success":true,"data":"#;
const AFTER: &[u8] = b"}";

/// Wraps a rendered product.
pub fn product_body(rendered: Fragment<'_>) -> Bytes {
    [BEFORE, rendered.json, AFTER].concat().into()
}

/// The tag of its body.
pub fn product_tag(rendered: Fragment<'_>) -> Tag {
    Tag::of_hash(rendered.hash)
}

/// A product, as the index writes it.
pub(crate) struct ProductView;

impl View for ProductView {
    const NAME: &'static str = "Product";

    fn members() -> Vec<Field> {
        vec![
            required("id", Schema::id()),
            required("title", Schema::text()),
            required("sku", Schema::text().describe("Stock keeping code.")),
            required(
                "description",
                Schema::text().describe("HTML without unsafe elements. Never null; may be empty."),
            ),
            required("regular_price", Schema::price().describe("In points.")),
            required("sale_price", Schema::price().or_null().describe("In points. Null for no sale.")),
            required(
                "thumbnail",
                Schema::text().describe("The URL of an image. Empty when the product has no image."),
            ),
            required("gallery", Schema::list(Schema::text()).describe("The URLs of more images.")),
        ]
    }
}

impl Sample for ProductView {
    const SAMPLE: &'static str = include_str!("product.json");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_says_success() {
        let rendered = Fragment { json: br#"{"id":"a"}"#, hash: 7 };
        assert_eq!(product_tag(rendered), Tag::of_hash(7));
        assert_eq!(product_body(rendered), &br#"{"success":true,"data":{"id":"a"}}"#[..]);
    }
}
