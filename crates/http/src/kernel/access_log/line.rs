use std::io::Write as _;

use http::StatusCode;
use pointbook_domain::Timestamp;
use pointbook_domain::digits::push_number;

/// The log line of a request. It has no query, token or body, because they are personal.
#[derive(Debug, Clone, Copy)]
pub struct AccessLine<'l> {
    /// When the request arrived.
    pub time: Timestamp,
    /// Its id, which is also in the response.
    pub request_id: &'l str,
    /// Slug and environment of the tenant, if one was found.
    pub tenant: Option<(&'l str, &'l str)>,
    /// An HTTP token, so it needs no escapes.
    pub method: &'l str,
    /// The path as the client sent it, without the query.
    pub path: &'l str,
    pub route: &'l str,
    pub status: u16,
    /// From the end of the request head to the response, in microseconds.
    pub duration_us: u64,
    /// The body of the response, in bytes.
    pub response_bytes: usize,
    /// In hexadecimal. `None` without a valid token.
    pub token_id: Option<&'l str>,
    /// The user of the token. `None` without one.
    pub user_id: Option<&'l str>,
    /// The operator, on pages of the console. Other lines leave it out.
    pub operator_id: Option<&'l str>,
    /// The address of the client, which a trusted proxy may have given.
    pub client: &'l str,
    /// Address and port of the connection's other end.
    pub peer: &'l str,
}

/// The longest logged path, in bytes. Without a bound, one client with long paths would fill the shared buffer.
const MAX_PATH_BYTES: usize = 512;
const MAX_METHOD_BYTES: usize = 32;

/// Appends one part after the other. `Display` took four times as long for a line.
macro_rules! put {
    ($text:ident, $($part:expr),+) => {{
        $($text.extend_from_slice(AsRef::<[u8]>::as_ref(&$part));)+
    }};
}

impl AccessLine<'_> {
    /// Appends the line as a JSON object. The text between two values is appended in one piece, because each piece has a cost.
    pub(super) fn write_json(&self, text: &mut Vec<u8>) {
        let (method, method_end) = cut(self.method, MAX_METHOD_BYTES);
        let (path, path_end) = cut(self.path, MAX_PATH_BYTES);
        put!(text, r#"{"time":""#, self.time.to_ascii(), r#"","level":""#, self.level());
        put!(text, r#"","message":"request","target":"pointbook_http::access_log","request_id":""#);
        put!(text, self.request_id);
        match self.tenant {
            Some((slug, environment)) => {
                put!(text, r#"","tenant":""#, slug, "/", environment, r#"","method":""#);
            }
            None => put!(text, r#"","tenant":null,"method":""#),
        }
        put!(text, method, method_end, r#"","path":""#);
        push_escaped(text, path);
        put!(text, path_end, r#"","route":""#, self.route, r#"","status":"#);
        push_number(self.status.into(), text);
        put!(text, r#","duration_us":"#);
        push_number(self.duration_us, text);
        put!(text, r#","response_bytes":"#);
        push_number(self.response_bytes as u64, text);
        match self.token_id {
            Some(token_id) => put!(text, r#","token_id":""#, token_id, r#"","user_id":"#),
            None => put!(text, r#","token_id":null,"user_id":"#),
        }
        push_quoted(text, self.user_id, "null");
        if self.operator_id.is_some() {
            put!(text, r#","operator_id":"#);
            push_quoted(text, self.operator_id, "null");
        }
        push_json_ends(text, [self.client, self.peer]);
    }

    /// Appends the line as text for people.
    pub(super) fn write_text(&self, text: &mut Vec<u8>) {
        let (method, method_end) = cut(self.method, MAX_METHOD_BYTES);
        let (path, path_end) = cut(self.path, MAX_PATH_BYTES);
        put!(text, self.time.to_ascii(), " ", self.level(), " ", method, method_end, " ");
        push_escaped(text, path);
        let (slug, environment) = self.tenant.unwrap_or(("-", "-"));
        // Writing to a vector cannot fail.
        let _ = write!(
            text,
            "{path_end} {} {}us {}B route={} tenant={slug}/{environment} request_id={} token_id={} user_id=",
            self.status,
            self.duration_us,
            self.response_bytes,
            self.route,
            self.request_id,
            self.token_id.unwrap_or("-"),
        );
        // In quotes, so that a user id cannot look like another field.
        push_quoted(text, self.user_id, "-");
        if self.operator_id.is_some() {
            put!(text, " operator_id=");
            push_quoted(text, self.operator_id, "-");
        }
        put!(text, " client=", self.client, " peer=", self.peer, "\n");
    }

    /// Server errors have a higher level. Client errors are normal.
    fn level(&self) -> &'static str {
        if self.status >= 500 { "error" } else { "info" }
    }
}

/// Appends the line about bytes that hyper could not parse, and both ends of their connection.
pub(super) fn write_refused_json(text: &mut Vec<u8>, time: Timestamp, status: StatusCode, ends: [&str; 2]) {
    put!(text, r#"{"time":""#, time.to_ascii(), r#"","level":"info","message":"request refused","#);
    put!(text, r#""target":"pointbook_http::access_log","status":"#, status.as_str());
    push_json_ends(text, ends);
}

pub(super) fn write_refused_text(text: &mut Vec<u8>, time: Timestamp, status: StatusCode, ends: [&str; 2]) {
    let [client, peer] = ends;
    put!(text, time.to_ascii(), " info request refused ", status.as_str());
    put!(text, " client=", client, " peer=", peer, "\n");
}

/// Both ends of the connection, and the line end.
fn push_json_ends(text: &mut Vec<u8>, [client, peer]: [&str; 2]) {
    put!(text, r#","client":""#, client, r#"","peer":""#, peer, "\"}\n");
}

/// The first bytes of a string, and a mark when it was longer.
fn cut(value: &str, max_bytes: usize) -> (&str, &'static str) {
    if value.len() <= max_bytes {
        return (value, "");
    }
    (value.get(..value.floor_char_boundary(max_bytes)).unwrap_or_default(), "…")
}

fn push_quoted(text: &mut Vec<u8>, value: Option<&str>, none: &str) {
    let Some(value) = value else { return put!(text, none) };
    text.push(b'"');
    push_escaped(text, value);
    text.push(b'"');
}

/// Escapes like JSON, so that no client can end a line or a string early. It also escapes other control characters, line
/// separators and changes of direction, because terminals and log viewers obey them.
fn push_escaped(text: &mut Vec<u8>, value: &str) {
    // To the end in any case, without a branch.
    let is_plain = |byte| matches!(byte, b' ' | b'!' | b'#'..=b'[' | b']'..=b'~');
    if value.bytes().fold(true, |is_all, byte| is_all & is_plain(byte)) {
        return put!(text, value);
    }
    for character in value.chars() {
        match character {
            '"' => put!(text, "\\\""),
            '\\' => put!(text, "\\\\"),
            _ if character.is_control() || is_direction(character) => {
                let _ = write!(text, "\\u{:04x}", u32::from(character));
            }
            _ => put!(text, character.encode_utf8(&mut [0; 4])),
        }
    }
}

/// Whether the character ends a line or changes the direction of the text after it.
fn is_direction(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(path: &str, tenant: Option<(&'static str, &'static str)>, status: u16) -> (String, String) {
        written(&of(path, tenant, status))
    }

    fn of<'l>(path: &'l str, tenant: Option<(&'static str, &'static str)>, status: u16) -> AccessLine<'l> {
        AccessLine {
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
            operator_id: None,
            client: "192.0.2.1",
            peer: "127.0.0.1:5",
        }
    }

    fn written(line: &AccessLine<'_>) -> (String, String) {
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
    fn a_page_of_the_console_has_its_operator() {
        let line = AccessLine { operator_id: Some("0123\"ab"), ..of("/console/acme", None, 200) };
        let (json, text) = written(&line);
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((&read["operator_id"], &read["client"]), (&"0123\"ab".into(), &"192.0.2.1".into()));
        assert!(text.contains(" user_id=- operator_id=\"0123\\\"ab\" client="), "{text}");
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
        let path = "/a\"b\\c\nd\u{1b}[0me\u{85}é\u{2028}\u{202e}";
        let (json, text) = line(path, None, 500);
        assert_eq!(json.matches('\n').count(), 1);
        assert_eq!(text.matches('\n').count(), 1);
        assert!(!text.contains(['\u{1b}', '\u{85}', '\u{202e}']));
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(read["path"], path);
        assert_eq!(read["tenant"], serde_json::Value::Null);
        assert_eq!(read["level"], "error");
    }
}
