//! TODO: views.

pub mod envelope;
pub mod import;
pub mod scope;
pub mod success;
pub mod tag;
pub mod time;
