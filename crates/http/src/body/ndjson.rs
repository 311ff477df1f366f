//! A body of many lines, one JSON object per line.

use bytes::Bytes;
use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_domain::json::{Json, JsonProblem};
use pointbook_store::limits::MAX_TOLD_PROBLEMS;
use pointbook_store::ports::RequestKey;

use super::content_type::expect_ndjson;
use super::error::BodyError;
use super::fields::BodyFields;
use super::key::{Received, receive};
use super::read::Read;
use super::{LINE, WHOLE};
use crate::head::Head;
use crate::views::import::MAX_TOLD_LINES;

/// The most lines of one import. Blank lines do not count.
const MAX_IMPORT_LINES: usize = 10_000;

/// The longest line of an import, in bytes: the same as for any other object.
const MAX_LINE_BYTES: usize = 1 << 20;

/// The byte order mark of UTF-8, which some programs write. The reader skips one at the beginning.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// After this many lines or bytes, the task yields to other requests of its thread.
const LINES_AT_A_TIME: usize = 64;
const BYTES_AT_A_TIME: usize = 128 << 10;

/// A body of lines of JSON, at most 10,000 of them.
pub struct NdjsonBody {
    /// The key of the request. `None` unless it is a POST with a key.
    pub key: Option<RequestKey>,
    bytes: Bytes,
}

/// A line that is not blank, read or refused.
#[derive(Debug, PartialEq, Eq)]
pub struct NdjsonLine<T> {
    /// The number in the body, from 1. Blank lines count.
    pub number: usize,
    pub item: Result<T, FieldErrors>,
}

impl NdjsonBody {
    /// Reads the body of a request, but none of its lines yet.
    ///
    /// # Errors
    /// The body has too many lines or did not arrive, or the idempotency key is invalid.
    pub async fn of<'r>(request: impl Into<Head<'r>>) -> Result<Self, BodyError> {
        let head = request.into();
        expect_ndjson(head.headers)?;
        let Received { bytes, key, mut errors } = receive(head).await?;
        if lines_of(&bytes).nth(MAX_IMPORT_LINES).is_some() {
            let rule = format!("must not have more than {MAX_IMPORT_LINES} lines");
            errors.refuse(WHOLE, Rule::new(FieldCode::TooMany, rule));
        }
        if errors.is_empty() { Ok(Self { key, bytes }) } else { Err(errors.into()) }
    }

    /// Waits for the body of an import.
    ///
    /// # Errors
    /// The body has another media type or did not arrive.
    pub async fn arrival<'r>(request: impl Into<Head<'r>>) -> Result<(), BodyError> {
        let head = request.into();
        expect_ndjson(head.headers)?;
        Ok(head.body_arrival().await?)
    }

    /// Reads every line that is not blank, in order. A refused line has at most 20 errors, and none after the first 100 refused
    /// lines: otherwise one bad body would fill the memory.
    pub async fn read<T>(&self, read: impl Fn(BodyFields<'_>) -> Read<T>) -> Vec<NdjsonLine<T>> {
        let (mut lines, mut refused, mut turn) = (Vec::new(), 0, Turn::default());
        for (number, line) in lines_of(&self.bytes) {
            let item = read_line(line, &read).map_err(|errors| {
                refused += 1;
                errors.first(if refused > MAX_TOLD_LINES { 0 } else { MAX_TOLD_PROBLEMS })
            });
            lines.push(NdjsonLine { number, item });
            if turn.ends_after(line) {
                tokio::task::yield_now().await;
            }
        }
        lines
    }
}

/// The bytes read since the last yield.
#[derive(Default)]
struct Turn {
    lines: usize,
    bytes: usize,
}

impl Turn {
    fn ends_after(&mut self, text: &[u8]) -> bool {
        self.lines += 1;
        self.bytes += text.len();
        let ends = self.lines >= LINES_AT_A_TIME || self.bytes >= BYTES_AT_A_TIME;
        if ends {
            *self = Self::default();
        }
        ends
    }
}

/// The lines that are not blank, with their numbers. Spaces before an object count as columns.
fn lines_of(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    let numbered = lines.map(|(place, line)| (place + 1, line.trim_ascii_end()));
    numbered.filter(|(_, line)| !line.is_empty())
}

fn read_line<T>(line: &[u8], read: impl Fn(BodyFields<'_>) -> Read<T>) -> Read<T> {
    let text = line.trim_ascii_start();
    if text.len() > MAX_LINE_BYTES {
        let rule = format!("must not be greater than {MAX_LINE_BYTES} bytes");
        return Err(FieldErrors::one(LINE, Rule::new(FieldCode::TooLong, rule)));
    }
    match Json::parse(text) {
        Ok(Json::Object(members)) => read(BodyFields::new(&members, FieldErrors::default())),
        Ok(_) => Err(FieldErrors::one(LINE, Rule::OBJECT)),
        Err(error) => {
            let indent = line.len() - text.len();
            let problem = JsonProblem::new(text, &error).of_line(indent);
            Err(FieldErrors::one(LINE, Rule::sentence(FieldCode::MalformedJson, problem)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_ends_after_64_lines_or_128_kibibytes() {
        let ends = |length: usize| {
            let (mut turn, line) = (Turn::default(), vec![b' '; length]);
            let lines = |turn: &mut Turn| (1..=64).find(|_| turn.ends_after(&line));
            (lines(&mut turn), lines(&mut turn))
        };
        assert_eq!(ends(100), (Some(64), Some(64)));
        assert_eq!(ends(50_000), (Some(3), Some(3)));
        assert_eq!(ends(MAX_LINE_BYTES), (Some(1), Some(1)));
    }
}
