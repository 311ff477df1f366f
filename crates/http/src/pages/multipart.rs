//! Reads a `multipart/form-data` body (RFC 7578): the forms of browsers that send files.
//!
//! The body has arrived whole, so this reads it in place, and each file is a slice of it. It accepts only what browsers and
//! common clients send. The content type that a client claims for a file means nothing and is ignored.

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use memchr::memmem;

use crate::pages::form::FormLimits;

/// RFC 2046 allows no longer boundary.
const MAX_BOUNDARY_CHARS: usize = 70;

/// The headers of one part. File systems have names of at most 255 characters.
const MAX_HEAD_BYTES: usize = 4 * 1024;

/// What an operator chose in a field for files. It is in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormFile {
    /// The name that the client gave it. It may contain any character, also slashes and HTML.
    pub name: String,
    pub bytes: Bytes,
}

/// The fields and the files of a body, each with the name of its field.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) files: Vec<(String, FormFile)>,
}

/// The boundary of a multipart form. `None` for another content type, and `Some("")` for a boundary that no client may choose.
pub(crate) fn boundary(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let (media_type, parameters) = value.split_once(';').unwrap_or((value, ""));
    if !media_type.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let mut parameters = parameters.split(';').filter_map(|parameter| parameter.trim().split_once('='));
    let found = parameters.find(|(name, _)| name.eq_ignore_ascii_case("boundary"));
    let given = found.map_or("", |(_, value)| value.trim_matches('"'));
    let is_valid = given.len() <= MAX_BOUNDARY_CHARS && given.bytes().all(may_bound);
    Some(if is_valid { given } else { "" })
}

fn may_bound(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"'()+_,-./:=?".contains(&byte)
}

/// Reads all parts. `None` for a malformed or truncated body, a text that is not UTF-8, and more parts than the limits allow.
pub(crate) fn parse(body: &Bytes, boundary: &str, limits: FormLimits) -> Option<Parts> {
    if boundary.is_empty() {
        return None;
    }
    let delimiter = format!("\r\n--{boundary}");
    let ends = memmem::Finder::new(&delimiter);
    // The first delimiter begins the body, without a line end before it.
    let mut at = delimiter.len() - 2;
    body.strip_prefix(&delimiter.as_bytes()[2..])?;
    let mut parts = Parts::default();
    loop {
        let rest = body.get(at..)?;
        if let Some(end) = rest.strip_prefix(b"--") {
            return matches!(end, b"" | b"\r\n").then_some(parts);
        }
        let heads = rest.strip_prefix(b"\r\n")?;
        let head_bytes = memmem::find(heads.get(..MAX_HEAD_BYTES).unwrap_or(heads), b"\r\n\r\n")?;
        let (head, content) = (Head::parse(heads.get(..head_bytes)?)?, at + 2 + head_bytes + 4);
        let end = content + ends.find(body.get(content..)?)?;
        parts.add(head, body.slice(content..end), limits)?;
        at = end + delimiter.len();
    }
}

impl Parts {
    fn add(&mut self, head: Head, content: Bytes, limits: FormLimits) -> Option<()> {
        match head.file_name {
            // What a browser sends for a field without a chosen file.
            Some(name) if name.is_empty() && content.is_empty() => {}
            Some(name) => self.files.push((head.name, FormFile { name, bytes: content })),
            None => self.fields.push((head.name, String::from_utf8(content.into()).ok()?)),
        }
        (self.fields.len() <= limits.fields && self.files.len() <= limits.files).then_some(())
    }
}

/// What the headers of a part say.
struct Head {
    name: String,
    file_name: Option<String>,
}

impl Head {
    fn parse(head: &[u8]) -> Option<Self> {
        let lines = str::from_utf8(head).ok()?.split("\r\n");
        let headers: Vec<_> = lines.map(|line| line.split_once(':')).collect::<Option<_>>()?;
        let mut found = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("content-disposition"));
        let (Some((_, value)), None) = (found.next(), found.next()) else { return None };
        let mut rest = value.trim().strip_prefix("form-data")?;
        let (mut name, mut file_name) = (None, None);
        while !rest.is_empty() {
            let (parameter, quoted) = rest.strip_prefix(';')?.trim_start().split_once("=\"")?;
            let (text, after) = quoted.split_once('"')?;
            let slot = match parameter {
                "name" => &mut name,
                "filename" => &mut file_name,
                _ => return None,
            };
            if slot.replace(unescaped(text)).is_some() {
                return None;
            }
            rest = after;
        }
        Some(Self { name: name?, file_name })
    }
}

/// Browsers escape these three characters and no others.
fn unescaped(text: &str) -> String {
    text.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n")
}

#[cfg(test)]
mod tests;
