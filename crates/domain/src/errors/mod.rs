//! The error codes of the interface, and what is wrong with the fields of a request.
//!
//! A code is stable: programs decide by it. `docs/errors.md` explains each one.

mod codes;
mod field_errors;
mod rule;

pub use codes::{ErrorCode, FieldCode};
pub use field_errors::{FieldCodes, FieldErrors};
pub use rule::Rule;
