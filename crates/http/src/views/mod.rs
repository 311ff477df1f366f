//! JSON that many operations share: the envelope of a list, the body of a success, the result of an import, dates and times.
//! A view of one noun is `view.rs` in the folder of the noun.

pub mod envelope;
pub mod import;
pub mod success;
pub mod values;
