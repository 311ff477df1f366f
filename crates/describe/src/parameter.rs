//! Parameters: what they are called and where they stand.

use crate::json::{IntoJson, Json, Members};
use crate::schema::Schema;

/// A parameter of an operation.
#[derive(Debug, Clone)]
pub enum Parameter {
    /// One of the components, by its name.
    Shared(&'static str),
    /// One of the operation alone.
    Own(Members),
}

impl Parameter {
    /// A parameter of the query string, by its whole name: `filter[title]`.
    pub fn query(name: &str, schema: Schema, description: &str) -> Self {
        Self::Own(parameter("query", name, schema, description))
    }

    /// A header of the request.
    pub fn header(name: &str, schema: Schema, description: &str) -> Self {
        Self::Own(parameter("header", name, schema, description))
    }
}

impl IntoJson for Parameter {
    fn into_json(self) -> Json {
        match self {
            Self::Shared(name) => {
                Members::default().with("$ref", format!("#/components/parameters/{name}")).into_json()
            }
            Self::Own(members) => members.into_json(),
        }
    }
}

/// A parameter at a place: `query`, `header` or `path`.
pub fn parameter(place: &str, name: &str, schema: Schema, description: &str) -> Members {
    Members::default()
        .with("name", name)
        .with("in", place)
        .with("description", description)
        .with("schema", schema)
}
