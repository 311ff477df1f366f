use std::fmt;
use std::io::Write as _;

use pointbook_domain::Timestamp;

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

/// What all lines of the log have, those of events too.
const TARGET: &str = "pointbook_http::access_log";

impl AccessLine<'_> {
    /// Appends the line as a JSON object.
    pub(super) fn write_json(&self, text: &mut Vec<u8>) {
        let Self { time, request_id, method, path, route, status, duration_us, response_bytes, .. } = *self;
        let (level, method, path) = (self.level(), Cut(method, MAX_METHOD_BYTES), Cut(path, MAX_PATH_BYTES));
        let tenant = self.tenant.map(|(slug, environment)| format!("{slug}/{environment}"));
        let (tenant, token_id) = (OrNull(tenant.as_deref()), OrNull(self.token_id));
        let (user_id, client, peer) = (OrNull(self.user_id), self.client, self.peer);
        // Writing to a vector cannot fail.
        let _ = writeln!(
            text,
            r#"{{"time":"{time}","level":"{level}","message":"request","target":"{TARGET}","request_id":"{request_id}","tenant":{tenant},"method":"{method}","path":"{path}","route":"{route}","status":{status},"duration_us":{duration_us},"response_bytes":{response_bytes},"token_id":{token_id},"user_id":{user_id},"client":"{client}","peer":"{peer}"}}"#,
        );
    }

    /// Appends the line as text for people.
    pub(super) fn write_text(&self, text: &mut Vec<u8>) {
        let Self { time, request_id, method, path, route, status, duration_us, response_bytes, .. } = *self;
        let (level, method, path) = (self.level(), Cut(method, MAX_METHOD_BYTES), Cut(path, MAX_PATH_BYTES));
        let ((slug, environment), token_id) =
            (self.tenant.unwrap_or(("-", "-")), self.token_id.unwrap_or("-"));
        let (client, peer) = (self.client, self.peer);
        let _ = write!(
            text,
            "{time} {level} {method} {path} {status} {duration_us}us {response_bytes}B route={route} \
             tenant={slug}/{environment} request_id={request_id} token_id={token_id} user_id="
        );
        // In quotes, so that no user id looks like another field.
        let _ = match self.user_id {
            Some(user) => write!(text, "\"{}\"", Escaped(user)),
            None => write!(text, "-"),
        };
        let _ = writeln!(text, " client={client} peer={peer}");
    }

    /// The server's failures stand out; errors of clients are daily business.
    fn level(&self) -> &'static str {
        if self.status >= 500 { "error" } else { "info" }
    }
}

impl RefusedLine<'_> {
    /// Appends the line as a JSON object.
    pub(super) fn write_json(&self, text: &mut Vec<u8>) {
        let Self { time, status, client, peer } = *self;
        let _ = writeln!(
            text,
            r#"{{"time":"{time}","level":"info","message":"request refused","target":"{TARGET}","status":{status},"client":"{client}","peer":"{peer}"}}"#,
        );
    }

    /// Appends the line as text for people.
    pub(super) fn write_text(&self, text: &mut Vec<u8>) {
        let Self { time, status, client, peer } = *self;
        let _ = writeln!(text, "{time} info request refused {status} client={client} peer={peer}");
    }
}

/// Text that a client chose, escaped as JSON escapes it, so that no client can end a line or a string early. Control
/// characters beyond ASCII and line separators are escaped, too, because terminals and log viewers obey them.
struct Escaped<'t>(&'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let must_be_escaped = |character: char| {
            character.is_control() || matches!(character, '"' | '\\' | '\u{2028}' | '\u{2029}')
        };
        let mut rest = self.0;
        while let Some(at) = rest.find(must_be_escaped) {
            let (plain, behind) = rest.split_at(at);
            f.write_str(plain)?;
            let mut characters = behind.chars();
            match characters.next().unwrap_or_default() {
                character @ ('"' | '\\') => write!(f, "\\{character}")?,
                character => write!(f, "\\u{:04x}", u32::from(character))?,
            }
            rest = characters.as_str();
        }
        f.write_str(rest)
    }
}

/// [`Escaped`] text of at most so many bytes, with a mark where it was longer.
struct Cut<'t>(&'t str, usize);

impl fmt::Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(text, max_bytes) = *self;
        if text.len() <= max_bytes {
            return Escaped(text).fmt(f);
        }
        let kept = text.get(..text.floor_char_boundary(max_bytes)).unwrap_or_default();
        write!(f, "{}…", Escaped(kept))
    }
}

/// A JSON string, or `null`.
struct OrNull<'t>(Option<&'t str>);

impl fmt::Display for OrNull<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(text) => write!(f, "\"{}\"", Escaped(text)),
            None => f.write_str("null"),
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
