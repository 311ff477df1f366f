//! Scopes in the OpenAPI document.

use pointbook_domain::Scope;

use crate::describe::Schema;

pub fn scope_schema() -> Schema {
    Schema::one_of(Scope::ALL.iter().map(|scope| scope.as_str()))
        .describe("What an API key may do: a noun and a verb. Later versions may add scopes.")
}
