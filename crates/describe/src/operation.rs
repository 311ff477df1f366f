//! What the description says of one operation: the part that no table knows, written where the operation is.

use http::StatusCode;

use crate::parameter::Parameter;
use crate::schema::{NamedSchema, Schema};

/// What the body of a request is.
#[derive(Debug)]
pub enum BodyDoc {
    /// None, and one that is sent is not looked at.
    None,
    /// None, or an object without members.
    Empty,
    /// One object of JSON, by the name of its schema, with an example.
    Json(&'static str, &'static str),
    /// Some members of an object of JSON, which replace those that are stored (RFC 7396), likewise.
    MergePatch(&'static str, &'static str),
    /// An object of JSON per line, likewise.
    Lines(&'static str, &'static str),
}

/// An answer that is a success.
#[derive(Debug)]
pub struct SuccessDoc {
    pub status: StatusCode,
    pub description: &'static str,
    /// The name of the body's schema.
    pub schema: &'static str,
    /// JSON.
    pub example: &'static str,
    /// The headers beside those that follow from the method.
    pub headers: &'static [&'static str],
}

/// When an operation answers 404.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// When its path has a parameter and nothing is there. The rule.
    ByPath,
    /// When there is nothing, although its path has no parameter.
    Always,
    /// When there is no such thing, with a body that is this operation's alone.
    OwnBody,
    /// Never: it makes what is not there.
    Never,
}

/// What is known of an operation beside its row in the table.
#[derive(Debug)]
#[must_use]
pub struct Operation {
    /// What generated clients call the method.
    pub id: &'static str,
    pub tag: &'static str,
    pub summary: &'static str,
    /// Markdown.
    pub description: String,
    /// Whether the interface's own document has it; else it is ours.
    pub is_documented: bool,
    /// The parameters that do not follow from its path and method.
    pub parameters: Vec<Parameter>,
    pub body: BodyDoc,
    pub successes: Vec<SuccessDoc>,
    pub missing: Missing,
    pub is_conditional: bool,
    /// What its body and its answers are made of, as far as no other operation has it.
    pub schemas: Vec<NamedSchema>,
}

impl Operation {
    /// An operation of the interface's own document. Its id is what generated clients call the method.
    pub fn documented(id: &'static str, tag: impl Into<&'static str>, summary: &'static str) -> Self {
        Self { is_documented: true, ..Self::ours(id, tag, summary) }
    }

    /// An operation that the interface's own document does not have.
    pub fn ours(id: &'static str, tag: impl Into<&'static str>, summary: &'static str) -> Self {
        Self {
            id,
            tag: tag.into(),
            summary,
            description: String::new(),
            is_documented: false,
            parameters: Vec::new(),
            body: BodyDoc::None,
            successes: Vec::new(),
            missing: Missing::ByPath,
            is_conditional: false,
            schemas: Vec::new(),
        }
    }

    pub fn describe(mut self, description: &str) -> Self {
        description.clone_into(&mut self.description);
        self
    }

    /// Adds parameters of its query string or headers. Those of the path follow from the row.
    pub fn taking(mut self, parameters: impl IntoIterator<Item = Parameter>) -> Self {
        self.parameters.extend(parameters);
        self
    }

    /// Says what values look like that are this operation's alone.
    pub fn defining(mut self, name: &'static str, schema: fn() -> Schema) -> Self {
        self.schemas.push((name, schema));
        self
    }

    pub fn reading(self, body: BodyDoc) -> Self {
        Self { body, ..self }
    }

    /// Adds an answer that is a success: its status, what it says, the name of its schema, an example as JSON.
    pub fn answering(
        mut self,
        status: StatusCode,
        description: &'static str,
        schema: &'static str,
        example: &'static str,
    ) -> Self {
        self.successes.push(SuccessDoc { status, description, schema, example, headers: &[] });
        self
    }

    /// Adds headers to its answers of success beside those that follow from the row.
    pub fn with_headers(mut self, headers: &'static [&'static str]) -> Self {
        for success in &mut self.successes {
            success.headers = headers;
        }
        self
    }

    /// Takes `If-Match`, and a PUT also `If-None-Match: *`. Answers 412 where they do not hold.
    pub fn conditional(self) -> Self {
        Self { is_conditional: true, ..self }
    }

    pub fn missing(self, missing: Missing) -> Self {
        Self { missing, ..self }
    }
}
