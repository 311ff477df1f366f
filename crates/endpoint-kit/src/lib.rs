//! What all endpoints of the interface share: the row of an operation, the guard in front of it, the request that it reads,
//! the responses of writes, and the table of errors.

pub mod answer;
mod api_request;
pub mod documentation;
pub mod error;
pub mod guard;
pub mod import_permits;
mod listed;
mod path_id;
mod path_params;
mod route_spec;
pub mod secret_text;
mod state;
mod waiting_permits;

pub use api_request::ApiRequest;
pub use error::ApiError;
pub use listed::{FileRoute, Listed};
pub use path_id::{new_path_id, path_id};
pub use path_params::PathParams;
pub use route_spec::{Caller, Handler, RouteSpec};
pub use state::HttpState;
