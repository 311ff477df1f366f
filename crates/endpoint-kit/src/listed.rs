//! What the interface consists of: the program lists it.

use pointbook_http::describe::NamedSchema;
use pointbook_http::kernel::Answering;
use pointbook_store::service::Service;

use crate::{ApiRequest, HttpState, RouteSpec};

/// What the interface consists of.
#[derive(Debug)]
pub struct Listed {
    /// The tables of operations, in the order of the OpenAPI document.
    pub tables: &'static [&'static [RouteSpec]],
    /// The names of response schemas, except those of a single operation.
    pub answers: &'static [NamedSchema],
    pub files: &'static [FileRoute],
    /// Whether requests can be served from memory while the database is away.
    pub has_memory: fn(&Service) -> bool,
}

impl Listed {
    /// All operations.
    pub fn routes(&self) -> impl Iterator<Item = &'static RouteSpec> + Clone + use<> {
        self.tables.iter().copied().flatten()
    }
}

/// Files below a tenant's base URL that everyone may load: they are no operations of the interface.
#[derive(Debug)]
pub struct FileRoute {
    /// The name in metrics and logs.
    pub name: &'static str,
    /// How their paths begin, below a tenant's base URL.
    pub prefix: &'static str,
    /// Responds to GET and HEAD. It gets the rest of the path.
    pub answer: for<'r> fn(&'r str, ApiRequest<'r>, &'r HttpState) -> Answering<'r>,
}
