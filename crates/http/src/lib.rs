//! The edge: listeners, the gateway, operations with their guard, readers of bodies and queries, the OpenAPI document, and the
//! kit of all pages. It knows no slice: the program lists them ([`Listed`]).

pub mod answer;
pub(crate) mod api_request;
pub(crate) mod authenticator;
pub mod body;
pub mod charts;
pub mod describe;
pub mod docs_page;
pub mod documentation;
pub mod error;
pub mod guard;
pub mod head;
pub mod import_lines;
pub mod kernel;
pub(crate) mod listed;
pub mod openapi;
pub mod pages;
pub(crate) mod path_id;
pub(crate) mod path_params;
pub mod permits;
pub mod precondition;
pub mod query;
pub mod query_string;
pub mod rate_limit;
pub mod root;
pub(crate) mod route_spec;
pub mod router;
pub mod sender;
pub mod site;
pub(crate) mod state;
pub mod views;

pub use answer::Answer;
pub use api_request::ApiRequest;
pub use authenticator::{Authenticating, Authenticator, KnownPrincipal};
pub use error::ApiError;
pub use listed::{FileRoute, Listed};
pub use path_id::{new_path_id, path_id};
pub use path_params::PathParams;
pub use route_spec::{Caller, Method, RouteSpec};
pub use router::{Router, router};
pub use site::{Gateway, Operations, Site, SiteRequest};
pub use state::HttpState;
