//! The body of `GET /v1/store/products/{product_id}`.

const BEFORE: &[u8] = br#"{"success":true,"data":"#;
const AFTER: &[u8] = b"}";

/// Wraps a rendered product.
pub fn product_body(rendered: &[u8]) -> Vec<u8> {
    [BEFORE, rendered, AFTER].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_says_success() {
        assert_eq!(product_body(br#"{"id":"a"}"#), br#"{"success":true,"data":{"id":"a"}}"#);
    }
}
