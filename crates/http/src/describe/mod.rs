//! Builders of an OpenAPI document: ordered JSON values, schemas, parameters and the documentation of an operation. Slices
//! describe their operations with them, and `openapi` writes the document.

mod json;
mod operation;
mod parameter;
mod schema;
mod view;

pub use json::{IntoJson, Members};
pub use operation::{BodyDoc, Example, Missing, Operation, ResponseBody, SuccessDoc};
pub use parameter::{Parameter, parameter};
pub use schema::{Field, NamedSchema, Schema, optional, required};
pub use view::{Described, Sample, View};
