//! Builders of an OpenAPI document: ordered JSON values, schemas, parameters and the documentation of an operation. This room
//! knows no endpoint.

mod json;
mod operation;
mod parameter;
mod schema;

pub use json::{IntoJson, Members};
pub use operation::{BodyDoc, Missing, Operation, SuccessDoc};
pub use parameter::{Parameter, parameter};
pub use schema::{Field, NamedSchema, Schema, optional, required};
