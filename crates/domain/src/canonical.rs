//! The bytes that chains hash. Integers are 8 bytes, big-endian. Strings are their length in bytes (an integer) and their
//! UTF-8. An optional string is 0, or 1 and the string.

use crate::ledger::ChainHash;

pub(crate) struct Canonical(Vec<u8>);

impl Canonical {
    /// Begins with the name of the format and the hash before.
    pub(crate) fn new(format: &[u8], before: &ChainHash) -> Self {
        let mut form = Vec::with_capacity(256);
        form.extend_from_slice(format);
        form.extend_from_slice(before);
        Self(form)
    }

    pub(crate) fn integer(&mut self, number: i64) {
        self.0.extend_from_slice(&number.to_be_bytes());
    }

    pub(crate) fn length(&mut self, length: usize) {
        self.0.extend_from_slice(&(length as u64).to_be_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn optional_text(&mut self, text: Option<&str>) {
        self.integer(text.is_some().into());
        if let Some(text) = text {
            self.text(text);
        }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}
