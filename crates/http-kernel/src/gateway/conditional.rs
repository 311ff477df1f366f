//! `ETag` and `If-None-Match`: an answer that the client has already is not sent again.

use http::HeaderMap;
use http::header::IF_NONE_MATCH;

use crate::response::{Response, Tag};

/// Gives a 200 its `ETag`, and turns it into a 304 when the client has that very response.
pub(super) fn apply(response: &mut Response, tag: Tag, request: &HeaderMap) {
    if is_known(tag, request) {
        let headers = std::mem::take(&mut response.headers);
        *response = Response { headers, ..Response::not_modified(tag) };
    } else {
        response.tag = Some(tag);
    }
}

/// Whether the client says that it has the answer with this tag.
pub fn is_known(tag: Tag, request: &HeaderMap) -> bool {
    is_text_known(|| tag.text(), request)
}

/// The same of a tag that an operation made in its own way.
pub fn is_text_known<T: AsRef<[u8]>>(tag: impl FnOnce() -> T, request: &HeaderMap) -> bool {
    let mut lists = request.get_all(IF_NONE_MATCH).iter().peekable();
    if lists.peek().is_none() {
        return false;
    }
    let text = tag();
    lists.any(|list| lists_tag(list.as_bytes(), text.as_ref()))
}

/// Whether the client says that it has the answer with this tag by other bytes.
pub(super) fn is_known_as_weak(tag: Tag, request: &HeaderMap) -> bool {
    let is_it = |entry: &[u8]| entry.strip_prefix(b"W/") == Some(tag.text());
    request.get_all(IF_NONE_MATCH).iter().any(|list| has_entry(list.as_bytes(), tag.text().len(), is_it))
}

/// Whether a list of tags holds this one. Weak tags count, as RFC 9110 has it for `If-None-Match`.
fn lists_tag(list: &[u8], tag: &[u8]) -> bool {
    has_entry(list, tag.len(), |entry| entry == b"*" || entry.strip_prefix(b"W/").unwrap_or(entry) == tag)
}

/// Whether one entry of a list is a certain one. Most lists are a single tag: one that is no longer is not taken apart.
fn has_entry(list: &[u8], tag_bytes: usize, is_it: impl Fn(&[u8]) -> bool) -> bool {
    is_it(list)
        || (list.len() != tag_bytes
            && list.split(|&byte| byte == b',').any(|entry| is_it(entry.trim_ascii())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_may_hold_several_tags_weak_ones_and_a_star() {
        let tag = b"\"a\"";
        for list in ["\"a\"", "\"b\", \"a\"", "W/\"a\"", "*", " \"b\",W/\"a\" "] {
            assert!(lists_tag(list.as_bytes(), tag), "{list}");
        }
        for list in ["", "\"b\"", "a", "W/a", "\"a"] {
            assert!(!lists_tag(list.as_bytes(), tag), "{list}");
        }
    }
}
