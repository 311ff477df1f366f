//! The catalogue against a model that filters, sorts and pages without any index.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod generate;
mod large;
mod listing;
mod model;
mod rebuilding;
mod visibility;
