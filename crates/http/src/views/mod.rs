//! TODO: views.

pub mod envelope;
pub mod import;
pub mod success;
pub mod values;
