//! The parameters of a path.

use std::borrow::Cow;

use crate::query_string::{decode_segment, encode_into};

/// The path parameters of a request. They are decoded when a handler reads one.
#[derive(Clone, Copy)]
pub struct PathParams<'r> {
    /// The path of the route, with names in braces.
    pub pattern: &'r str,
    /// The path of the request, with the same number of segments.
    pub path: &'r str,
}

impl<'r> PathParams<'r> {
    /// A parameter, decoded after the split, so that `%2F` is part of it. Empty for an empty segment. `None` when it is not
    /// percent-encoded UTF-8.
    pub fn text(self, name: &str) -> Option<Cow<'r, str>> {
        let raw = self.raw(name);
        if raw.bytes().all(|byte| byte != b'%') { Some(raw.into()) } else { decode_segment(raw) }
    }

    /// The path for links: it encodes the parameters anew, so JSON needs no escapes.
    pub fn link(self) -> String {
        let segments = self.path.split('/').map(|segment| decode_segment(segment).unwrap_or_default());
        let mut link = Vec::with_capacity(self.path.len());
        for segment in segments.skip(1) {
            link.push(b'/');
            encode_into(segment.as_bytes(), &mut link);
        }
        String::from_utf8(link).unwrap_or_default()
    }

    /// A parameter, still encoded.
    fn raw(self, name: &str) -> &'r str {
        let Self { mut pattern, mut path } = self;
        loop {
            let (before, param) = split_before(pattern, b'{');
            let (own, after) = split_before(param, b'}');
            // Both paths have the same text before a parameter.
            let (raw, rest) = split_before(path.get(before.len()..).unwrap_or_default(), b'/');
            if own.get(1..) == Some(name) {
                return raw;
            }
            let Some(pattern_rest) = after.get(1..) else { return "" };
            (pattern, path) = (pattern_rest, rest);
        }
    }
}

/// The text before the first such ASCII byte, and the rest. A search by `char` takes several times as long.
fn split_before(text: &str, byte: u8) -> (&str, &str) {
    text.split_at(text.bytes().position(|own| own == byte).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<'p>(path: &'p str, name: &str) -> Option<Cow<'p, str>> {
        PathParams { pattern: "/v1/things/{thingId}/parts/{partId}/reverse", path }.text(name)
    }

    #[test]
    fn a_parameter_has_the_segment_of_its_name() {
        let path = "/v1/things/a/parts/b%2Fc+d/reverse";
        assert_eq!(text(path, "thingId").as_deref(), Some("a"));
        assert_eq!(text(path, "partId").as_deref(), Some("b/c+d"));
        assert_eq!(text("/v1/things/a/parts//reverse", "partId").as_deref(), Some(""));
        assert_eq!(text("/v1/things/a/parts/%FF/reverse", "partId"), None);
        let odd = PathParams { pattern: "/v1/things/{thingId}", path: "/v1/things/a\"%2f%41" };
        assert_eq!(odd.link(), "/v1/things/a%22%2FA");
        for other in ["things", "{thingId}", ""] {
            assert_eq!(text(path, other).as_deref(), Some(""), "{other}");
        }
    }
}
