//! What the interface consists of: the program lists it.

use pointbook_store::Service;

use crate::kernel::Answering;
use crate::route_spec::RouteSpec;
use crate::site::SiteRequest;
use crate::state::HttpState;

/// What the interface consists of.
#[derive(Debug)]
pub struct Listed {
    /// All operations.
    pub routes: fn() -> Vec<&'static RouteSpec>,
    pub files: &'static [FileRoute],
    /// Whether requests can be served from memory while the database is away.
    pub has_memory: fn(&Service) -> bool,
}

impl Listed {
    /// All operations.
    pub fn routes(&self) -> impl Iterator<Item = &'static RouteSpec> + Clone + use<> {
        (self.routes)().into_iter()
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
    pub answer: for<'r> fn(&'r str, SiteRequest<'r>, &'r HttpState) -> Answering<'r>,
}
