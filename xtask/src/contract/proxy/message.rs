//! A request or a response without its first line.

/// The header fields, with lower-case names, and the body.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Message {
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Message {
    /// Parses a message into its first line and the rest.
    pub(super) fn parse(bytes: &[u8]) -> Option<(String, Self)> {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let (head, body) = (str::from_utf8(bytes.get(..end)?).ok()?, bytes.get(end + 4..)?.to_vec());
        let mut lines = head.split("\r\n");
        let first = lines.next()?.to_owned();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        });
        Some((first, Self { headers: headers.collect::<Option<_>>()?, body }))
    }

    /// The value of a header field, by its lower-case name.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// Whether the body has the length of the `Content-Length` field.
    pub(super) fn is_whole(&self) -> bool {
        self.header("content-length").unwrap_or("0").parse() == Ok(self.body.len())
    }

    /// The media type of the body in lower case, without parameters.
    pub(super) fn kind(&self) -> Option<String> {
        let kind = self.header("content-type")?.split(';').next()?;
        Some(kind.trim().to_ascii_lowercase())
    }

    /// The same header fields with another body.
    pub(super) fn with_body(&self, body: &[u8]) -> Self {
        let mut headers = self.headers.clone();
        headers.retain(|(name, _)| name != "content-length");
        headers.push(("content-length".to_owned(), body.len().to_string()));
        Self { headers, body: body.to_vec() }
    }

    /// The message as bytes, with this first line, without some fields and with others.
    pub(super) fn bytes(&self, first: &str, without: &[&str], with: &[(&str, &str)]) -> Vec<u8> {
        let kept = self.headers.iter().map(|(name, value)| (&**name, &**value));
        let kept = kept.filter(|(name, _)| !without.contains(name));
        let fields = kept.chain(with.iter().copied()).map(|(name, value)| format!("{name}: {value}\r\n"));
        let head = format!("{first}\r\n{}\r\n", fields.collect::<String>());
        [head.as_bytes(), &self.body].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_is_parsed_and_written_with_other_fields() {
        let bytes = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Type:Application/JSON; charset=utf-8\r\ncontent-length: 2\r\n\r\n\xff\n";
        let (first, message) = Message::parse(bytes).unwrap();
        assert_eq!(first, "POST / HTTP/1.1");
        assert_eq!((message.header("host"), message.header("date")), (Some("a"), None));
        assert_eq!(message.kind().as_deref(), Some("application/json"));
        assert!(message.is_whole());
        let written = message.bytes("200", &["host", "content-type"], &[("x-a", "b")]);
        assert_eq!(written, b"200\r\ncontent-length: 2\r\nx-a: b\r\n\r\n\xff\n");
    }

    #[test]
    fn another_body_changes_the_length() {
        let (_, message) = Message::parse(b"200\r\na: b\r\ncontent-length: 3\r\n\r\nabc").unwrap();
        let other = message.with_body(b"[]");
        assert!(other.is_whole());
        assert_eq!(other.bytes("200", &[], &[]), b"200\r\na: b\r\ncontent-length: 2\r\n\r\n[]");
    }
}
