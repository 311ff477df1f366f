use pointbook_domain::json::Json;

use crate::describe::json::{IntoJson, Members};
use crate::describe::schema::Schema;

#[derive(Debug, Clone)]
pub enum Parameter {
    /// The name of one of the components.
    Shared(&'static str),
    Own(Members),
}

impl Parameter {
    /// A parameter of the query string, by its whole name: `filter[title]`.
    pub fn query(name: &str, schema: Schema, description: &str) -> Self {
        Self::Own(parameter("query", name, schema, description))
    }

    pub(crate) fn is_query(&self, name: &str) -> bool {
        let Self::Own(members) = self else { return false };
        let is = |member: &str, text: &str| members.get(member) == Some(&Json::Text(text.to_owned()));
        is("in", "query") && is("name", name)
    }

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
