use std::io::Write as _;

use pointbook_domain::Timestamp;
use pointbook_domain::digits::push_number;

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
    /// The id of the token, in hexadecimal; none without an active one.
    pub token_id: Option<&'l str>,
    /// The user whose token it was; none without a token.
    pub user_id: Option<&'l str>,
    /// The address of the client, which a trusted proxy may have told.
    pub client: &'l str,
    /// Address and port of the other end of the connection.
    pub peer: &'l str,
}

/// What is logged of bytes that never became a request.
#[derive(Debug, Clone, Copy)]
pub struct RefusedLine<'l> {
    /// When the connection ended: up to a second after the response.
    pub time: Timestamp,
    /// The status of the response: 400, 414 or 431.
    pub status: u16,
    /// The address of [`Self::peer`]: what a proxy says of its client was not read.
    pub client: &'l str,
    /// Address and port of the other end of the connection.
    pub peer: &'l str,
}

/// How much of a path is logged, in bytes. Without a bound, one client with long paths would fill the buffer in which
/// the lines of all wait.
const MAX_PATH_BYTES: usize = 512;
/// How much of a method is logged, in bytes.
const MAX_METHOD_BYTES: usize = 32;
/// What follows text that was cut.
const CUT: &str = "…";

impl AccessLine<'_> {
    /// Appends the line as a JSON object. What lies between two values is appended in one piece: each piece costs as much
    /// as its bytes.
    pub(super) fn write_json(&self, text: &mut Vec<u8>) {
        push_json_time(text, self.time);
        text.extend_from_slice(if self.is_failure() { JSON_FAILURE } else { JSON_REQUEST });
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
        push_method(text, self.method);
        text.extend_from_slice(b"\",\"path\":\"");
        push_cut(text, self.path, MAX_PATH_BYTES);
        text.extend_from_slice(b"\",\"route\":\"");
        text.extend_from_slice(self.route.as_bytes());
        text.extend_from_slice(b"\",\"status\":");
        push_number(self.status.into(), text);
        text.extend_from_slice(b",\"duration_us\":");
        push_number(self.duration_us, text);
        text.extend_from_slice(b",\"response_bytes\":");
        push_number(self.response_bytes as u64, text);
        self.push_json_sender(text);
        push_json_ends(text, self.client, self.peer);
    }

    fn push_json_sender(&self, text: &mut Vec<u8>) {
        let Some(token_id) = self.token_id else {
            return text.extend_from_slice(b",\"token_id\":null,\"user_id\":null");
        };
        text.extend_from_slice(b",\"token_id\":\"");
        text.extend_from_slice(token_id.as_bytes());
        match self.user_id {
            Some(user_id) => {
                text.extend_from_slice(b"\",\"user_id\":\"");
                push_escaped(text, user_id);
                text.push(b'"');
            }
            None => text.extend_from_slice(b"\",\"user_id\":null"),
        }
    }

    /// Appends the line as text for people.
    pub(super) fn write_text(&self, text: &mut Vec<u8>) {
        push_text_head(text, self.time, if self.is_failure() { "error" } else { INFO });
        push_method(text, self.method);
        text.push(b' ');
        push_cut(text, self.path, MAX_PATH_BYTES);
        let (slug, environment) = self.tenant.unwrap_or(("-", "-"));
        // Writing to a vector cannot fail.
        let _ = write!(
            text,
            " {} {}us {}B route={} tenant={slug}/{environment} request_id={} token_id={} user_id=",
            self.status,
            self.duration_us,
            self.response_bytes,
            self.route,
            self.request_id,
            self.token_id.unwrap_or("-"),
        );
        match self.user_id {
            Some(user) => {
                // In quotes, so that no user id looks like another field.
                text.push(b'"');
                push_escaped(text, user);
                text.push(b'"');
            }
            None => text.push(b'-'),
        }
        let _ = writeln!(text, " client={} peer={}", self.client, self.peer);
    }

    /// Failures of ours stand out; what clients do wrong is their daily business.
    fn is_failure(&self) -> bool {
        self.status >= 500
    }
}

impl RefusedLine<'_> {
    /// Appends the line as a JSON object.
    pub(super) fn write_json(&self, text: &mut Vec<u8>) {
        push_json_time(text, self.time);
        text.extend_from_slice(JSON_REFUSED);
        push_number(self.status.into(), text);
        push_json_ends(text, self.client, self.peer);
    }

    /// Appends the line as text for people.
    pub(super) fn write_text(&self, text: &mut Vec<u8>) {
        push_text_head(text, self.time, INFO);
        let _ = writeln!(text, "request refused {} client={} peer={}", self.status, self.client, self.peer);
    }
}

const INFO: &str = "info";

/// What stands between the time and the request id: members that all lines of the log have, those of events too.
const JSON_REQUEST: &[u8] =
    br#"","level":"info","message":"request","target":"pointbook_http::access_log","request_id":""#;
const JSON_FAILURE: &[u8] =
    br#"","level":"error","message":"request","target":"pointbook_http::access_log","request_id":""#;
/// What stands between the time and the status of a refusal.
const JSON_REFUSED: &[u8] =
    br#"","level":"info","message":"request refused","target":"pointbook_http::access_log","status":"#;

fn push_json_time(text: &mut Vec<u8>, time: Timestamp) {
    text.extend_from_slice(b"{\"time\":\"");
    text.extend_from_slice(&time.to_ascii());
}

/// The two ends of the connection, and the end of the line.
fn push_json_ends(text: &mut Vec<u8>, client: &str, peer: &str) {
    text.extend_from_slice(b",\"client\":\"");
    text.extend_from_slice(client.as_bytes());
    text.extend_from_slice(b"\",\"peer\":\"");
    text.extend_from_slice(peer.as_bytes());
    text.extend_from_slice(b"\"}\n");
}

fn push_text_head(text: &mut Vec<u8>, time: Timestamp, level: &str) {
    text.extend_from_slice(&time.to_ascii());
    text.push(b' ');
    text.extend_from_slice(level.as_bytes());
    text.push(b' ');
}

/// Appends a method, which needs no escape.
fn push_method(text: &mut Vec<u8>, method: &str) {
    if method.len() > MAX_METHOD_BYTES {
        return push_cut(text, method, MAX_METHOD_BYTES);
    }
    text.extend_from_slice(method.as_bytes());
}

/// Appends at most so many bytes of a text, and a mark where it was longer.
fn push_cut(text: &mut Vec<u8>, value: &str, max_bytes: usize) {
    if value.len() <= max_bytes {
        return push_escaped(text, value);
    }
    push_escaped(text, value.get(..value.floor_char_boundary(max_bytes)).unwrap_or_default());
    text.extend_from_slice(CUT.as_bytes());
}

/// The bytes that are characters of their own and need no escape.
const IS_PLAIN: [bool; 256] = {
    let mut is_plain = [false; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        is_plain[byte as usize] = byte != b'"' && byte != b'\\';
        byte += 1;
    }
    is_plain
};

/// Escapes as JSON does, so that no client can end a line or a string early; control characters
/// beyond ASCII and line separators too, because terminals and log viewers obey them.
fn push_escaped(text: &mut Vec<u8>, value: &str) {
    // To the end in any case, without a branch.
    if value.bytes().fold(true, |is_plain, byte| is_plain & IS_PLAIN[usize::from(byte)]) {
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
            token_id: tenant.map(|_| "0123456789abcdef0123"),
            user_id: tenant.map(|_| "u \"1\""),
            client: "192.0.2.1",
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
            "{\"time\":\"2023-11-14T22:13:20.000001Z\",\"level\":\"info\",\"message\":\"request\",\
             \"target\":\"pointbook_http::access_log\",\"request_id\":\"a-1\",\
             \"tenant\":\"acme/staging\",\"method\":\"GET\",\"path\":\"/acme/api/v1/x\",\
             \"route\":\"products.list\",\"status\":200,\"duration_us\":12,\"response_bytes\":34,\
             \"token_id\":\"0123456789abcdef0123\",\"user_id\":\"u \\\"1\\\"\",\
             \"client\":\"192.0.2.1\",\"peer\":\"127.0.0.1:5\"}\n"
        );
        assert_eq!(
            text,
            "2023-11-14T22:13:20.000001Z info GET /acme/api/v1/x 200 12us 34B route=products.list \
             tenant=acme/staging request_id=a-1 token_id=0123456789abcdef0123 user_id=\"u \\\"1\\\"\" \
             client=192.0.2.1 peer=127.0.0.1:5\n"
        );
    }

    #[test]
    fn a_long_path_is_cut_and_the_cut_shows() {
        for (letter, kept) in [("a", 512), ("é", 512), ("日", 510)] {
            let path = letter.repeat(8_000);
            let (json, text) = line(&path, None, 404);
            let read: serde_json::Value = serde_json::from_str(&json).unwrap();
            let logged = read["path"].as_str().unwrap().strip_suffix('…').unwrap();
            assert!(path.starts_with(logged) && logged.len() == kept, "{letter}: {}", logged.len());
            assert!(json.len() < 1_000 && text.len() < 1_000);
        }
        assert!(!line(&"a".repeat(512), None, 404).0.contains('…'));
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
