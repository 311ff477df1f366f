//! The documented interface over HTTP: routes, parameters, wire types, the table of errors, and the
//! gateway around them.

pub mod context;
pub mod error;
pub mod response;

pub use context::{RequestContext, RouteName};
pub use error::ApiError;
