//! Builders of an OpenAPI document: values of JSON in the order in which people read them, schemas, parameters and
//! what is said of an operation. Nothing here is about any endpoint.

mod json;
mod operation;
mod parameter;
mod schema;

pub use json::{IntoJson, Members};
pub use operation::{BodyDoc, Missing, Operation, SuccessDoc};
pub use parameter::{Parameter, parameter};
pub use schema::{Field, NamedSchema, Schema, optional, required};
