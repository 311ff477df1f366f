//! The form in which an operator writes a definition: sentences with fields in them.

mod fields;
mod lines;
mod read;
mod typed;
mod write;

pub(super) use self::fields::{Form, add, remove};
pub(super) use self::lines::fault_text;
pub(super) use self::read::definition_of;
pub(super) use self::typed::Typed;
pub(super) use self::write::typed_of;

#[cfg(test)]
mod tests;
