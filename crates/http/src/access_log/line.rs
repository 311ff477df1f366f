use std::io::Write as _;

use pointbook_domain::Timestamp;

use crate::wire::number::push_number;

/// What the log says about a request. No query, token or body: they hold what users look for and
/// who they are.
#[derive(Debug, Clone, Copy)]
pub struct AccessLine<'l> {
    /// When the request came in.
    pub time: Timestamp,
    /// Its id, which the answer carried too.
    pub request_id: &'l str,
    /// Slug and environment of the tenant, where one was found.
    pub tenant: Option<(&'l str, &'l str)>,
    /// The method: a token of HTTP, so that nothing in it needs an escape.
    pub method: &'l str,
    /// The path as it was sent, without the query.
    pub path: &'l str,
    /// The route's name.
    pub route: &'l str,
    /// The status of the answer.
    pub status: u16,
    /// From the end of the request's head to the answer, in microseconds.
    pub duration_us: u64,
    /// The body of the answer, in bytes.
    pub response_bytes: usize,
    /// Address and port of the client, or of the proxy before us.
    pub peer: &'l str,
}

impl AccessLine<'_> {
    /// Appends the line as a JSON object.
    pub(super) fn write_json(&self, text: &mut Vec<u8>) {
        text.extend_from_slice(b"{\"time\":\"");
        text.extend_from_slice(&self.time.to_ascii());
        text.extend_from_slice(b"\",\"level\":\"");
        text.extend_from_slice(self.level().as_bytes());
        text.extend_from_slice(b"\",\"request_id\":\"");
        text.extend_from_slice(self.request_id.as_bytes());
        match self.tenant {
            Some((slug, environment)) => {
                text.extend_from_slice(b"\",\"tenant\":\"");
                text.extend_from_slice(slug.as_bytes());
                text.push(b'/');
                text.extend_from_slice(environment.as_bytes());
                text.extend_from_slice(b"\",\"method\":\"");
            }
            None => text.extend_from_slice(b"\",\"tenant\":null,\"method\":\""),
        }
        text.extend_from_slice(self.method.as_bytes());
        text.extend_from_slice(b"\",\"path\":\"");
        push_escaped(text, self.path);
        text.extend_from_slice(b"\",\"route\":\"");
        text.extend_from_slice(self.route.as_bytes());
        text.extend_from_slice(b"\",\"status\":");
        push_number(self.status.into(), text);
        text.extend_from_slice(b",\"duration_us\":");
        push_number(self.duration_us, text);
        text.extend_from_slice(b",\"response_bytes\":");
        push_number(self.response_bytes as u64, text);
        text.extend_from_slice(b",\"peer\":\"");
        text.extend_from_slice(self.peer.as_bytes());
        text.extend_from_slice(b"\"}\n");
    }

    /// Appends the line as text for people.
    pub(super) fn write_text(&self, text: &mut Vec<u8>) {
        text.extend_from_slice(&self.time.to_ascii());
        text.push(b' ');
        text.extend_from_slice(self.level().as_bytes());
        text.push(b' ');
        text.extend_from_slice(self.method.as_bytes());
        text.push(b' ');
        push_escaped(text, self.path);
        let (slug, environment) = self.tenant.unwrap_or(("-", "-"));
        // Writing to a vector cannot fail.
        let _ = writeln!(
            text,
            " {} {}us {}B route={} tenant={slug}/{environment} request_id={} peer={}",
            self.status, self.duration_us, self.response_bytes, self.route, self.request_id, self.peer
        );
    }

    /// Failures of ours stand out; what clients do wrong is their daily business.
    fn level(&self) -> &'static str {
        if self.status >= 500 { "error" } else { "info" }
    }
}

/// Escapes as JSON does, so that no client can end a line or a string early; control characters
/// beyond ASCII and line separators too, because terminals and log viewers obey them.
fn push_escaped(text: &mut Vec<u8>, value: &str) {
    // To the end whatever comes and without a branch, so that many bytes are looked at at a time.
    let is_odd = |byte: u8| {
        u8::from(byte < b' ') | u8::from(byte > b'~') | u8::from(byte == b'"') | u8::from(byte == b'\\')
    };
    if value.bytes().fold(0, |odd, byte| odd | is_odd(byte)) == 0 {
        return text.extend_from_slice(value.as_bytes());
    }
    for character in value.chars() {
        match character {
            '"' => text.extend_from_slice(b"\\\""),
            '\\' => text.extend_from_slice(b"\\\\"),
            _ if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') => {
                let _ = write!(text, "\\u{:04x}", u32::from(character));
            }
            _ => text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(path: &str, tenant: Option<(&'static str, &'static str)>, status: u16) -> (String, String) {
        let line = AccessLine {
            time: Timestamp::from_micros(1_700_000_000_000_001).unwrap(),
            request_id: "a-1",
            tenant,
            method: "GET",
            path,
            route: "products.list",
            status,
            duration_us: 12,
            response_bytes: 34,
            peer: "127.0.0.1:5",
        };
        let (mut json, mut text) = (Vec::new(), Vec::new());
        line.write_json(&mut json);
        line.write_text(&mut text);
        (String::from_utf8(json).unwrap(), String::from_utf8(text).unwrap())
    }

    #[test]
    fn both_forms_say_the_same() {
        let (json, text) = line("/acme/api/v1/x", Some(("acme", "staging")), 200);
        assert_eq!(
            json,
            "{\"time\":\"2023-11-14T22:13:20.000001Z\",\"level\":\"info\",\"request_id\":\"a-1\",\
             \"tenant\":\"acme/staging\",\"method\":\"GET\",\"path\":\"/acme/api/v1/x\",\
             \"route\":\"products.list\",\"status\":200,\"duration_us\":12,\"response_bytes\":34,\
             \"peer\":\"127.0.0.1:5\"}\n"
        );
        assert_eq!(
            text,
            "2023-11-14T22:13:20.000001Z info GET /acme/api/v1/x 200 12us 34B route=products.list \
             tenant=acme/staging request_id=a-1 peer=127.0.0.1:5\n"
        );
    }

    #[test]
    fn a_line_stays_one_line_whatever_the_path_holds() {
        let path = "/a\"b\\c\nd\u{1b}[0me\u{85}é\u{2028}";
        let (json, text) = line(path, None, 500);
        assert_eq!(json.matches('\n').count(), 1);
        assert_eq!(text.matches('\n').count(), 1);
        assert!(!text.contains(['\u{1b}', '\u{85}']));
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(read["path"], path);
        assert_eq!(read["tenant"], serde_json::Value::Null);
        assert_eq!(read["level"], "error");
    }
}
