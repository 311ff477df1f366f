//! The results of the lines of an import.

use pointbook_domain::errors::FieldErrors;
#[cfg(test)]
use pointbook_domain::errors::Rule;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::describe::{Field, Schema, View, required};
use crate::view;

/// How many refused lines the response lists. It counts all of them.
pub const MAX_TOLD_LINES: usize = 100;

view! {
    /// A refused line with its errors.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RejectedLine as "RejectedLine" {
        /// The number of the line, from 1.
        line: usize => Schema::integer(1..=i64::from(u32::MAX)),
        #[serde(flatten)]
        problems: LineProblems,
    }
}

/// The errors of a line: messages and codes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LineProblems(FieldErrors);

impl Serialize for LineProblems {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(Some(2))?;
        members.serialize_entry("errors", &self.0)?;
        members.serialize_entry("codes", &self.0.codes())?;
        members.end()
    }
}

impl View for LineProblems {
    fn members() -> Vec<Field> {
        let errors = Schema::map(Schema::text(), Schema::list(Schema::text()));
        vec![
            required("errors", errors.describe("The messages by field, at most 20.")),
            required("codes", field_codes_schema()),
        ]
    }
}

/// The lines that were refused.
#[derive(Debug, Clone, Default)]
pub struct RejectedLines(Vec<RejectedLine>);

impl RejectedLines {
    pub fn add(&mut self, line: usize, errors: FieldErrors) {
        self.0.push(RejectedLine { line, problems: LineProblems(errors) });
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The first of them, by line.
    pub fn told(mut self) -> Vec<RejectedLine> {
        self.0.sort_by_key(|rejected| rejected.line);
        self.0.truncate(MAX_TOLD_LINES);
        self.0
    }
}

/// The codes of a 422 and of a refused line, by field.
pub fn field_codes_schema() -> Schema {
    Schema::map(Schema::text(), Schema::list(Schema::named("FieldCode")).at_least(1))
        .describe("The codes of the messages in `errors`, with the same fields in the same order.")
}

/// The schema of the refused lines of an import.
pub fn rejected_lines_schema() -> Schema {
    Schema::list(Schema::named("RejectedLine"))
        .at_most(MAX_TOLD_LINES)
        .describe("The first of the refused lines.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_100_lines_are_told_in_order() {
        let mut rejected = RejectedLines::default();
        for line in (1..=150).rev() {
            rejected.add(line, FieldErrors::one("points", Rule::INTEGER));
        }
        assert_eq!(rejected.count(), 150);
        let lines: Vec<usize> = rejected.told().iter().map(|rejected| rejected.line).collect();
        assert_eq!(lines, (1..=100).collect::<Vec<_>>());
    }
}
