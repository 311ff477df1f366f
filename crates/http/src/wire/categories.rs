//! The body of `GET /v1/store/categories`.

const BEFORE: &[u8] = br#"{"data":"#;
const AFTER: &[u8] = b"}";
const NONE: &[u8] = b"[]";

/// Wraps a rendered array of categories; an unknown category has none.
pub fn categories_body(rendered: Option<&[u8]>) -> Vec<u8> {
    [BEFORE, rendered.unwrap_or(NONE), AFTER].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_stand_alone_in_data() {
        assert_eq!(categories_body(Some(br#"[{"id":"a"}]"#)), br#"{"data":[{"id":"a"}]}"#);
        assert_eq!(categories_body(None), br#"{"data":[]}"#);
    }
}
