//! The `ETag`s of tenants.

use pointbook_store::content_key::ContentKey;

use crate::kernel::Tag;

/// The `ETag` of a body with these bytes, or of one that consists only of them.
pub fn tag_of(key: &ContentKey, bytes: &[u8]) -> Tag {
    Tag::of_hash(key.hash(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_depends_on_the_key_and_on_the_body() {
        let [one, other] = [7, 8].map(|byte| ContentKey::new(&[byte; ContentKey::BYTES]));
        assert_eq!(tag_of(&one, b"{}"), tag_of(&one, b"{}"));
        assert_ne!(tag_of(&one, b"{}"), tag_of(&one, b"[]"));
        assert_ne!(tag_of(&one, b"{}"), tag_of(&other, b"{}"));
    }
}
