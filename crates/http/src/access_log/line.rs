use std::fmt::Write as _;

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
    /// The method.
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
    pub(super) fn write_json(&self, text: &mut String) {
        text.push_str("{\"time\":\"");
        push_time(text, self.time);
        text.push_str("\",\"level\":\"");
        text.push_str(self.level());
        push_field(text, "request_id", self.request_id);
        match self.tenant {
            Some((slug, environment)) => {
                push_field(text, "tenant", slug);
                text.push('/');
                push_escaped(text, environment);
                text.push('"');
            }
            None => text.push_str("\",\"tenant\":null"),
        }
        text.push_str(",\"method\":\"");
        push_escaped(text, self.method);
        push_field(text, "path", self.path);
        push_field(text, "route", self.route);
        let (status, duration_us, bytes) = (self.status, self.duration_us, self.response_bytes);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\",\"status\":{status},\"duration_us\":{duration_us},\"response_bytes\":{bytes},\"peer\":\""
        );
        push_escaped(text, self.peer);
        text.push_str("\"}\n");
    }

    /// Appends the line as text for people.
    pub(super) fn write_text(&self, text: &mut String) {
        push_time(text, self.time);
        text.push(' ');
        text.push_str(self.level());
        text.push(' ');
        push_escaped(text, self.method);
        text.push(' ');
        push_escaped(text, self.path);
        let (slug, environment) = self.tenant.unwrap_or(("-", "-"));
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

/// Ends the text before and begins a field: `","name":"value`.
fn push_field(text: &mut String, name: &str, value: &str) {
    text.push_str("\",\"");
    text.push_str(name);
    text.push_str("\":\"");
    push_escaped(text, value);
}

fn push_time(text: &mut String, time: Timestamp) {
    text.extend(time.to_ascii().map(char::from));
}

/// Escapes as JSON does, so that no client can end a line or a string early; control characters
/// beyond ASCII and line separators too, because terminals and log viewers obey them.
fn push_escaped(text: &mut String, value: &str) {
    if value.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\') {
        return text.push_str(value);
    }
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            _ if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') => {
                let _ = write!(text, "\\u{:04x}", u32::from(character));
            }
            _ => text.push(character),
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
        let (mut json, mut text) = (String::new(), String::new());
        line.write_json(&mut json);
        line.write_text(&mut text);
        (json, text)
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
