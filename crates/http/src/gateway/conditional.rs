//! `ETag` and `If-None-Match`: an answer that the client has already is not sent again.

use http::HeaderMap;
use http::header::IF_NONE_MATCH;

use crate::response::{Response, Tag};

/// Gives a 200 its `ETag`, and turns it into a 304 when the client has that very answer. Who made it
/// with a tag has looked already.
pub(super) fn apply(response: &mut Response, request: &HeaderMap) {
    if response.tag.is_some() {
        return;
    }
    let tag = Tag::of(response.body.bytes());
    if is_known(tag, request) {
        let headers = std::mem::take(&mut response.headers);
        *response = Response { headers, ..Response::not_modified(tag) };
    } else {
        response.tag = Some(tag);
    }
}

/// Whether the client says that it has the answer with this tag.
pub(crate) fn is_known(tag: Tag, request: &HeaderMap) -> bool {
    let mut lists = request.get_all(IF_NONE_MATCH).iter().peekable();
    if lists.peek().is_none() {
        return false;
    }
    let text = tag.text();
    lists.any(|list| lists_tag(list.as_bytes(), &text))
}

/// Whether the client says that it has the answer with this tag by other bytes.
pub(super) fn is_known_as_weak(tag: Tag, request: &HeaderMap) -> bool {
    let text = tag.text();
    let mut entries =
        request.get_all(IF_NONE_MATCH).iter().flat_map(|list| list.as_bytes().split(|&byte| byte == b','));
    entries.any(|entry| entry.trim_ascii().strip_prefix(b"W/") == Some(&text))
}

/// Whether a list of tags holds this one. Weak tags count, as RFC 9110 has it for `If-None-Match`.
fn lists_tag(list: &[u8], tag: &[u8]) -> bool {
    list.split(|&byte| byte == b',').any(|entry| {
        let entry = entry.trim_ascii();
        entry == b"*" || entry.strip_prefix(b"W/").unwrap_or(entry) == tag
    })
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
